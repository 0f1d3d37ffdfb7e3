import { byName } from '../../../core/text-order.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Random } from '../../../ports/random.ts';
import { AwsError } from '../wire/aws-error.ts';
import { Queue, type QueueSettings } from './queue.ts';

const usualSettings: QueueSettings = {
  visibilityTimeoutMs: 30_000,
  retentionMs: 345_600_000,
  waitMs: 0,
};

/** The queues of the account. */
export class Queues {
  readonly accountId: string;
  readonly region: string;
  readonly #sources: { readonly clock: Clock; readonly random: Random };
  readonly #queues = new Map<string, Queue>();

  constructor(options: {
    readonly accountId: string;
    readonly region: string;
    readonly clock: Clock;
    readonly random: Random;
  }) {
    this.accountId = options.accountId;
    this.region = options.region;
    this.#sources = { clock: options.clock, random: options.random };
  }

  /** The queue of that name; made if there is none, with the given settings over the usual ones. */
  ensure(name: string, settings: Partial<QueueSettings> = {}): Queue {
    const known = this.#queues.get(name);
    if (known !== undefined) return known;
    const queue = new Queue(name, { ...usualSettings, ...settings }, this.#sources);
    this.#queues.set(name, queue);
    return queue;
  }

  /** The queue that a URL or a name means, or SQS's refusal. */
  required(urlOrName: string): Queue {
    const queue = this.#queues.get(urlOrName.split('/').at(-1) ?? '');
    if (queue === undefined) {
      throw new AwsError(
        'com.amazonaws.sqs#QueueDoesNotExist',
        'The specified queue does not exist.',
        { details: { queryCode: 'AWS.SimpleQueueService.NonExistentQueue' } },
      );
    }
    return queue;
  }

  find(name: string): Queue | undefined {
    return this.#queues.get(name);
  }

  /** By name. */
  all(): readonly Queue[] {
    return [...this.#queues.values()].sort(byName);
  }
}
