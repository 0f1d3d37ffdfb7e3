import type { Clock } from '../../ports/clock.ts';

export interface BatcherOptions {
  readonly clock: Clock;
  /** The window closes after so long without a new trigger. */
  readonly idleMs: number;
  /** And at the latest so long after it was opened. */
  readonly maxMs: number;
  readonly onBatch: () => void;
}

/**
 * Gathers triggers into batches: the first one opens a window, and `onBatch` is called once when
 * it closes. A trigger that the window knows already does not keep it open.
 */
export class Batcher {
  readonly #options: BatcherOptions;
  readonly #seen = new Set<string>();
  #openedAtMs = 0;
  #cancel: (() => void) | undefined;

  constructor(options: BatcherOptions) {
    this.#options = options;
  }

  trigger(id: string): void {
    if (this.#seen.has(id)) return;
    const { clock, idleMs, maxMs } = this.#options;
    const nowMs = clock.nowMs();
    if (this.#cancel === undefined) this.#openedAtMs = nowMs;
    this.#seen.add(id);
    this.#cancel?.();
    const delayMs = Math.min(idleMs, this.#openedAtMs + maxMs - nowMs);
    this.#cancel = clock.schedule(delayMs, () => this.#close());
  }

  /** Forgets an open window without a batch. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#seen.clear();
  }

  #close(): void {
    this.stop();
    this.#options.onBatch();
  }
}
