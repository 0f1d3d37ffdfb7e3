import type { Clock } from '../../../ports/clock.ts';
import { AwsError } from './aws-error.ts';

export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

interface Bucket {
  readonly limit: RateLimit;
  tokens: number;
  filledAtMs: number;
}

/** Token buckets per action. Without a limit every call passes. */
export class RateLimits {
  readonly #clock: Clock;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Limits one action (`CreateFleet`), or with `*` every action that has no limit of its own. */
  set(action: string, limit: RateLimit): void {
    this.#buckets.set(action, { limit, tokens: limit.burst, filledAtMs: this.#clock.nowMs() });
  }

  clear(): void {
    this.#buckets.clear();
  }

  /** Takes a token, or throws what the service says when it has none. */
  admit(action: string, refusal: () => AwsError): void {
    const bucket = this.#buckets.get(action) ?? this.#buckets.get('*');
    if (bucket === undefined) return;
    const nowMs = this.#clock.nowMs();
    const earned = ((nowMs - bucket.filledAtMs) / 1000) * bucket.limit.perSecond;
    bucket.tokens = Math.min(bucket.limit.burst, bucket.tokens + earned);
    bucket.filledAtMs = nowMs;
    if (bucket.tokens < 1) throw refusal();
    bucket.tokens -= 1;
  }
}

export function ec2Throttled(): AwsError {
  return new AwsError('RequestLimitExceeded', 'Request limit exceeded.', { status: 503 });
}

export function queryThrottled(): AwsError {
  return new AwsError('Throttling', 'Rate exceeded');
}

export function jsonThrottled(): AwsError {
  return new AwsError('ThrottlingException', 'Rate exceeded');
}
