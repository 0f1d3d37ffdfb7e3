import { expect, test } from 'vitest';
import { aResolvedClass, typesUnderTest } from '../../../../test/aws-cli/types-under-test.ts';
import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';

const image = 'ami-a';
const { list } = typesUnderTest();

function named(name: string, nodeClass: EC2NodeClass): EC2NodeClass {
  return { ...nodeClass, metadata: { ...nodeClass.metadata, name } };
}

/** Which of the types of two classes share the very same labels. */
async function sharedTypes(a: EC2NodeClass, b: EC2NodeClass): Promise<readonly boolean[]> {
  const [first, second] = [await list(named('a', a)), await list(named('b', b))];
  expect(second.map(({ name }) => name)).toEqual(first.map(({ name }) => name));
  return second.map(({ requirements }, index) => requirements === first[index]?.requirements);
}

test('classes of other kubelets, disks, images or Linux families share the labels of their machines', async () => {
  const others = [
    { spec: { kubelet: { maxPods: 50 } } },
    { spec: { instanceStorePolicy: 'RAID0' as const } },
    { spec: { amiSelectorTerms: [{ alias: 'bottlerocket@latest' }] } },
    { status: { amis: [{ id: image, requirements: [] }] } },
  ];
  for (const other of others) {
    const shared = await sharedTypes(aResolvedClass(), aResolvedClass(other));
    expect(shared).not.toContain(false);
  }
});

test('another system or another zone has labels of its own, and few values of them', async () => {
  const windows = { spec: { amiSelectorTerms: [{ alias: 'windows2022@latest' }] } };
  expect(await sharedTypes(aResolvedClass(), aResolvedClass(windows))).not.toContain(true);
  const subnets = [{ id: 'subnet-a', zone: 'ap-east-1a', zoneID: 'az-other' }];
  const elsewhere = aResolvedClass({ status: { subnets } });
  const types = await list(named('c', elsewhere));
  expect(types[0]?.requirements.get('topology.k8s.aws/zone-id')?.values).toEqual(
    new Set(['az-other']),
  );
  const sets = types.flatMap(({ requirements }) => [...requirements.values()]);
  expect(new Set(sets).size).toBeLessThan(sets.length / 10);
});

test('an empty label is not a missing one, though both have no text', async () => {
  const types = await list(aResolvedClass());
  const metal = types.find(({ name }) => name.endsWith('.metal'));
  expect(metal?.requirements.get('karpenter.k8s.aws/instance-hypervisor')).toMatchObject({
    values: new Set(['']),
    mayBeAbsent: false,
  });
  expect(metal?.requirements.get('karpenter.k8s.aws/instance-gpu-name')).toMatchObject({
    values: new Set(),
    mayBeAbsent: true,
  });
});
