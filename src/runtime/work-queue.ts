import type { Clock } from '../ports/clock.ts';
import { backoffMs } from './backoff.ts';

interface WorkQueueOptions {
  readonly clock: Clock;
  readonly minBackoffMs: number;
  readonly maxBackoffMs: number;
  /** Called when a key has become ready to be taken. */
  readonly onReady: () => void;
}

interface Delayed {
  readonly atMs: number;
  readonly cancel: () => void;
}

/**
 * Keys that wait for work. A key is in the queue once at most, is never handed out again before
 * it is done, and is never lost: what is added while it is worked on is handed out afterwards.
 */
export class WorkQueue {
  readonly #options: WorkQueueOptions;
  /** Ready, in order of arrival. */
  readonly #ready = new Set<string>();
  readonly #delayed = new Map<string, Delayed>();
  readonly #working = new Set<string>();
  /** Added while being worked on. */
  readonly #again = new Set<string>();
  readonly #failures = new Map<string, number>();

  constructor(options: WorkQueueOptions) {
    this.#options = options;
  }

  /** How many keys could be taken now. */
  get depth(): number {
    return this.#ready.size;
  }

  /** Nothing is ready and nothing is being worked on; keys may still be waiting for their time. */
  get isIdle(): boolean {
    return this.#ready.size === 0 && this.#working.size === 0;
  }

  /** Makes the key ready. It takes the place of a delayed addition. */
  add(key: string): void {
    this.#dropDelay(key);
    if (this.#working.has(key)) {
      this.#again.add(key);
      return;
    }
    if (this.#ready.has(key)) return;
    this.#ready.add(key);
    this.#options.onReady();
  }

  /** Makes the key ready after a while. Of several additions the earliest counts. */
  addAfter(key: string, delayMs: number): void {
    if (!(delayMs > 0)) {
      this.add(key);
      return;
    }
    if (this.#ready.has(key) || this.#again.has(key)) return;
    const { clock } = this.#options;
    const atMs = clock.nowMs() + delayMs;
    const earlier = this.#delayed.get(key);
    if (earlier !== undefined && earlier.atMs <= atMs) return;
    earlier?.cancel();
    this.#delayed.set(key, { atMs, cancel: clock.schedule(delayMs, () => this.add(key)) });
  }

  /** Makes the key ready after a delay that doubles with every failure. Answers the delay. */
  addAfterFailure(key: string): number {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const { minBackoffMs: minMs, maxBackoffMs: maxMs } = this.#options;
    const delayMs = backoffMs({ minMs, maxMs }, failures);
    this.addAfter(key, delayMs);
    return delayMs;
  }

  /** Forgets the failures of the key, and with them its growing delay. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** The key that has waited longest; the caller must say when it is done with it. */
  take(): string | undefined {
    for (const key of this.#ready) {
      this.#ready.delete(key);
      this.#working.add(key);
      return key;
    }
    return undefined;
  }

  done(key: string): void {
    this.#working.delete(key);
    if (this.#again.delete(key)) this.add(key);
  }

  /** Cancels every delay and empties the queue. */
  close(): void {
    for (const key of [...this.#delayed.keys()]) this.#dropDelay(key);
    this.#ready.clear();
    this.#again.clear();
  }

  #dropDelay(key: string): void {
    this.#delayed.get(key)?.cancel();
    this.#delayed.delete(key);
  }
}
