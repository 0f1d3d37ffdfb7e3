import type { Clock } from '../ports/clock.ts';

export interface EventRate {
  readonly perSecond: number;
  /** At once, after a rest. */
  readonly burst: number;
}

/** Per reason: ten events a second, and fifty at once after a rest. */
const rateOfReason: EventRate = { perSecond: 10, burst: 50 };

/** How many events of each kind may still be sent, so that no storm reaches the server. */
export class EventAllowance {
  readonly #clock: Clock;
  readonly #rate: EventRate;
  /** In order of their last use. */
  readonly #left = new Map<string, { readonly tokens: number; readonly atMs: number }>();

  constructor(clock: Clock, rate: EventRate = rateOfReason) {
    this.#clock = clock;
    this.#rate = rate;
  }

  /** Takes one for the key; false when there is none. */
  take(key: string): boolean {
    const { perSecond, burst } = this.#rate;
    const nowMs = this.#clock.nowMs();
    this.#forgetRested(nowMs);
    const before = this.#left.get(key) ?? { tokens: burst, atMs: nowMs };
    const earned = (Math.max(0, nowMs - before.atMs) / 1_000) * perSecond;
    const tokens = Math.min(burst, before.tokens + earned);
    const isGranted = tokens >= 1;
    this.#left.delete(key);
    this.#left.set(key, { tokens: isGranted ? tokens - 1 : tokens, atMs: nowMs });
    return isGranted;
  }

  /** Whoever has rested for so long has everything again, and need not be remembered. */
  #forgetRested(nowMs: number): void {
    const { perSecond, burst } = this.#rate;
    const restMs = (burst / perSecond) * 1_000;
    for (const [key, { atMs }] of this.#left) {
      if (nowMs - atMs < restMs) return;
      this.#left.delete(key);
    }
  }
}
