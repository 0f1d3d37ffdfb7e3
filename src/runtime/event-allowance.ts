import type { Clock } from '../ports/clock.ts';

/** Per reason: ten events a second, and fifty at once after a rest. */
const perSecond = 10;
const burst = 50;

/** How many events of each reason may still be sent, so that no storm reaches the server. */
export class EventAllowance {
  readonly #clock: Clock;
  readonly #left = new Map<string, { tokens: number; atMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes one for the reason; false when there is none. */
  take(reason: string): boolean {
    const nowMs = this.#clock.nowMs();
    const bucket = this.#left.get(reason) ?? { tokens: burst, atMs: nowMs };
    const earned = (Math.max(0, nowMs - bucket.atMs) / 1_000) * perSecond;
    bucket.tokens = Math.min(burst, bucket.tokens + earned);
    bucket.atMs = nowMs;
    this.#left.set(reason, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens--;
    return true;
  }
}
