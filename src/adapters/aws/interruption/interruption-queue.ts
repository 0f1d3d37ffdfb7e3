import {
  DeleteMessageBatchCommand,
  GetQueueUrlCommand,
  type Message,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import {
  CloudError,
  type InterruptionMessage,
  type InterruptionQueue,
} from '../../../ports/cloud-provider.ts';
import { isNotFound } from '../calls/errors.ts';
import { Remembered } from '../calls/expiring-map.ts';
import { type AwsContext, hourMs } from '../context.ts';
import type { Instances } from '../instances/instances.ts';
import type { UnavailableOfferings } from '../types/unavailable-offerings.ts';
import { parseInterruption } from './interruption-message.ts';

/** SQS holds the answer open this long for a first message; the longest that it allows. */
const waitSeconds = 20;
/** The most that one call receives or deletes. */
const perCall = 10;
/** How many calls fetch at once when there is more than one of them can carry. */
const moreCalls = 9;

interface QueueParts {
  readonly queueName: string;
  readonly instances: Instances;
  readonly unavailable: UnavailableOfferings;
  /** A reservation that is taken back has nothing left. */
  readonly onReservationLost?: ((reservationId: string) => void) | undefined;
}

/** The SQS queue that EventBridge fills. A machine that is taken back marks where it came from as scarce. */
export function createInterruptionQueue(context: AwsContext, parts: QueueParts): InterruptionQueue {
  const { queueName, instances, unavailable } = parts;
  const url = new Remembered<string>(context.clock, hourMs);
  const queueUrl = (): Promise<string> => url.get(queueName, () => findQueue(context, queueName));

  /** One long call and, when it comes back full, several short ones at once. */
  async function receive(signal: AbortSignal): Promise<readonly InterruptionMessage[]> {
    try {
      const first = await receiveSome(context, { url: await queueUrl(), waitSeconds, signal });
      if (first.length < perCall) return first.map(read);
      const options = { url: await queueUrl(), waitSeconds: 0, signal };
      const more = await Promise.all(
        Array.from({ length: moreCalls }, () => receiveSome(context, options)),
      );
      return [first, ...more].flat().map(read);
    } catch (error) {
      // A queue that was made anew has another address.
      if (isNotFound(error)) url.forget(queueName);
      throw error;
    }
  }

  function read(message: Message): InterruptionMessage {
    const parsed = parseInterruption(message.Body);
    for (const id of parsed.instanceIds) {
      const record = instances.recall(id);
      if (parsed.kind === 'spot-interruption' && record !== undefined)
        unavailable.mark({ ...record, capacityType: 'spot' });
      if (parsed.kind === 'capacity-reservation-interruption' && record?.reservationId)
        parts.onReservationLost?.(record.reservationId);
    }
    return { receipt: message.ReceiptHandle ?? '', ...parsed };
  }

  async function acknowledge(...messages: readonly InterruptionMessage[]): Promise<void> {
    const chunks: InterruptionMessage[][] = [];
    for (let start = 0; start < messages.length; start += perCall)
      chunks.push(messages.slice(start, start + perCall));
    const options = { url: await queueUrl(), queueName };
    await Promise.all(chunks.map((chunk) => deleteSome(context, chunk, options)));
  }

  return { receive, acknowledge };
}

async function receiveSome(
  context: AwsContext,
  options: { readonly url: string; readonly waitSeconds: number; readonly signal: AbortSignal },
): Promise<readonly Message[]> {
  const command = new ReceiveMessageCommand({
    QueueUrl: options.url,
    MaxNumberOfMessages: perCall,
    VisibilityTimeout: 20,
    WaitTimeSeconds: options.waitSeconds,
    MessageSystemAttributeNames: ['SentTimestamp'],
    MessageAttributeNames: ['All'],
  });
  const answer = await context.caller.call(
    {
      service: 'sqs',
      action: 'ReceiveMessage',
      priority: 'create',
      doing: `receiving from queue ${options.url}`,
      signal: options.signal,
      otherwise: 'QueueFailed',
    },
    (abortSignal) => context.clients.sqs.send(command, { abortSignal }),
  );
  return answer.Messages ?? [];
}

async function deleteSome(
  context: AwsContext,
  messages: readonly InterruptionMessage[],
  options: { readonly url: string; readonly queueName: string },
): Promise<void> {
  const doing = `deleting messages from queue ${options.queueName}`;
  const command = new DeleteMessageBatchCommand({
    QueueUrl: options.url,
    Entries: messages.map(({ receipt }, index) => ({ Id: String(index), ReceiptHandle: receipt })),
  });
  const answer = await context.caller.call(
    {
      service: 'sqs',
      action: 'DeleteMessageBatch',
      priority: 'create',
      doing,
      otherwise: 'QueueFailed',
    },
    (abortSignal) => context.clients.sqs.send(command, { abortSignal }),
  );
  // What was not deleted comes again, and is harmless then; but somebody should know.
  const [failed] = answer.Failed ?? [];
  if (failed !== undefined)
    throw new CloudError('rejected', 'QueueFailed', `${doing}: ${failed.Code}: ${failed.Message}`);
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
