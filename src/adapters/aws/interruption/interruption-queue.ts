import {
  DeleteMessageCommand,
  GetQueueUrlCommand,
  type Message,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import type { InterruptionMessage, InterruptionQueue } from '../../../ports/cloud-provider.ts';
import { isNotFound } from '../calls/errors.ts';
import { Remembered } from '../calls/expiring-map.ts';
import { type AwsContext, hourMs } from '../context.ts';
import type { Instances } from '../instances/instances.ts';
import type { UnavailableOfferings } from '../types/unavailable-offerings.ts';
import { parseInterruption } from './interruption-message.ts';

/** SQS holds the answer open this long for a first message; the longest that it allows. */
const waitSeconds = 20;

/** The SQS queue that EventBridge fills. A spot machine that is taken back marks its offering. */
export function createInterruptionQueue(
  context: AwsContext,
  parts: {
    readonly queueName: string;
    readonly instances: Instances;
    readonly unavailable: UnavailableOfferings;
  },
): InterruptionQueue {
  const { queueName, instances, unavailable } = parts;
  const url = new Remembered<string>(context.clock, hourMs);

  async function receive(signal: AbortSignal): Promise<readonly InterruptionMessage[]> {
    const command = new ReceiveMessageCommand({
      QueueUrl: await url.get(queueName, () => findQueue(context, queueName)),
      MaxNumberOfMessages: 10,
      VisibilityTimeout: 20,
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ['SentTimestamp'],
      MessageAttributeNames: ['All'],
    });
    try {
      const answer = await context.caller.call(
        {
          service: 'sqs',
          action: 'ReceiveMessage',
          priority: 'create',
          doing: `receiving from queue ${queueName}`,
          signal,
          otherwise: 'QueueFailed',
        },
        (abortSignal) => context.clients.sqs.send(command, { abortSignal }),
      );
      return (answer.Messages ?? []).map(read);
    } catch (error) {
      // A queue that was made anew has another address.
      if (isNotFound(error)) url.forget(queueName);
      throw error;
    }
  }

  function read(message: Message): InterruptionMessage {
    const parsed = parseInterruption(message.Body);
    if (parsed.kind === 'spot-interruption') for (const id of parsed.instanceIds) markScarce(id);
    return { receipt: message.ReceiptHandle ?? '', ...parsed };
  }

  function markScarce(instanceId: string): void {
    const record = instances.recall(instanceId);
    if (record !== undefined) unavailable.mark({ ...record, capacityType: 'spot' });
  }

  async function acknowledge(message: InterruptionMessage): Promise<void> {
    const command = new DeleteMessageCommand({
      QueueUrl: await url.get(queueName, () => findQueue(context, queueName)),
      ReceiptHandle: message.receipt,
    });
    await context.caller.call(
      {
        service: 'sqs',
        action: 'DeleteMessage',
        priority: 'create',
        doing: `deleting a message from queue ${queueName}`,
        otherwise: 'QueueFailed',
      },
      (abortSignal) => context.clients.sqs.send(command, { abortSignal }),
    );
  }

  return { receive, acknowledge };
}

async function findQueue(context: AwsContext, QueueName: string): Promise<string> {
  const answer = await context.caller.call(
    {
      service: 'sqs',
      action: 'GetQueueUrl',
      priority: 'create',
      doing: `finding queue ${QueueName}`,
      otherwise: 'QueueNotFound',
    },
    (abortSignal) =>
      context.clients.sqs.send(new GetQueueUrlCommand({ QueueName }), { abortSignal }),
  );
  return answer.QueueUrl ?? '';
}
