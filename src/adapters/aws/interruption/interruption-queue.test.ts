import { CreateQueueCommand, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { clusterName, embeddedAws } from '../../../../test/aws-cli/embedded-aws.ts';
import type { InterruptionMessage } from '../../../ports/cloud-provider.ts';
import type { HttpHandler } from '../../../ports/http.ts';
import type { Log } from '../../../ports/log.ts';
import { createAwsClients } from '../calls/clients.ts';
import { createAwsCloud } from '../provider.ts';

const silent: Log = { debug: () => {}, info: () => {}, error: () => {}, with: () => silent };
const signal = new AbortController().signal;

/** A queue that holds so many events, and a count of the calls that are made to it. */
async function aFullQueue(messages: number) {
  const aws = embeddedAws({ region: 'ap-east-1' });
  const { QueueUrl = '' } = await aws.sqs.send(new CreateQueueCommand({ QueueName: clusterName }));
  for (let start = 0; start < messages; start += 10) {
    const Entries = Array.from({ length: 10 }, (_, index) => ({
      Id: String(index),
      MessageBody: JSON.stringify({
        version: '0',
        source: 'aws.ec2',
        'detail-type': 'EC2 Spot Instance Interruption Warning',
        time: '2026-11-16T09:00:00Z',
        detail: { 'instance-id': `i-${start + index}` },
      }),
    }));
    await aws.sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  }
  const calls: string[] = [];
  const send: HttpHandler = (request) => {
    calls.push(request.headers['x-amz-target']?.split('.')[1] ?? '');
    return aws.endpoint.handle(request);
  };
  const { interruptions } = createAwsCloud({
    clients: createAwsClients({ region: 'ap-east-1', send }),
    clock: aws.clock,
    log: silent,
    settings: { clusterName, region: 'ap-east-1', interruptionQueue: clusterName },
  });
  if (interruptions === undefined) throw new Error('a queue was named, and there is none');
  return { interruptions, calls, clock: aws.clock };
}

async function takeAll(queue: Awaited<ReturnType<typeof aFullQueue>>): Promise<Set<string>> {
  const seen = new Set<string>();
  for (;;) {
    let messages: readonly InterruptionMessage[] = [];
    let isDone = false;
    const work = queue.interruptions.receive(signal).then((received) => {
      messages = received;
      isDone = true;
    });
    await queue.clock.runUntil(() => isDone, 60_000);
    await work;
    if (messages.length === 0) return seen;
    for (const { instanceIds } of messages) seen.add(instanceIds[0] ?? '');
    await queue.interruptions.acknowledge(...messages);
  }
}

test('a thousand messages take no more than two hundred calls, and no waiting between them', async () => {
  const queue = await aFullQueue(1_000);
  const startedMs = queue.clock.nowMs();
  expect((await takeAll(queue)).size).toBe(1_000);
  const emptyMs = 20_000;
  expect(queue.clock.nowMs() - startedMs).toBeLessThanOrEqual(emptyMs + 200);
  expect(queue.calls.filter((call) => call === 'DeleteMessageBatch')).toHaveLength(100);
  expect(queue.calls.filter((call) => call === 'ReceiveMessage').length).toBeLessThan(110);
});

test('a message tells when it happened', async () => {
  const { interruptions, clock } = await aFullQueue(10);
  let happened: readonly (number | undefined)[] = [];
  const work = interruptions.receive(signal).then((messages) => {
    happened = messages.map(({ happenedAtMs }) => happenedAtMs);
  });
  await clock.runUntil(() => happened.length > 0, 60_000);
  await work;
  expect(new Set(happened)).toEqual(new Set([Date.UTC(2026, 10, 16, 9)]));
});
