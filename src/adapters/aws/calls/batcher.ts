import type { Clock } from '../../../ports/clock.ts';

interface Waiter<V> {
  readonly resolve: (value: V | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers single questions that come close together into one call. `run` answers for many keys;
 * a key missing from its answer is answered with undefined, and its failure is everybody's.
 */
export class Batcher<V> {
  readonly #options: BatcherOptions<V>;
  #waiting = new Map<string, Waiter<V>[]>();

  constructor(options: BatcherOptions<V>) {
    this.#options = options;
  }

  ask(key: string): Promise<V | undefined> {
    return new Promise((resolve, reject) => {
      const waiters = this.#waiting.get(key) ?? [];
      waiters.push({ resolve, reject });
      this.#waiting.set(key, waiters);
      if (this.#waiting.size >= this.#options.maxKeys) this.#flush();
      else if (this.#waiting.size === 1 && waiters.length === 1)
        this.#options.clock.schedule(this.#options.windowMs, () => this.#flush());
    });
  }

  #flush(): void {
    const batch = this.#waiting;
    if (batch.size === 0) return;
    this.#waiting = new Map();
    this.#options.run([...batch.keys()].sort()).then(
      (answers) => {
        for (const [key, waiters] of batch)
          for (const waiter of waiters) waiter.resolve(answers.get(key));
      },
      (error: unknown) => {
        for (const waiters of batch.values()) for (const waiter of waiters) waiter.reject(error);
      },
    );
  }
}

interface BatcherOptions<V> {
  readonly clock: Clock;
  readonly windowMs: number;
  readonly maxKeys: number;
  readonly run: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>;
}
