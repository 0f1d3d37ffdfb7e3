import { DescribeInstancesCommand } from '@aws-sdk/client-ec2';
import { GetInstanceProfileCommand } from '@aws-sdk/client-iam';
import { GetProductsCommand } from '@aws-sdk/client-pricing';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { GetParameterCommand } from '@aws-sdk/client-ssm';
import { expect, test } from 'vitest';
import type { HttpRequest, HttpResponse } from '../../../ports/http.ts';
import { createAwsClients } from './clients.ts';

const answers: Readonly<Record<string, HttpResponse>> = {
  ec2: xml('<DescribeInstancesResponse><reservationSet/></DescribeInstancesResponse>'),
  iam: xml(
    '<GetInstanceProfileResponse><GetInstanceProfileResult><InstanceProfile><Path>/</Path>' +
      '<InstanceProfileName>p</InstanceProfileName><Roles/></InstanceProfile>' +
      '</GetInstanceProfileResult></GetInstanceProfileResponse>',
  ),
  sqs: json({ Messages: [] }),
  ssm: json({ Parameter: { Name: '/a', Value: 'ami-1' } }),
  pricing: json({ PriceList: [] }),
};

function xml(body: string): HttpResponse {
  return { status: 200, headers: { 'content-type': 'text/xml' }, body };
}

function json(body: object): HttpResponse {
  return {
    status: 200,
    headers: { 'content-type': 'application/x-amz-json-1.1' },
    body: JSON.stringify(body),
  };
}

function serviceOf(request: HttpRequest): string {
  return /Credential=[^/]+\/\d+\/[^/]+\/([^/]+)\//.exec(
    request.headers.authorization ?? '',
  )?.[1] as string;
}

/** Lets promise callbacks run, and nothing else: no timer, no file, no turn of the event loop. */
async function microtasksOnly(steps: number): Promise<void> {
  for (let i = 0; i < steps; i++) await Promise.resolve();
}

test('in process a call ends in promise callbacks alone, so that it runs on a virtual clock', async () => {
  const seen: HttpRequest[] = [];
  const clients = createAwsClients({
    region: 'eu-west-1',
    send: async (request) => {
      seen.push(request);
      return answers[serviceOf(request)] ?? { status: 404, headers: {}, body: '' };
    },
  });
  const done: string[] = [];
  const calls = [
    clients.ec2.send(new DescribeInstancesCommand({})).then(() => done.push('ec2')),
    clients.iam
      .send(new GetInstanceProfileCommand({ InstanceProfileName: 'p' }))
      .then(() => done.push('iam')),
    clients.sqs
      .send(new ReceiveMessageCommand({ QueueUrl: 'http://aws.internal/1/q' }))
      .then(() => done.push('sqs')),
    clients.ssm.send(new GetParameterCommand({ Name: '/a' })).then(() => done.push('ssm')),
    clients.pricing
      .send(new GetProductsCommand({ ServiceCode: 'AmazonEC2' }))
      .then(() => done.push('pricing')),
  ];
  await microtasksOnly(3_000);
  expect(done.sort()).toEqual(['ec2', 'iam', 'pricing', 'sqs', 'ssm']);
  await Promise.all(calls);
  expect(seen.map((request) => request.headers['amz-sdk-invocation-id'])).toEqual(
    seen.map(() => undefined),
  );
});

test('a refused call is sent once, since retries belong to the caller', async () => {
  let sent = 0;
  const clients = createAwsClients({
    send: async () => {
      sent++;
      return {
        status: 503,
        headers: { 'content-type': 'text/xml' },
        body: '<Response><Errors><Error><Code>RequestLimitExceeded</Code><Message>slow</Message></Error></Errors><RequestID>1</RequestID></Response>',
      };
    },
  });
  await expect(clients.ec2.send(new DescribeInstancesCommand({}))).rejects.toMatchObject({
    name: 'RequestLimitExceeded',
    $metadata: { httpStatusCode: 503 },
  });
  expect(sent).toBe(1);
});

test('the warning of the SDK about Node versions is switched off by its documented variable', () => {
  createAwsClients({ send: async () => ({ status: 200, headers: {}, body: '' }) });
  expect(process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED).toBe('true');
});
