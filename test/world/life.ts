import { setMaxListeners } from 'node:events';
import type { Clock } from '../../src/ports/clock.ts';
import type { HttpHandler, HttpRequest } from '../../src/ports/http.ts';

/** A request that changes something, as the API server saw it. */
export interface Write {
  readonly atMs: number;
  readonly what: string;
}

/** One process of our controller, from its start to its end, as the servers see it. */
export class Life {
  readonly #clock: Clock;
  readonly #writes: Write[];
  readonly #stop = new AbortController();
  #isAlive = true;
  #effectsLeft = Infinity;

  constructor(clock: Clock, writes: Write[]) {
    this.#clock = clock;
    this.#writes = writes;
    setMaxListeners(0, this.#stop.signal);
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  readonly isAlive = (): boolean => this.#isAlive;

  /** Asks the process to end. */
  stop(): void {
    this.#stop.abort();
  }

  kill(): void {
    this.#isAlive = false;
    this.#stop.abort();
  }

  /** The answer to the last of these effects is never heard. */
  killAfter(effects: number): void {
    this.#effectsLeft = effects;
  }

  /** The way to a server, which a dead process no longer has. */
  wire(handle: HttpHandler): HttpHandler {
    return async (request) => {
      if (!this.#isAlive) return new Promise(() => {});
      if (isWrite(request)) this.#note(request);
      const answer = await handle(request);
      if (isEffect(request) && --this.#effectsLeft <= 0) this.kill();
      return this.#isAlive ? answer : new Promise(() => {});
    };
  }

  /** How the process ended; nobody asks a dead one. */
  async outcomeOf(done: Promise<void>): Promise<void> {
    const killed = new Promise<void>((resolve) => {
      this.#stop.signal.addEventListener('abort', () => {
        if (!this.#isAlive) resolve();
      });
    });
    await Promise.race([done, killed]);
  }

  #note({ method, path, body }: HttpRequest): void {
    this.#writes.push({ atMs: this.#clock.nowMs(), what: `${method} ${path} ${body ?? ''}` });
  }
}

/** A change to the cluster. Requests to AWS are posts to the root; events change nothing. */
function isWrite({ method, path }: HttpRequest): boolean {
  return method !== 'GET' && path !== '/' && !path.includes('/events');
}

function isEffect(request: HttpRequest): boolean {
  return isWrite(request) || /^Action=(Create|Terminate|Delete|Add)/.test(String(request.body));
}
