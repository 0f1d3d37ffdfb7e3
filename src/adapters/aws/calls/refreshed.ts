import type { Clock } from '../../../ports/clock.ts';
import type { Log } from '../../../ports/log.ts';

const retryAfterMs = 60_000;

/**
 * A value that is loaded when first asked for and again once it is old. While a newer one is
 * being loaded the old one is given; a load that fails is logged and tried again a minute later.
 */
export class Refreshed<T> {
  readonly #options: RefreshedOptions<T>;
  #value: T | undefined;
  #dueAtMs = -Infinity;
  #loading: Promise<T> | undefined;
  #failure: unknown;

  constructor(options: RefreshedOptions<T>) {
    this.#options = options;
  }

  /** Rejects only when there has never been a value; then it does not try again for a minute. */
  async get(): Promise<T> {
    const isDue = this.#options.clock.nowMs() >= this.#dueAtMs;
    if (this.#value !== undefined) {
      // The old value serves meanwhile, and on if this fails, which has been logged then.
      if (isDue && this.#loading === undefined) this.#load().catch(() => undefined);
      return this.#value;
    }
    if (this.#loading === undefined && !isDue) throw this.#failure;
    return this.#loading ?? this.#load();
  }

  #load(): Promise<T> {
    const { clock, load, everyMs } = this.#options;
    this.#dueAtMs = Infinity;
    this.#loading = load().then(
      (value) => {
        this.#value = value;
        this.#dueAtMs = clock.nowMs() + everyMs;
        this.#loading = undefined;
        return value;
      },
      (error: unknown) => {
        this.#report(error);
        this.#failure = error;
        this.#dueAtMs = clock.nowMs() + retryAfterMs;
        this.#loading = undefined;
        throw error;
      },
    );
    return this.#loading;
  }

  #report(error: unknown): void {
    this.#options.log.error('loading failed; what was known before stays in use', {
      what: this.#options.what,
      error: error instanceof Error ? error.message : String(error),
    });
  }
}

interface RefreshedOptions<T> {
  readonly clock: Clock;
  readonly log: Log;
  readonly what: string;
  readonly everyMs: number;
  readonly load: () => Promise<T>;
}
