import type { Clock } from '../../../ports/clock.ts';

/** What must go first when there is not room for all: money saved, then pods served, then looking. */
export type CallPriority = 'terminate' | 'create' | 'describe';

export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

const order: readonly CallPriority[] = ['terminate', 'create', 'describe'];

interface Waiter {
  readonly admit: () => void;
}

/**
 * A token bucket on the clock. Whoever waits is admitted by priority, then in order of arrival.
 * `drain` empties it when the service itself says that we are too fast.
 */
export class RateLimit {
  readonly #clock: Clock;
  readonly #rate: Rate;
  readonly #waiting: Record<CallPriority, Waiter[]> = { terminate: [], create: [], describe: [] };
  #tokens: number;
  #countedAtMs: number;
  #timerIsSet = false;

  constructor(clock: Clock, rate: Rate) {
    this.#clock = clock;
    this.#rate = rate;
    this.#tokens = rate.burst;
    this.#countedAtMs = clock.nowMs();
  }

  /** Resolves once the call may be made; rejects with the signal's reason if that comes first. */
  take(priority: CallPriority, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting[priority] = this.#waiting[priority].filter((other) => other !== waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        admit: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting[priority].push(waiter);
      this.#admit();
    });
  }

  drain(): void {
    this.#refill();
    this.#tokens = Math.min(this.#tokens, 0);
  }

  #admit(): void {
    this.#refill();
    while (this.#tokens >= 1) {
      const next = this.#next();
      if (next === undefined) return;
      this.#tokens -= 1;
      next.admit();
    }
    if (order.some((priority) => this.#waiting[priority].length > 0)) this.#wake();
  }

  #wake(): void {
    if (this.#timerIsSet) return;
    this.#timerIsSet = true;
    const delayMs = Math.max(1, Math.ceil(((1 - this.#tokens) / this.#rate.perSecond) * 1_000));
    this.#clock.schedule(delayMs, () => {
      this.#timerIsSet = false;
      this.#admit();
    });
  }

  #next(): Waiter | undefined {
    for (const priority of order) {
      const waiter = this.#waiting[priority].shift();
      if (waiter !== undefined) return waiter;
    }
    return undefined;
  }

  #refill(): void {
    const nowMs = this.#clock.nowMs();
    const gained = ((nowMs - this.#countedAtMs) / 1_000) * this.#rate.perSecond;
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + gained);
    this.#countedAtMs = nowMs;
  }
}
