import { type Clock, sleep } from '../../../ports/clock.ts';
import type { Log } from '../../../ports/log.ts';
import type { Counter, Histogram, Metrics } from '../../../ports/metrics.ts';
import { type AwsFault, cloudError, faultOf, isThrottling, isTransient } from './errors.ts';
import { type CallPriority, type Rate, RateLimit } from './rate-limit.ts';

/** One AWS request, named for limits, metrics and error messages. */
export interface CallSpec {
  readonly service: 'arc-zonal-shift' | 'ec2' | 'eks' | 'iam' | 'pricing' | 'sqs' | 'ssm';
  /** The API action, `CreateFleet`. */
  readonly action: string;
  readonly priority: CallPriority;
  /** What is being done, for people: `launching nodeclaim web-7x2`. */
  readonly doing: string;
  readonly signal?: AbortSignal | undefined;
  /** The reason of a rejection that no rule knows. */
  readonly otherwise?: string | undefined;
}

/**
 * Makes AWS calls: waits for its turn, retries throttling, faults of the service and lost
 * connections with growing delays on the clock, counts, times, and rejects with `CloudError`.
 * Whatever is passed to it must therefore be safe to send twice.
 */
export interface AwsCaller {
  call<T>(spec: CallSpec, send: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

const maxAttempts = 6;
const attemptTimeoutMs = 60_000;

export function createAwsCaller(options: {
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: Metrics | undefined;
}): AwsCaller {
  const { clock, log } = options;
  const limits = new Map<string, RateLimit>();
  const meters = options.metrics === undefined ? undefined : createMeters(options.metrics);
  let calls = 0;

  function limitOf(spec: CallSpec): RateLimit {
    const name = bucketOf(spec);
    const limit = limits.get(name) ?? new RateLimit(clock, rates[name]);
    limits.set(name, limit);
    return limit;
  }

  async function attempt<T>(spec: CallSpec, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const startedAtMs = clock.nowMs();
    const deadline = new AbortController();
    const cancel = clock.schedule(attemptTimeoutMs, () => deadline.abort());
    const giveUp = (): void => deadline.abort(spec.signal?.reason);
    spec.signal?.addEventListener('abort', giveUp, { once: true });
    try {
      const result = await send(deadline.signal);
      meters?.record(spec, 'ok', clock.nowMs() - startedAtMs);
      return result;
    } catch (error) {
      meters?.record(spec, faultOf(error)?.code ?? 'error', clock.nowMs() - startedAtMs);
      throw error;
    } finally {
      cancel();
      spec.signal?.removeEventListener('abort', giveUp);
    }
  }

  async function call<T>(spec: CallSpec, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const seed = calls++;
    for (let tries = 1; ; tries++) {
      await limitOf(spec).take(spec.priority, spec.signal);
      try {
        const answer = await attempt(spec, send);
        limitOf(spec).speedUp();
        return answer;
      } catch (error) {
        spec.signal?.throwIfAborted();
        const fault = faultOf(error);
        if (fault !== undefined && isThrottling(fault)) limitOf(spec).slowDown();
        if (fault === undefined || !mayRetry(fault) || tries === maxAttempts)
          throw cloudError(error, spec.doing, spec.otherwise);
        const delayMs = delayBefore(tries, seed);
        log.debug('retrying an AWS call', { action: spec.action, code: fault.code, delayMs });
        await sleep(clock, delayMs, spec.signal);
      }
    }
  }

  return { call };
}

function mayRetry(fault: AwsFault): boolean {
  return isThrottling(fault) || isTransient(fault);
}

/**
 * 250 ms doubling to 8 s, of which the upper half is spread by the number of the call: callers
 * that were refused together must not come back together, and a run must stay repeatable.
 */
function delayBefore(tries: number, seed: number): number {
  const fullMs = Math.min(8_000, 250 * 2 ** (tries - 1));
  const spread = ((seed * 2654435761 + tries * 40503) % 1_000) / 1_000;
  return Math.round(fullMs / 2 + (fullMs / 2) * spread);
}

type Bucket = 'look' | 'change' | 'terminate' | 'tag' | 'queue' | 'other';

/** EC2 meters kinds of actions apart, so that looking around never delays a launch. */
const rates: Readonly<Record<Bucket, Rate>> = {
  look: { perSecond: 20, burst: 100 },
  change: { perSecond: 5, burst: 50 },
  terminate: { perSecond: 5, burst: 100 },
  tag: { perSecond: 10, burst: 100 },
  // SQS does not meter standard queues; a storm of interruptions must not wait for us.
  queue: { perSecond: 1_000, burst: 1_000 },
  other: { perSecond: 20, burst: 100 },
};

function bucketOf(spec: CallSpec): Bucket {
  if (spec.service === 'sqs') return 'queue';
  if (spec.service !== 'ec2') return 'other';
  if (spec.action.startsWith('Describe')) return 'look';
  if (spec.action === 'TerminateInstances') return 'terminate';
  return spec.action === 'CreateTags' ? 'tag' : 'change';
}

function createMeters(metrics: Metrics): {
  record(spec: CallSpec, outcome: string, elapsedMs: number): void;
} {
  const total: Counter = metrics.counter({
    name: 'aws_sdk_go_request_attempt_total',
    help: 'Requests sent to AWS, by service, action and outcome.',
    labels: ['service', 'action', 'status_code'],
  });
  const duration: Histogram = metrics.histogram({
    name: 'aws_sdk_go_request_attempt_duration_seconds',
    help: 'Time from sending a request to AWS until its answer.',
    labels: ['service', 'action'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  });
  return {
    record(spec, outcome, elapsedMs) {
      const { service, action } = spec;
      total.add(1, { service, action, status_code: outcome });
      duration.observe(elapsedMs / 1_000, { service, action });
    },
  };
}
