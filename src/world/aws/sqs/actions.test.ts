import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, test } from 'vitest';
import { type EmbeddedAws, embeddedAws, refusalOf } from '../../../../test/aws-cli/embedded-aws.ts';
import { readBody } from '../../../ports/http.ts';

let aws: EmbeddedAws;
let QueueUrl: string;

beforeEach(async () => {
  aws = embeddedAws();
  QueueUrl = (await aws.sqs.send(new GetQueueUrlCommand({ QueueName: 'demo' }))).QueueUrl ?? '';
});

async function receive(more: object = {}): Promise<readonly string[]> {
  const answer = await aws.sqs.send(
    new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, ...more }),
  );
  return (answer.Messages ?? []).map((message) => message.Body ?? '');
}

describe('the interruption queue', () => {
  test('has the name of the cluster and is reached where the endpoint is', () => {
    expect(QueueUrl).toBe('http://aws.internal/123456789012/demo');
  });

  test('hides a message while it is worked on and shows it again afterwards', async () => {
    await aws.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'one' }));
    expect(await receive({ VisibilityTimeout: 20 })).toEqual(['one']);
    expect(await receive()).toEqual([]);
    await aws.clock.runFor(20_000);
    expect(await receive()).toEqual(['one']);
  });

  test('waits for a message that comes later', async () => {
    const bodies: (readonly string[])[] = [];
    const waiting = receive({ WaitTimeSeconds: 20 }).then((found) => bodies.push(found));
    aws.clock.schedule(7_000, () => {
      void aws.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'late' }));
    });
    await aws.clock.runFor(6_000);
    expect(bodies).toEqual([]);
    await aws.clock.runFor(1_000);
    await waiting;
    expect(bodies).toEqual([['late']]);
  });

  test('a wait without messages ends empty when its time is over, and wakes for hidden ones', async () => {
    const empty = receive({ WaitTimeSeconds: 20 });
    await aws.clock.runFor(20_000);
    expect(await empty).toEqual([]);
    await aws.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'one' }));
    await receive({ VisibilityTimeout: 5 });
    const again = receive({ WaitTimeSeconds: 20 });
    await aws.clock.runFor(5_000);
    expect(await again).toEqual(['one']);
  });

  test('a caller who gives up leaves no waiter and no timer behind', async () => {
    const giveUp = new AbortController();
    const before = aws.clock.pendingTimers();
    const command = new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 });
    const waiting = aws.sqs
      .send(command, { abortSignal: giveUp.signal })
      .catch((error) => error.name);
    await aws.clock.runFor(1_000);
    giveUp.abort();
    expect(await waiting).not.toBeUndefined();
    expect(aws.clock.pendingTimers()).toBe(before);
    await aws.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'one' }));
    expect(await receive()).toEqual(['one']);
  });

  test('forgets what was deleted, singly or in a batch, and what grew old', async () => {
    const Entries = ['a', 'b', 'c'].map((Id) => ({ Id, MessageBody: Id }));
    await aws.sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    const { Messages = [] } = await aws.sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 1 }),
    );
    const handles = Messages.map((message) => message.ReceiptHandle ?? '');
    await aws.sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: handles[0] }));
    const batch = await aws.sqs.send(
      new DeleteMessageBatchCommand({
        QueueUrl,
        Entries: [{ Id: 'x', ReceiptHandle: handles[1] }],
      }),
    );
    expect(batch.Successful).toEqual([{ Id: 'x' }]);
    await aws.clock.runFor(2_000);
    expect(await receive({ VisibilityTimeout: 0 })).toEqual(['c']);
    await aws.clock.runFor(300_000);
    expect(await receive()).toEqual([]);
  });

  test('a handle of an earlier receipt deletes nothing', async () => {
    await aws.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'one' }));
    const first = await aws.sqs.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 1 }));
    await aws.clock.runFor(1_000);
    await receive({ VisibilityTimeout: 1 });
    await aws.sqs.send(
      new DeleteMessageCommand({ QueueUrl, ReceiptHandle: first.Messages?.[0]?.ReceiptHandle }),
    );
    await aws.clock.runFor(1_000);
    expect(await receive()).toEqual(['one']);
  });

  test('passes attributes on to those who ask for them', async () => {
    await aws.sqs.send(
      new SendMessageCommand({
        QueueUrl,
        MessageBody: 'one',
        MessageAttributes: { colour: { DataType: 'String', StringValue: 'red' } },
      }),
    );
    const { Messages } = await aws.sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MessageSystemAttributeNames: ['SentTimestamp'],
        MessageAttributeNames: ['All'],
      }),
    );
    expect(Messages?.[0]).toMatchObject({
      Attributes: { SentTimestamp: String(aws.clock.nowMs()) },
      MessageAttributes: { colour: { StringValue: 'red' } },
    });
  });

  test('tells its attributes and can be emptied', async () => {
    await aws.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'one' }));
    await aws.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'two', DelaySeconds: 60 }));
    const { Attributes } = await aws.sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
    );
    expect(Attributes).toMatchObject({
      QueueArn: 'arn:aws:sqs:us-east-1:123456789012:demo',
      ApproximateNumberOfMessages: '1',
      ApproximateNumberOfMessagesDelayed: '1',
      MessageRetentionPeriod: '300',
    });
    await aws.sqs.send(new PurgeQueueCommand({ QueueUrl }));
    expect(await receive()).toEqual([]);
  });
});

describe('queues', () => {
  test('can be made, once with one set of attributes', async () => {
    const create = (VisibilityTimeout: string): Promise<string> =>
      refusalOf(
        aws.sqs.send(
          new CreateQueueCommand({ QueueName: 'other', Attributes: { VisibilityTimeout } }),
        ),
      );
    expect(await create('7')).toBe('no refusal');
    expect(await create('7')).toBe('no refusal');
    expect(await create('8')).toBe('QueueNameExists');
    const { QueueUrls } = await aws.sqs.send(new ListQueuesCommand({}));
    expect(QueueUrls).toHaveLength(2);
  });

  test('that do not exist are refused', async () => {
    const call = aws.sqs.send(new GetQueueUrlCommand({ QueueName: 'none' }));
    expect(await refusalOf(call)).toBe('QueueDoesNotExist');
  });

  test('visibility can be given back early', async () => {
    await aws.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'one' }));
    const { Messages } = await aws.sqs.send(new ReceiveMessageCommand({ QueueUrl }));
    const ReceiptHandle = Messages?.[0]?.ReceiptHandle;
    await aws.sqs.send(
      new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }),
    );
    expect(await receive()).toEqual(['one']);
  });
});

describe('the older query protocol', () => {
  async function query(parameters: Readonly<Record<string, string>>): Promise<string> {
    const response = await aws.endpoint.handle({
      method: 'POST',
      path: '/',
      headers: {
        host: 'aws.internal',
        'content-type': 'application/x-www-form-urlencoded',
        authorization: 'AWS4-HMAC-SHA256 Credential=A/20261116/us-east-1/sqs/aws4_request',
      },
      body: new URLSearchParams({ Version: '2012-11-05', ...parameters }).toString(),
    });
    return readBody(response);
  }

  test('sends, receives and deletes', async () => {
    expect(await query({ Action: 'GetQueueUrl', QueueName: 'demo' })).toContain(
      '<GetQueueUrlResult><QueueUrl>http://aws.internal/123456789012/demo</QueueUrl></GetQueueUrlResult>',
    );
    await query({
      Action: 'SendMessageBatch',
      QueueUrl,
      'SendMessageBatchRequestEntry.1.Id': 'a',
      'SendMessageBatchRequestEntry.1.MessageBody': '<one>',
    });
    const received = await query({
      Action: 'ReceiveMessage',
      QueueUrl,
      'AttributeName.1': 'SentTimestamp',
      VisibilityTimeout: '30',
    });
    expect(received).toContain('<Body>&lt;one&gt;</Body>');
    expect(received).toContain(
      `<Attribute><Name>SentTimestamp</Name><Value>${aws.clock.nowMs()}</Value></Attribute>`,
    );
    const handle = /<ReceiptHandle>(.*)<\/ReceiptHandle>/.exec(received)?.[1] ?? '';
    const deleted = await query({
      Action: 'DeleteMessageBatch',
      QueueUrl,
      'DeleteMessageBatchRequestEntry.1.Id': 'a',
      'DeleteMessageBatchRequestEntry.1.ReceiptHandle': handle,
    });
    expect(deleted).toContain(
      '<DeleteMessageBatchResultEntry><Id>a</Id></DeleteMessageBatchResultEntry>',
    );
    await aws.clock.runFor(60_000);
    expect(await receive()).toEqual([]);
  });

  test('has its own name for a queue that does not exist', async () => {
    expect(await query({ Action: 'GetQueueUrl', QueueName: 'none' })).toContain(
      '<Code>AWS.SimpleQueueService.NonExistentQueue</Code>',
    );
  });
});
