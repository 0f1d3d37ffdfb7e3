import { type Clock, sleep } from '../../ports/clock.ts';

export interface RateLimit {
  readonly requestsPerSecond: number;
  /** How many may go at once after a rest. */
  readonly burst: number;
}

/** A gate that lets requests pass in order of arrival, no faster than the limit. */
export function createRateLimiter(clock: Clock, limit: RateLimit): () => Promise<void> | undefined {
  const intervalMs = 1_000 / limit.requestsPerSecond;
  const allowanceMs = intervalMs * limit.burst;
  /** When the requests so far would all be done at the steady rate. */
  let doneMs = clock.nowMs();
  let lastMs = doneMs;
  return () => {
    const nowMs = clock.nowMs();
    // A clock that was set back must not hold everybody until it has caught up.
    if (nowMs < lastMs) doneMs -= lastMs - nowMs;
    lastMs = nowMs;
    doneMs = Math.max(doneMs, nowMs) + intervalMs;
    const waitMs = doneMs - nowMs - allowanceMs;
    return waitMs > 0 ? sleep(clock, waitMs) : undefined;
  };
}
