import type { Clock } from '../../../ports/clock.ts';
import type { Histogram, Metrics } from '../../../ports/metrics.ts';

interface Waiter<V> {
  readonly resolve: (value: V | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers single questions that come close together into one call: until none has come for
 * `idleMs`, but no longer than `maxMs`. `run` answers for many keys; a key missing from its answer
 * is answered with undefined, and its failure is everybody's.
 */
export class Batcher<V> {
  readonly #options: BatcherOptions<V>;
  readonly #meters: BatchMeters | undefined;
  #waiting = new Map<string, Waiter<V>[]>();
  #openedAtMs = 0;
  #cancel = (): void => {};

  constructor(options: BatcherOptions<V>) {
    this.#options = options;
    this.#meters = options.metrics === undefined ? undefined : batchMeters(options.metrics);
  }

  ask(key: string): Promise<V | undefined> {
    return new Promise((resolve, reject) => {
      const { clock, idleMs, maxMs, maxKeys } = this.#options;
      if (this.#waiting.size === 0) this.#openedAtMs = clock.nowMs();
      const waiters = this.#waiting.get(key) ?? [];
      waiters.push({ resolve, reject });
      this.#waiting.set(key, waiters);
      this.#cancel();
      const restMs = Math.min(idleMs, this.#openedAtMs + maxMs - clock.nowMs());
      if (this.#waiting.size >= maxKeys) this.#flush();
      else this.#cancel = clock.schedule(restMs, () => this.#flush());
    });
  }

  #flush(): void {
    const batch = this.#waiting;
    if (batch.size === 0) return;
    this.#waiting = new Map();
    const { name: batcher, clock, run } = this.#options;
    this.#meters?.size.observe(batch.size, { batcher });
    this.#meters?.seconds.observe((clock.nowMs() - this.#openedAtMs) / 1_000, { batcher });
    run([...batch.keys()].sort()).then(
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
  /** As metrics name it: `terminate_instances`. */
  readonly name: string;
  readonly clock: Clock;
  readonly metrics?: Metrics | undefined;
  readonly idleMs: number;
  readonly maxMs: number;
  readonly maxKeys: number;
  readonly run: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>;
}

interface BatchMeters {
  readonly size: Histogram;
  readonly seconds: Histogram;
}

const sizes = [1, 2, 4, 5, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100, 125, 150, 175, 200];
const largeSizes = [225, 250, 275, 300, 350, 400, 450, 500, 550, 600, 700, 800, 900, 1000];

/** How large batches are and how long the first of each has waited. */
export function batchMeters(metrics: Metrics): BatchMeters {
  return {
    size: metrics.histogram({
      name: 'karpenter_cloudprovider_batcher_batch_size',
      help: 'How many requests one call to AWS stood for',
      labels: ['batcher'],
      buckets: [...sizes, ...largeSizes],
    }),
    seconds: metrics.histogram({
      name: 'karpenter_cloudprovider_batcher_batch_time_seconds',
      help: 'How long a batch was open',
      labels: ['batcher'],
      buckets: [0.01, 0.035, 0.05, 0.1, 0.2, 0.5, 1, 2, 5],
    }),
  };
}
