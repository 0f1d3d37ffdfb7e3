import { describe, expect, test } from 'vitest';
import { aNodeClass, cloudUnderTest, region } from '../../../test/aws-cli/cloud-under-test.ts';
import { clusterName } from '../../../test/aws-cli/embedded-aws.ts';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import { conditionOf } from '../../api/resource.ts';
import { labels } from '../../core/requirements/well-known.ts';
import type { NodeClassResolution } from '../../ports/cloud-provider.ts';

function reasonOf({ conditions }: NodeClassResolution, type: string): string {
  const found = conditionOf({ status: { conditions: [...conditions] } }, type);
  return `${found?.status} ${found?.reason}`;
}

describe('resolving a node class', () => {
  test('an alias gives one image per kind of machine', async () => {
    const { provider, settle } = cloudUnderTest();
    const { status } = await settle(provider.resolve(aNodeClass()));
    expect(status.amis?.map((image) => image.name).sort()).toEqual([
      'amazon-eks-node-al2023-arm64-nvidia-1.36-v20261106',
      'amazon-eks-node-al2023-arm64-standard-1.36-v20261106',
      'amazon-eks-node-al2023-x86_64-neuron-1.36-v20261106',
      'amazon-eks-node-al2023-x86_64-nvidia-1.36-v20261106',
      'amazon-eks-node-al2023-x86_64-standard-1.36-v20261106',
    ]);
  });

  test('a pinned alias keeps its version', async () => {
    const { provider, settle } = cloudUnderTest();
    const pinned = aNodeClass({ amiSelectorTerms: [{ alias: 'al2023@v20261009' }] });
    const { status } = await settle(provider.resolve(pinned));
    expect(status.amis).toHaveLength(5);
    expect(status.amis?.every((image) => image.name?.endsWith('v20261009'))).toBe(true);
  });

  test('names, ids and parameters select too, the newest image of each architecture', async () => {
    const { provider, settle } = cloudUnderTest();
    const family = { amiFamily: 'AL2023' } as const;
    const byName = await settle(
      provider.resolve(
        aNodeClass({
          ...family,
          amiSelectorTerms: [{ name: 'amazon-eks-node-al2023-*-standard-1.36-*' }],
        }),
      ),
    );
    expect(byName.status.amis?.map((image) => image.name).sort()).toEqual([
      'amazon-eks-node-al2023-arm64-standard-1.36-v20261106',
      'amazon-eks-node-al2023-x86_64-standard-1.36-v20261106',
    ]);
    const id = byName.status.amis?.[0]?.id ?? '';
    const byId = await settle(
      provider.resolve(aNodeClass({ ...family, amiSelectorTerms: [{ id }] })),
    );
    expect(byId.status.amis?.map((image) => image.id)).toEqual([id]);
    const ssmParameter =
      '/aws/service/eks/optimized-ami/1.36/amazon-linux-2023/x86_64/standard/recommended/image_id';
    const byParameter = await settle(
      provider.resolve(aNodeClass({ ...family, amiSelectorTerms: [{ ssmParameter }] })),
    );
    expect(byParameter.status.amis).toHaveLength(1);
  });

  test.each([
    ['no image', { amiSelectorTerms: [{ alias: 'al2023@v1' }] }, 'AMIsReady', 'False AMINotFound'],
    [
      'an alias that has ended',
      { amiSelectorTerms: [{ alias: 'al2@latest' }] },
      'AMIsReady',
      'False UnsupportedAlias',
    ],
    [
      'no security group',
      { securityGroupSelectorTerms: [{ name: 'none' }] },
      'SecurityGroupsReady',
      'False SecurityGroupsNotFound',
    ],
    [
      'no subnet',
      { subnetSelectorTerms: [{ id: 'subnet-0' }] },
      'SubnetsReady',
      'False SubnetsNotFound',
    ],
    [
      'a part that is missing',
      { subnetSelectorTerms: [{ id: 'subnet-0' }] },
      'ValidationSucceeded',
      'False DependenciesNotReady',
    ],
    [
      'a tag of ours',
      { tags: { 'karpenter.sh/nodepool': 'x' } },
      'ValidationSucceeded',
      'False TagValidationFailed',
    ],
    [
      'too much user data',
      { userData: 'x'.repeat(17_000) },
      'ValidationSucceeded',
      'False UserDataSizeLimitExceeded',
    ],
    [
      'a role that does not exist',
      { role: 'nobody' },
      'InstanceProfileReady',
      'False InstanceProfileFailed',
    ],
  ])('%s is told in a condition', async (_, spec, type, expected) => {
    const { provider, settle } = cloudUnderTest();
    expect(reasonOf(await settle(provider.resolve(aNodeClass(spec))), type)).toBe(expected);
  });

  test('a profile that is given is used as it is', async () => {
    const { provider, settle } = cloudUnderTest();
    const { role: _, ...spec } = aNodeClass({ instanceProfile: 'mine' }).spec;
    const { status, conditions } = await settle(provider.resolve({ ...aNodeClass(), spec }));
    expect(status.instanceProfile).toBe('mine');
    expect(conditions.find(({ type }) => type === 'ValidationSucceeded')).toMatchObject({
      status: 'False',
      reason: 'InstanceProfileNotFound',
      message: 'instance profile mine does not exist; create it or correct spec.instanceProfile',
    });
  });

  test('another role has another profile, so that running machines keep theirs', async () => {
    const { provider, settle } = cloudUnderTest();
    const first = await settle(provider.resolve(aNodeClass()));
    const second = await settle(
      provider.resolve(aNodeClass({ role: `${clusterName}-system-node` })),
    );
    expect(second.status.instanceProfile).not.toBe(first.status.instanceProfile);
    expect(first.status.instanceProfile).toMatch(new RegExp(`^${clusterName}_\\d+$`));
  });
});

test('labels tell what the machine is', async () => {
  const { provider, settle } = cloudUnderTest();
  const { status } = await settle(provider.resolve(aNodeClass()));
  const types = await settle(provider.instanceTypes({ ...aNodeClass(), status }));
  const m5 = types.find((type) => type.name === 'm5.large');
  const only = Object.fromEntries(
    [...(m5?.requirements ?? [])]
      .filter(([, set]) => set.kind === 'only' && set.values.size === 1)
      .map(([key, set]) => [key.replace('karpenter.k8s.aws/', ''), [...set.values][0]]),
  );
  expect(only).toMatchObject({
    [labels.instanceType]: 'm5.large',
    [labels.arch]: 'amd64',
    [labels.os]: 'linux',
    [labels.region]: region,
    'instance-category': 'm',
    'instance-generation': '5',
    'instance-family': 'm5',
    'instance-size': 'large',
    'instance-cpu': '2',
    'instance-cpu-manufacturer': 'intel',
    'instance-cpu-sustained-clock-speed-mhz': '3100',
    'instance-memory': '8192',
    'instance-ebs-bandwidth': '4750',
    'instance-network-bandwidth': '750',
    'instance-hypervisor': 'nitro',
    'instance-encryption-in-transit-supported': 'false',
    'instance-capability-flex': 'false',
  });
});

test('a spot interruption reaches the queue, and marks its offering as scarce', async () => {
  const { provider, interruptions, aws, settle } = cloudUnderTest();
  const { status } = await settle(provider.resolve(aNodeClass()));
  const ready = {
    type: 'Ready',
    status: 'True',
    reason: 'Ready',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  } as const;
  const nodeClass = { ...aNodeClass(), status: { ...status, conditions: [ready] } };
  const claim: NodeClaim = {
    metadata: { name: 'web-1', uid: 'uid-1' },
    spec: {
      requirements: [
        { key: labels.instanceType, operator: 'In', values: ['m5.large'] },
        { key: labels.capacityType, operator: 'In', values: ['spot'] },
      ],
      nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    },
  };
  const signal = new AbortController().signal;
  const { providerId, zone } = await settle(provider.launch(claim, nodeClass, signal));
  const instanceId = providerId.split('/').at(-1) ?? '';
  await aws.clock.runUntil(() => aws.machines().length > 0, 600_000);
  await settle(provider.list());
  aws.endpoint.market.interrupt(instanceId);
  const received = [];
  for (let round = 0; round < 5 && received.length === 0; round++) {
    const messages = (await settle(interruptions?.receive(signal) ?? Promise.resolve([]))) ?? [];
    received.push(...messages.filter((message) => message.kind === 'spot-interruption'));
    for (const message of messages)
      await settle(interruptions?.acknowledge(message) ?? Promise.resolve());
  }
  expect(received).toMatchObject([{ kind: 'spot-interruption', instanceIds: [instanceId] }]);
  const types = await settle(provider.instanceTypes(nodeClass));
  const offering = types
    .find((type) => type.name === 'm5.large')
    ?.offerings.find((one) => one.zone === zone && one.capacityType === 'spot');
  expect(offering?.isAvailable).toBe(false);
});

test('an empty queue answers after its wait, on the virtual clock', async () => {
  const { interruptions, aws, settle } = cloudUnderTest();
  const startMs = aws.clock.nowMs();
  const messages = await settle(
    interruptions?.receive(new AbortController().signal) ?? Promise.resolve([]),
  );
  expect([messages, aws.clock.nowMs() - startMs]).toEqual([[], 20_000]);
});
