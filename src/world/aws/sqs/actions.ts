import { AwsError } from '../wire/aws-error.ts';
import type { JsonAction } from '../wire/protocol.ts';
import type { ServiceCall } from '../wire/service-call.ts';
import {
  integerOf,
  invalidValue,
  type JsonInput,
  objectOf,
  objectsOf,
  requiredTextOf,
  textOf,
  textsOf,
} from './json-input.ts';
import type { Message, MessageAttributes, Queue, QueueSettings, Received } from './queue.ts';
import type { Queues } from './queues.ts';

/** SQS in its JSON protocol; the older query protocol is laid over it in `query-actions.ts`. */
export function sqsActions(queues: () => Queues): Readonly<Record<string, JsonAction>> {
  const queueOf = (input: JsonInput): Queue => queues().required(requiredTextOf(input, 'QueueUrl'));
  return {
    CreateQueue: (input, call) => createQueue(queues(), input, call),
    GetQueueUrl: (input, call) => ({
      QueueUrl: urlOf(queues(), queues().required(requiredTextOf(input, 'QueueName')), call),
    }),
    ListQueues: (input, call) => {
      const prefix = textOf(input, 'QueueNamePrefix') ?? '';
      const found = queues()
        .all()
        .filter((queue) => queue.name.startsWith(prefix));
      return { QueueUrls: found.map((queue) => urlOf(queues(), queue, call)) };
    },
    GetQueueAttributes: (input) => queueAttributes(queues(), queueOf(input), input),
    PurgeQueue: (input) => {
      queueOf(input).purge();
      return {};
    },
    SendMessage: (input) => sendMessage(queueOf(input), input),
    SendMessageBatch: (input) => ({
      Successful: batchEntries(input).map((entry) => ({
        Id: textOf(entry, 'Id'),
        ...sendMessage(queueOf(input), entry),
      })),
      Failed: [],
    }),
    ReceiveMessage: (input, call) => receiveMessage(queueOf(input), input, call),
    DeleteMessage: (input) => {
      queueOf(input).delete(requiredTextOf(input, 'ReceiptHandle'));
      return {};
    },
    DeleteMessageBatch: (input) => {
      const entries = batchEntries(input);
      for (const entry of entries) queueOf(input).delete(requiredTextOf(entry, 'ReceiptHandle'));
      return { Successful: entries.map((entry) => ({ Id: textOf(entry, 'Id') })), Failed: [] };
    },
    ChangeMessageVisibility: (input) => {
      const seconds = integerOf(input, 'VisibilityTimeout', { low: 0, high: 43_200 }) ?? 0;
      queueOf(input).changeVisibility(requiredTextOf(input, 'ReceiptHandle'), seconds * 1000);
      return {};
    },
  };
}

function urlOf(queues: Queues, queue: Queue, call: ServiceCall): string {
  return `http://${call.host}/${queues.accountId}/${queue.name}`;
}

function createQueue(queues: Queues, input: JsonInput, call: ServiceCall): object {
  const name = requiredTextOf(input, 'QueueName');
  if (!/^[\w-]{1,80}$/.test(name)) {
    throw invalidValue(
      'Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length',
    );
  }
  const wished = readSettings(objectOf(input, 'Attributes'));
  const known = queues.find(name);
  if (known !== undefined && hasOtherSettings(known, wished)) {
    throw new AwsError(
      'com.amazonaws.sqs#QueueNameExists',
      'A queue already exists with the same name and a different value for an attribute.',
      { details: { queryCode: 'QueueAlreadyExists' } },
    );
  }
  return { QueueUrl: urlOf(queues, queues.ensure(name, wished), call) };
}

function readSettings(attributes: JsonInput): Partial<QueueSettings> {
  const milliseconds = (name: string, high: number): number | undefined => {
    const seconds = integerOf(attributes, name, { low: 0, high });
    return seconds === undefined ? undefined : seconds * 1000;
  };
  const visibilityTimeoutMs = milliseconds('VisibilityTimeout', 43_200);
  const retentionMs = milliseconds('MessageRetentionPeriod', 1_209_600);
  const waitMs = milliseconds('ReceiveMessageWaitTimeSeconds', 20);
  return {
    ...(visibilityTimeoutMs === undefined ? {} : { visibilityTimeoutMs }),
    ...(retentionMs === undefined ? {} : { retentionMs }),
    ...(waitMs === undefined ? {} : { waitMs }),
  };
}

function hasOtherSettings(queue: Queue, wished: Partial<QueueSettings>): boolean {
  return (['visibilityTimeoutMs', 'retentionMs', 'waitMs'] as const).some(
    (name) => wished[name] !== undefined && wished[name] !== queue.settings[name],
  );
}

function queueAttributes(queues: Queues, queue: Queue, input: JsonInput): object {
  const counts = queue.counts();
  const seconds = (ms: number): string => String(Math.round(ms / 1000));
  const all: Readonly<Record<string, string>> = {
    QueueArn: `arn:aws:sqs:${queues.region}:${queues.accountId}:${queue.name}`,
    ApproximateNumberOfMessages: String(counts.visible),
    ApproximateNumberOfMessagesNotVisible: String(counts.hidden),
    ApproximateNumberOfMessagesDelayed: String(counts.delayed),
    CreatedTimestamp: seconds(queue.createdAtMs),
    LastModifiedTimestamp: seconds(queue.createdAtMs),
    VisibilityTimeout: seconds(queue.settings.visibilityTimeoutMs),
    MaximumMessageSize: '262144',
    MessageRetentionPeriod: seconds(queue.settings.retentionMs),
    DelaySeconds: '0',
    ReceiveMessageWaitTimeSeconds: seconds(queue.settings.waitMs),
    SqsManagedSseEnabled: 'true',
  };
  return { Attributes: chosenAttributes(all, textsOf(input, 'AttributeNames')) };
}

function chosenAttributes(
  all: Readonly<Record<string, string>>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  if (names.includes('All')) return all;
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
}

function batchEntries(input: JsonInput): readonly JsonInput[] {
  const entries = objectsOf(input, 'Entries');
  if (entries.length === 0 || entries.length > 10) {
    const name = entries.length === 0 ? 'EmptyBatchRequest' : 'TooManyEntriesInBatchRequest';
    throw new AwsError(`com.amazonaws.sqs#${name}`, 'A batch holds one to ten entries.', {
      details: { queryCode: `AWS.SimpleQueueService.${name}` },
    });
  }
  return entries;
}

function sendMessage(queue: Queue, input: JsonInput): object {
  const delay = integerOf(input, 'DelaySeconds', { low: 0, high: 900 }) ?? 0;
  const message: Message = queue.send(requiredTextOf(input, 'MessageBody'), {
    attributes: objectOf(input, 'MessageAttributes') as MessageAttributes,
    delayMs: delay * 1000,
  });
  return { MessageId: message.id, MD5OfMessageBody: message.bodyMd5 };
}

async function receiveMessage(queue: Queue, input: JsonInput, call: ServiceCall): Promise<object> {
  const visibility = integerOf(input, 'VisibilityTimeout', { low: 0, high: 43_200 });
  const wait = integerOf(input, 'WaitTimeSeconds', { low: 0, high: 20 });
  const messages = await queue.receive({
    max: integerOf(input, 'MaxNumberOfMessages', { low: 1, high: 10 }) ?? 1,
    visibilityTimeoutMs:
      visibility === undefined ? queue.settings.visibilityTimeoutMs : visibility * 1000,
    waitMs: wait === undefined ? queue.settings.waitMs : wait * 1000,
    signal: call.signal,
  });
  if (messages.length === 0) return {};
  const system = [
    ...textsOf(input, 'AttributeNames'),
    ...textsOf(input, 'MessageSystemAttributeNames'),
  ];
  const wished = textsOf(input, 'MessageAttributeNames');
  return { Messages: messages.map((message) => messageJson(message, system, wished)) };
}

function messageJson(
  message: Received,
  systemNames: readonly string[],
  attributeNames: readonly string[],
): object {
  const system = chosenAttributes(
    {
      SenderId: 'events.amazonaws.com',
      SentTimestamp: String(message.sentAtMs),
      ApproximateReceiveCount: String(message.receiveCount),
      ApproximateFirstReceiveTimestamp: String(message.firstReceivedAtMs),
    },
    systemNames,
  );
  const isAll = attributeNames.some((name) => name === 'All' || name === '.*');
  const attributes = Object.entries(message.attributes).filter(
    ([name]) => isAll || attributeNames.includes(name),
  );
  return {
    MessageId: message.id,
    ReceiptHandle: message.receiptHandle,
    MD5OfBody: message.bodyMd5,
    Body: message.body,
    ...(Object.keys(system).length === 0 ? {} : { Attributes: system }),
    ...(attributes.length === 0 ? {} : { MessageAttributes: Object.fromEntries(attributes) }),
  };
}
