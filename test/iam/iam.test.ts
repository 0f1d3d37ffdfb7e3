import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HttpRequest } from '../../src/ports/http.ts';
import { clusterName, createTestWorld, type TestWorld } from '../world/harness.ts';
import { type Access, allowedBy, shippedStatements } from './policy.ts';

const names = {
  CLUSTER_NAME: clusterName,
  AWS_REGION: 'us-east-1',
  AWS_ACCOUNT_ID: '123456789012',
  AWS_PARTITION: 'aws',
};
const statements = shippedStatements(names);

/** Where the action is not called like the API. STS tells everybody who they are, without permission. */
const otherNames: Readonly<Record<string, string | undefined>> = {
  'sqs:DeleteMessageBatch': 'sqs:DeleteMessage',
  'sts:GetCallerIdentity': undefined,
};

/** All calls that the adapter can make: the SDK commands that it imports, and those it signs itself. */
function importedActions(): readonly string[] {
  const folder = new URL('../../src/adapters/aws/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const actions = new Set<string>();
  for (const file of files) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
    const text = readFileSync(new URL(file, folder), 'utf8');
    for (const [, list = '', client = ''] of text.matchAll(
      /import\s*\{([^}]*)\}\s*from\s*'@aws-sdk\/client-([\w-]+)'/g,
    ))
      for (const [, command = ''] of list.matchAll(/\b(\w+)Command\b/g))
        actions.add(`${client}:${command}`);
    for (const [, service = '', action = ''] of text.matchAll(
      /service: '([\w-]+)',\s*action: '(\w+)'/g,
    ))
      actions.add(`${service}:${action}`);
  }
  return [...actions].sort();
}

function iamAction(call: string): string | undefined {
  return call in otherNames ? otherNames[call] : call;
}

test('every API that the code can call is allowed by the shipped policies', () => {
  const actions = importedActions();
  expect(actions.length).toBeGreaterThan(20);
  const allowed = new Set(statements.flatMap(({ Action }) => Action));
  const denied = actions.filter((call) => {
    const action = iamAction(call);
    return action !== undefined && !allowed.has(action);
  });
  expect(denied).toEqual([]);
});

test('every API that the code can call is in the table of the documentation, and no other', () => {
  const page = readFileSync(new URL('../../docs/aws-api-calls.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| (\w[\w-]*:\w+) \|/gm)].map(([, call = '']) => call);
  expect(listed.sort()).toEqual(importedActions());
});

test('the policies grant nothing that the code does not use', () => {
  const used = new Set(importedActions().map(iamAction));
  // What EC2 and IAM ask on the way: to hand the node role on, and to tag what is created.
  const beside = ['iam:PassRole', 'iam:TagInstanceProfile'];
  const unused = statements
    .flatMap(({ Action }) => Action)
    .filter((action) => !used.has(action) && !beside.includes(action));
  expect([...new Set(unused)]).toEqual([]);
});

describe('in a story of the whole system', () => {
  let world: TestWorld;
  const calls = new Map<string, HttpRequest>();

  beforeAll(async () => {
    world = await createTestWorld({ isBare: true });
    world.meddleAws = (request, handle) => {
      calls.set(`${callOf(request)} ${calls.size}`, request);
      return handle(request);
    };
    await world.applyStoryPools();
    world.startKarpenter();
    await world.applyDeployment('web', 5);
    await world.untilRunning(5);
    const [instanceId = ''] = await world.cloud.instances();
    world.aws.market.interrupt(instanceId);
    await world.runFor(60_000);
    await world.deleteDeployment('web');
    await world.untilNothingIsLeft();
    await world.runFor(60_000);
  });

  afterAll(() => world.close());

  test('every call is one that the policies allow, with the tags that it carries', () => {
    const made = [...calls].map(([, request]) => request);
    expect(made.length).toBeGreaterThan(30);
    const denied = made.flatMap((request) =>
      accessesOf(request)
        .filter((access) => allowedBy(statements, access).length === 0)
        .map(({ action, resource, keys }) => ({ action, resource, keys })),
    );
    expect(denied).toEqual([]);
    const kinds = new Set(made.map(callOf));
    for (const call of ['ec2:CreateFleet', 'ec2:TerminateInstances', 'sqs:ReceiveMessage'])
      expect(kinds).toContain(call);
  });
});

/** `ec2:CreateFleet`, from what goes over the wire. */
function callOf(request: HttpRequest): string {
  const [, service = ''] =
    /Credential=[^/]+\/\d+\/[\w-]+\/([\w-]+)\//.exec(request.headers.authorization ?? '') ?? [];
  const target = request.headers['x-amz-target']?.split('.')[1];
  const action = /(?:^|&)Action=(\w+)/.exec(String(request.body ?? ''))?.[1];
  if (service === 'eks') return 'eks:DescribeCluster';
  return `${service}:${target ?? action ?? request.path}`;
}

const ownTags = {
  [`aws:ResourceTag/kubernetes.io/cluster/${clusterName}`]: 'owned',
  'aws:ResourceTag/karpenter.sh/nodepool': 'spot-pool',
  'aws:ResourceTag/karpenter.k8s.aws/ec2nodeclass': 'default',
  'aws:ResourceTag/topology.kubernetes.io/region': 'us-east-1',
};

const arn = (type: string): string => `arn:aws:ec2:us-east-1:123456789012:${type}/x`;
const creating = new Set(['ec2:CreateFleet', 'ec2:CreateLaunchTemplate', 'ec2:RunInstances']);

/** What IAM decides on for the request; one that creates several kinds of things asks for each of them. */
function accessesOf(request: HttpRequest): readonly Access[] {
  const call = callOf(request);
  const action = iamAction(call);
  if (action === undefined) return [];
  const body = new URLSearchParams(String(request.body ?? ''));
  const region = { 'aws:RequestedRegion': 'us-east-1' };
  if (creating.has(call))
    return createdTypes(body).flatMap(({ type, tags }) => {
      const keys = { ...region, ...tags, 'ec2:CreateAction': call.split(':')[1] ?? '' };
      const resource = arn(type);
      return [
        { action, resource, keys },
        { action: 'ec2:CreateTags', resource, keys },
      ];
    });
  const tags = tagKeys(body, /^Tags?\.(?:member\.)?\d+\.Key$/);
  const isCreation = call === 'iam:CreateInstanceProfile';
  return [{ action, keys: { ...region, ...tags, ...(isCreation ? {} : ownTags) } }];
}

function createdTypes(body: URLSearchParams) {
  const numbers = [...body.keys()].flatMap(
    (name) => /^TagSpecification\.(\d+)\.ResourceType$/.exec(name)?.[1] ?? [],
  );
  return numbers.map((number) => ({
    type: body.get(`TagSpecification.${number}.ResourceType`) ?? '',
    tags: tagKeys(body, new RegExp(`^TagSpecification\\.${number}\\.Tag\\.\\d+\\.Key$`)),
  }));
}

function tagKeys(body: URLSearchParams, isKey: RegExp): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {};
  const all: string[] = [];
  for (const [name, key] of body) {
    if (!isKey.test(name)) continue;
    all.push(key);
    found[`aws:RequestTag/${key}`] = body.get(name.replace(/Key$/, 'Value')) ?? '';
  }
  return all.length === 0 ? found : { ...found, 'aws:TagKeys': all };
}
