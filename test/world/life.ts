import { setMaxListeners } from 'node:events';
import type { Clock } from '../../src/ports/clock.ts';
import type { HttpHandler } from '../../src/ports/http.ts';

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
  #requestsLeft = Infinity;

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

  killAfter(requests: number): void {
    this.#requestsLeft = requests;
  }

  /** The way to a server, which a dead process no longer has. */
  wire(handle: HttpHandler): HttpHandler {
    return async (request) => {
      if (!this.#isAlive) return new Promise(() => {});
      if (request.method !== 'GET' && !request.path.includes('/events')) this.#note(request);
      const answer = await handle(request);
      const isWatch = request.path.includes('watch=');
      if (!isWatch && --this.#requestsLeft <= 0) this.kill();
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

  #note({ method, path, body }: Parameters<HttpHandler>[0]): void {
    // Requests to AWS are posts to the root and change nothing in the cluster.
    if (path === '/') return;
    this.#writes.push({ atMs: this.#clock.nowMs(), what: `${method} ${path} ${body ?? ''}` });
  }
}
