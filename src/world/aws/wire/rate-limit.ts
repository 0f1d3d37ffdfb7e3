import type { Clock } from '../../../ports/clock.ts';
import { AwsError } from './aws-error.ts';

export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/**
 * What EC2 lets one account do, as far as it matters to us. Actions of one line share a bucket; `*`
 * inside a name stands for anything.
 */
const ec2RateLimits: Readonly<Record<string, RateLimit>> = {
  'Describe*': { perSecond: 20, burst: 100 },
  'CreateFleet|CreateLaunchTemplate|DeleteLaunchTemplate': { perSecond: 5, burst: 50 },
  RunInstances: { perSecond: 2, burst: 5 },
  TerminateInstances: { perSecond: 5, burst: 100 },
  CreateTags: { perSecond: 10, burst: 100 },
};

interface Bucket {
  readonly matches: (action: string) => boolean;
  readonly limit: RateLimit;
  tokens: number;
  filledAtMs: number;
}

/** Token buckets per action: EC2's own, unless others are set. Without a limit every call passes. */
export class RateLimits {
  readonly #clock: Clock;
  readonly #usual = new Map<string, Bucket>();
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock) {
    this.#clock = clock;
    for (const [actions, limit] of Object.entries(ec2RateLimits))
      this.#usual.set(actions, this.#bucket(actions, limit));
  }

  /**
   * Limits one action (`CreateFleet`), several together (`CreateFleet|Delete*`), or with `*` every
   * action that has no limit of its own. Goes before the usual limits.
   */
  set(actions: string, limit: RateLimit): void {
    this.#buckets.set(actions, this.#bucket(actions, limit));
  }

  /** Back to the usual limits. */
  clear(): void {
    this.#buckets.clear();
  }

  #bucket(actions: string, limit: RateLimit): Bucket {
    const filledAtMs = this.#clock.nowMs();
    return { matches: matcher(actions), limit, tokens: limit.burst, filledAtMs };
  }

  /** The most exact one: of this very name, then of a pattern, then of all. */
  #bucketOf(action: string): Bucket | undefined {
    const ofPattern = (buckets: ReadonlyMap<string, Bucket>): Bucket | undefined =>
      [...buckets].find(([actions, { matches }]) => actions !== '*' && matches(action))?.[1];
    return (
      this.#buckets.get(action) ??
      ofPattern(this.#buckets) ??
      this.#buckets.get('*') ??
      ofPattern(this.#usual)
    );
  }

  /** Takes a token, or throws what the service says when it has none. */
  admit(action: string, refusal: () => AwsError): void {
    const bucket = this.#bucketOf(action);
    if (bucket === undefined) return;
    const nowMs = this.#clock.nowMs();
    const earned = ((nowMs - bucket.filledAtMs) / 1000) * bucket.limit.perSecond;
    bucket.tokens = Math.min(bucket.limit.burst, bucket.tokens + earned);
    bucket.filledAtMs = nowMs;
    if (bucket.tokens < 1) throw refusal();
    bucket.tokens -= 1;
  }
}

function matcher(actions: string): (action: string) => boolean {
  const pattern = actions.replaceAll('*', '\\w*');
  const expression = new RegExp(`^(${pattern})$`);
  return (action) => expression.test(action);
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
