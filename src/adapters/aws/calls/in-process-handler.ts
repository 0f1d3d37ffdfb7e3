import type { HttpHandler, HttpResponse } from '../../../ports/http.ts';

/** The request and response values that the AWS SDK exchanges with its request handler. */
interface SdkRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface SdkHandlerOptions {
  readonly abortSignal?: unknown;
}

/** No answer could be had: refused, broken, or given up after the deadline. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
}

/**
 * A request handler for SDK clients that calls an `HttpHandler` in place of opening a socket. The
 * handler sees the bytes a socket would carry, and everything happens in promise callbacks, so
 * that it runs on a virtual clock.
 */
export function createInProcessHandler(send: HttpHandler): {
  handle(
    request: SdkRequest,
    options?: SdkHandlerOptions,
  ): Promise<{ response: ReturnType<typeof sdkResponse> }>;
} {
  return {
    async handle(request, options) {
      const signal = options?.abortSignal instanceof AbortSignal ? options.abortSignal : undefined;
      const answer = send({
        method: request.method,
        path: request.path + queryText(request.query),
        headers: stableHeaders(request.headers),
        body: bodyOf(request.body),
        signal,
      });
      const body = answer.then(async (response) => ({ response, text: await wholeBody(response) }));
      const { response, text } = await unlessAborted(body, signal);
      return { response: sdkResponse(response, text) };
    },
  };
}

function sdkResponse(
  response: HttpResponse,
  text: string,
): {
  statusCode: number;
  headers: Record<string, string>;
  body: Uint8Array;
} {
  return {
    statusCode: response.status,
    headers: { ...response.headers },
    body: new TextEncoder().encode(text),
  };
}

/** The invocation id is chance that the SDK draws for itself and nobody reads; a trace must not vary by it. */
function stableHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const stable: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() !== 'amz-sdk-invocation-id') stable[name.toLowerCase()] = value;
  }
  return stable;
}

/** A copy, since the SDK's own bytes complain when somebody reads them as text. */
function bodyOf(body: unknown): string | Uint8Array | undefined {
  if (body instanceof Uint8Array) return new Uint8Array(body);
  return typeof body === 'string' ? body : undefined;
}

async function wholeBody(response: HttpResponse): Promise<string> {
  if (typeof response.body === 'string') return response.body;
  let text = '';
  for await (const piece of response.body) text += piece;
  return text;
}

function queryText(query: SdkRequest['query']): string {
  const parts: string[] = [];
  for (const key of Object.keys(query ?? {}).sort()) {
    const value = query?.[key];
    const values = Array.isArray(value) ? value : [value];
    for (const one of values) {
      parts.push(
        one === null
          ? encodeURIComponent(key)
          : `${encodeURIComponent(key)}=${encodeURIComponent(String(one))}`,
      );
    }
  }
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** A handler may never answer; then only the deadline of the caller ends the wait. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void =>
      reject(new TransportError('the request was given up', { cause: signal?.reason }));
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    work
      .then(resolve, (cause: unknown) =>
        reject(new TransportError('the connection failed', { cause })),
      )
      .finally(() => signal?.removeEventListener('abort', onAbort));
  });
}
