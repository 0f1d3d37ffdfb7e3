import { expect, test } from 'vitest';
import {
  aResolvedClass,
  type TypesUnderTest,
  typesUnderTest,
} from '../../../../test/aws-cli/types-under-test.ts';
import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';
import type { Resources } from '../../../core/quantity/resources.ts';

const mebibyte = 2 ** 20;

function hashed(hash: string): EC2NodeClass {
  const nodeClass = aResolvedClass();
  const annotations = { 'karpenter.k8s.aws/ec2nodeclass-hash': hash };
  return { ...nodeClass, metadata: { ...nodeClass.metadata, annotations } };
}

/** By how much less is expected of the type since a Node of another one has been seen. */
async function changeOf(
  name: string,
  { seen, nodeClass = hashed('1') }: { seen: readonly Seen[]; nodeClass?: EC2NodeClass },
): Promise<Resources> {
  const under = typesUnderTest();
  const before = await under.typeOf(nodeClass, name);
  for (const one of seen) await see(under, one);
  const after = await under.typeOf(nodeClass, name);
  expect(after.capacity).toEqual(before.capacity);
  const changes = Object.entries(before.allocatable).map(
    ([key, amount]) => [key, amount - (after.allocatable[key] ?? 0)] as const,
  );
  return Object.fromEntries(changes.filter(([, change]) => change !== 0));
}

interface Seen {
  readonly instanceType: string;
  readonly imageId?: string;
  /** So much less than by the formulas. */
  readonly short: Resources;
}

async function see(under: TypesUnderTest, { instanceType, imageId, short }: Seen): Promise<void> {
  const { capacity, allocatable } = await under.typeOf(hashed('0'), instanceType);
  const amounts = Object.entries(allocatable).map(
    ([key, amount]) => [key, amount - (short[key] ?? 0)] as const,
  );
  under.learned.note({
    ...{ instanceType, imageId: imageId ?? 'ami-a' },
    memoryBytes: capacity.memory ?? 0,
    room: { classHash: '1', amounts: Object.fromEntries(amounts) },
  });
}

const twoGi = 2_048 * mebibyte;
const large: Seen = { instanceType: 'm5.large', short: { memory: twoGi, cpu: 100 } };

test('what one type keeps back others of its size and larger ones are taken to keep back as well', async () => {
  expect(await changeOf('m5d.large', { seen: [large] })).toEqual({ memory: twoGi, cpu: 100 });
  expect(await changeOf('m5.4xlarge', { seen: [large] })).toEqual({ memory: twoGi, cpu: 100 });
});

test('of a smaller one it is its share, so that no type is ruled out by what a large one needs', async () => {
  const { memory = 0, cpu } = await changeOf('c5.large', { seen: [large] });
  // Capacities are rounded to whole mebibytes.
  expect([memory / twoGi, cpu]).toEqual([expect.closeTo(0.5, 3), 100]);
});

test('a type that has been seen is taken for what it was seen to be', async () => {
  const own: Seen = { instanceType: 'm5d.large', short: { memory: 5 * mebibyte } };
  expect(await changeOf('m5d.large', { seen: [large, own] })).toEqual({ memory: 5 * mebibyte });
});

test('of several types that were seen the one that keeps back most decides', async () => {
  const other: Seen = { instanceType: 'c5.large', short: { memory: 100 * mebibyte, cpu: 200 } };
  const seen = [large, other];
  expect(await changeOf('m5d.large', { seen })).toEqual({ memory: twoGi, cpu: 200 });
});

test('disks and numbers of pods say nothing about other types', async () => {
  const seen = [{ instanceType: 'm5.large', short: { 'ephemeral-storage': 2 ** 30, pods: 9 } }];
  expect(await changeOf('m5d.large', { seen })).toEqual({});
});

test('machines of another class, or with another image, say nothing either', async () => {
  expect(await changeOf('m5d.large', { seen: [large], nodeClass: hashed('2') })).toEqual({});
  const old = { ...large, imageId: 'ami-old' };
  expect(await changeOf('m5d.large', { seen: [old] })).toEqual({});
});

test('a Node that reports nothing of a resource yet rules out neither its type nor others', async () => {
  const { allocatable } = await typesUnderTest().typeOf(hashed('1'), 'm5.24xlarge');
  const { cpu = 0, memory = 0 } = allocatable;
  const seen = [{ instanceType: 'm5.24xlarge', short: { cpu, memory } }];
  expect(await changeOf('m5.large', { seen })).toEqual({});
  expect(await changeOf('m5.24xlarge', { seen })).toEqual({});
});
