import type { KubeObject } from '../../src/api/resource.ts';
import { breathe, type Clock } from '../../src/ports/clock.ts';
import type { HttpRequest, HttpResponse } from '../../src/ports/http.ts';

const pageSize = 500;
/** Bytes that a socket hands over at a time. */
const pieceLength = 65_536;

/** The lists of an API server, written beforehand so that answering costs next to nothing. */
export class PagedServer {
  readonly #clock: Clock;
  readonly #lists: ReadonlyMap<string, readonly KubeObject[]>;
  readonly #pages = new Map<string, readonly string[]>();
  #watches: (() => void)[] = [];
  #version = 0;

  /** Objects by the plural name of their kind, in order of their keys as a server has them. */
  constructor(clock: Clock, lists: ReadonlyMap<string, readonly KubeObject[]>) {
    this.#clock = clock;
    this.#lists = lists;
    this.change();
  }

  get version(): string {
    return String(this.#version);
  }

  pageOf(plural: string): string {
    return this.#pages.get(plural)?.[0] ?? this.#page([], '');
  }

  /** Every object has a new version from now on; no watch tells. */
  change(): void {
    this.#version++;
    for (const [plural, list] of this.#lists) {
      const pages: string[] = [];
      for (let from = 0; from < list.length; from += pageSize) {
        const rest = from + pageSize < list.length ? String(pages.length + 1) : '';
        pages.push(this.#page(list.slice(from, from + pageSize), rest));
      }
      this.#pages.set(plural, pages);
    }
  }

  /** Ends every watch because its history is gone, so that all is listed again. */
  forget(): void {
    const watches = this.#watches;
    this.#watches = [];
    for (const end of watches) end();
  }

  readonly handle = async ({ path, signal }: HttpRequest): Promise<HttpResponse> => {
    await breathe(this.#clock);
    const { pathname, searchParams } = new URL(path, 'http://127.0.0.1');
    if (searchParams.get('watch') === 'true') return answer(this.#watch(signal));
    const plural = pathname.split('/').at(-1) ?? '';
    const index = Number(searchParams.get('continue') ?? 0);
    return answer(this.#pieces(this.#pages.get(plural)?.[index] ?? this.pageOf(plural)));
  };

  #page(list: readonly KubeObject[], rest: string): string {
    const resourceVersion = this.version;
    const items = list.map((one) => ({ ...one, metadata: { ...one.metadata, resourceVersion } }));
    return JSON.stringify({ metadata: { resourceVersion, continue: rest }, items });
  }

  async *#pieces(text: string): AsyncGenerator<string> {
    for (let from = 0; from < text.length; from += pieceLength) {
      await breathe(this.#clock);
      yield text.slice(from, from + pieceLength);
    }
  }

  async *#watch(signal: AbortSignal | undefined): AsyncGenerator<string> {
    await new Promise<void>((resolve) => {
      this.#watches.push(resolve);
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
    yield `${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } })}\n`;
  }
}

function answer(body: HttpResponse['body']): HttpResponse {
  return { status: 200, headers: {}, body };
}
