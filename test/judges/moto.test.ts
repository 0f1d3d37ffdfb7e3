import {
  DescribeFleetsCommand,
  DescribeInstancesCommand,
  DescribeLaunchTemplatesCommand,
} from '@aws-sdk/client-ec2';
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAwsCloud } from '../../src/adapters/aws/provider.ts';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import type { EC2NodeClass } from '../../src/api/karpenter/ec2-node-class.ts';
import { launchGroupAnnotation } from '../../src/api/karpenter/launch-group.ts';
import type { NodeClaim } from '../../src/api/karpenter/node-claim.ts';
import { labels } from '../../src/core/requirements/well-known.ts';
import type { CloudProvider, InterruptionQueue } from '../../src/ports/cloud-provider.ts';
import type { Log } from '../../src/ports/log.ts';
import { clusterName, type MotoAccount, prepareAccount, region } from './moto/moto-account.ts';
import { type MotoServer, startMoto } from './moto/moto-server.ts';

/*
 * The adapter's real calls, over a socket, against an AWS that we did not write. What moto 5.2 cannot
 * judge: client tokens (it keeps none, so that a repeat buys again), shortages and quotas, the price
 * list (there is no Pricing API in it), spot prices (it makes them up), capacity reservations and
 * placement groups. The whole contract of a cloud provider needs those, so that it runs against the
 * embedded endpoint alone; here are its cases that need none of them.
 */
let moto: MotoServer;
let account: MotoAccount;
let cloud: { provider: CloudProvider; queue: InterruptionQueue };
let nodeClass: EC2NodeClass;
const problems: unknown[] = [];
const log: Log = {
  debug: () => {},
  info: () => {},
  error: (message, fields) => problems.push([message, fields]),
  with: () => log,
};
const signal = new AbortController().signal;

beforeAll(async () => {
  moto = await startMoto();
  account = await prepareAccount(moto.endpoint);
  const { provider, interruptions } = createAwsCloud({
    clients: account.clients,
    clock: createSystemClock(),
    log,
    settings: { clusterName, region, interruptionQueue: clusterName, isIsolatedVpc: true },
  });
  if (interruptions === undefined) throw new Error('there is no queue');
  cloud = { provider, queue: interruptions };
});

afterAll(() => moto?.end());

test('an EC2NodeClass finds its subnets, groups and images, and gets an instance profile', async () => {
  const { status, conditions } = await cloud.provider.resolve(account.nodeClass);
  expect(conditions.filter((condition) => condition.status !== 'True')).toEqual([]);
  expect(status.subnets?.length).toBeGreaterThan(2);
  expect(status.securityGroups).toHaveLength(1);
  expect(status.amis).toHaveLength(1);
  expect(status.instanceProfile).toMatch(new RegExp(`^${clusterName}_\\d+$`));
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'Ready',
    message: '',
    lastTransitionTime,
  } as const;
  nodeClass = {
    ...account.nodeClass,
    status: { ...status, conditions: [{ ...ready, observedGeneration: 1 }] },
  };
});

test('hundreds of instance types are described, page by page', async () => {
  const types = await cloud.provider.instanceTypes(nodeClass);
  expect(types.length).toBeGreaterThan(300);
  const m5 = types.find(({ name }) => name === 'm5.large');
  expect(m5?.capacity).toMatchObject({ cpu: 2_000, pods: 29 });
});

function aClaim(name: string, group?: string): NodeClaim {
  return {
    metadata: {
      name,
      uid: `uid-${name}`,
      labels: { [labels.nodePool]: 'pool' },
      ...(group === undefined ? {} : { annotations: { [launchGroupAnnotation]: group } }),
    },
    spec: {
      requirements: [
        { key: labels.capacityType, operator: 'In', values: ['on-demand'] },
        { key: labels.instanceType, operator: 'In', values: ['m5.large', 'm5.xlarge'] },
      ],
      resources: { requests: { cpu: '1' } },
      nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    },
  };
}

describe('a machine', () => {
  let providerId: string;

  test('is launched from a template that moto has accepted', async () => {
    const launched = await cloud.provider.launch(aClaim('web-1'), nodeClass, signal);
    ({ providerId } = launched);
    expect(providerId).toMatch(/^aws:\/\/\/us-east-1[a-f]\/i-\w+$/);
    expect(launched.capacityType).toBe('on-demand');
    const { LaunchTemplates = [] } = await account.clients.ec2.send(
      new DescribeLaunchTemplatesCommand({}),
    );
    expect(LaunchTemplates.length).toBeGreaterThan(0);
  });

  test('carries the tags by which it is found', async () => {
    const { Reservations = [] } = await account.clients.ec2.send(
      new DescribeInstancesCommand({ InstanceIds: [providerId.split('/').at(-1) ?? ''] }),
    );
    const tags = Reservations[0]?.Instances?.[0]?.Tags ?? [];
    expect(Object.fromEntries(tags.map(({ Key, Value }) => [Key, Value]))).toMatchObject({
      'karpenter.sh/nodeclaim-uid': 'uid-web-1',
      'karpenter.sh/nodepool': 'pool',
      'eks:eks-cluster-name': clusterName,
      [`kubernetes.io/cluster/${clusterName}`]: 'owned',
    });
  });

  test('is not bought again for the same claim, whose tag it carries', async () => {
    const again = await cloud.provider.launch(aClaim('web-1'), nodeClass, signal);
    expect(again.providerId).toBe(providerId);
  });

  test('is listed, found and tagged', async () => {
    expect((await cloud.provider.list()).map((one) => one.providerId)).toContain(providerId);
    await cloud.provider.tag(providerId, { Name: 'ip-10-0-0-1' });
    const found = await cloud.provider.get(providerId);
    expect(found?.tags.Name).toBe('ip-10-0-0-1');
    expect(found?.claimUid).toBe('uid-web-1');
  });

  test('is ended', async () => {
    await cloud.provider.terminate(providerId, signal);
    for (let tries = 0; tries < 20; tries++)
      if ((await cloud.provider.terminate(providerId, signal)) === 'gone') break;
    expect(await cloud.provider.get(providerId)).toBeUndefined();
  });
});

test('three claims of a group have three machines, from one fleet', async () => {
  const claims = [0, 1, 2].map((index) => aClaim(`many-${index}`, `group-1/${index}/3`));
  const launched = await Promise.all(
    claims.map((claim) => cloud.provider.launch(claim, nodeClass, signal)),
  );
  expect(new Set(launched.map((one) => one.providerId)).size).toBe(3);
  const { Fleets = [] } = await account.clients.ec2.send(new DescribeFleetsCommand({}));
  const capacities = Fleets.map((one) => one.TargetCapacitySpecification?.TotalTargetCapacity);
  expect(capacities).toContain(3);
});

test('no machine is unwell, as far as moto knows', async () => {
  expect(await cloud.provider.troubles()).toEqual([]);
});

test('messages of the queue are received, read and deleted', async () => {
  const { QueueUrl } = { QueueUrl: `${moto.endpoint}/123456789012/${clusterName}` };
  for (let number = 0; number < 12; number++)
    await account.clients.sqs.send(
      new SendMessageCommand({
        QueueUrl,
        MessageBody: JSON.stringify({
          version: '0',
          source: 'aws.ec2',
          'detail-type': 'EC2 Spot Instance Interruption Warning',
          detail: { 'instance-id': `i-${number}` },
        }),
      }),
    );
  const messages = await cloud.queue.receive(signal);
  expect(messages).toHaveLength(12);
  expect(new Set(messages.map(({ kind }) => kind))).toEqual(new Set(['spot-interruption']));
  await cloud.queue.acknowledge(...messages);
});

test('releasing an EC2NodeClass leaves no template and no profile', async () => {
  await cloud.provider.release(nodeClass);
  const { LaunchTemplates = [] } = await account.clients.ec2.send(
    new DescribeLaunchTemplatesCommand({}),
  );
  expect(LaunchTemplates).toEqual([]);
  expect(problems).toEqual([]);
});
