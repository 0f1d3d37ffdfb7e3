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

/** Others share the account's limits: we may have to go this much slower than they are written. */
const slowestShare = 0.1;
/** Refusals that come together are one. */
const oneRefusalMs = 1_000;

/**
 * A token bucket on the clock. Whoever waits is admitted by priority, then in order of arrival. When
 * the service itself says that we are too fast, the rate is halved; with every call that it accepts
 * it grows again a little, up to the full rate.
 */
export class RateLimit {
  readonly #clock: Clock;
  readonly #rate: Rate;
  readonly #waiting: Record<CallPriority, Waiter[]> = { terminate: [], create: [], describe: [] };
  #tokens: number;
  #countedAtMs: number;
  #timerIsSet = false;
  #perSecond: number;
  #slowedAtMs = -Infinity;

  constructor(clock: Clock, rate: Rate) {
    this.#clock = clock;
    this.#rate = rate;
    this.#perSecond = rate.perSecond;
    this.#tokens = rate.burst;
    this.#countedAtMs = clock.nowMs();
  }

  /** Calls per second that are allowed at the moment. */
  get perSecond(): number {
    return this.#perSecond;
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

  /** The service has refused a call: whatever was saved up is gone, and we go slower. */
  slowDown(): void {
    this.#refill();
    this.#tokens = Math.min(this.#tokens, 0);
    if (this.#clock.nowMs() - this.#slowedAtMs < oneRefusalMs) return;
    this.#slowedAtMs = this.#clock.nowMs();
    this.#perSecond = Math.max(this.#rate.perSecond * slowestShare, this.#perSecond / 2);
  }

  /** The service has accepted a call. */
  speedUp(): void {
    if (this.#perSecond === this.#rate.perSecond) return;
    this.#refill();
    this.#perSecond = Math.min(this.#rate.perSecond, this.#perSecond + this.#rate.perSecond / 20);
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
    const delayMs = Math.max(1, Math.ceil(((1 - this.#tokens) / this.#perSecond) * 1_000));
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
    const gained = ((nowMs - this.#countedAtMs) / 1_000) * this.#perSecond;
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + gained);
    this.#countedAtMs = nowMs;
  }
}
