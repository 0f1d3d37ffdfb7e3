import { describe, expect, test } from 'vitest';
import { aResolvedClass, typesUnderTest } from '../../../../test/aws-cli/types-under-test.ts';
import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';

const mebibyte = 2 ** 20;
const seen = { instanceType: 'm5.large', imageId: 'ami-a' };

test('memory that a Node reported replaces the estimate, and the reserves stay as they are', async () => {
  const under = typesUnderTest();
  const nodeClass = aResolvedClass();
  const before = await under.typeOf(nodeClass, 'm5.large');
  under.learned.note({ ...seen, memoryBytes: 7_700 * mebibyte });
  const after = await under.typeOf(nodeClass, 'm5.large');
  expect(after.capacity).toEqual({ ...before.capacity, memory: 7_700 * mebibyte });
  // 574 Mi for the kubelet and 100 Mi before eviction, as for the estimate of 7577 Mi.
  expect(after.allocatable).toEqual({ ...before.allocatable, memory: 7_026 * mebibyte });
});

test('of several Nodes the one with the least memory counts', async () => {
  const { learned } = typesUnderTest();
  for (const mib of [7_700, 7_600, 7_650]) learned.note({ ...seen, memoryBytes: mib * mebibyte });
  expect(learned.memoryOf('m5.large', 'ami-a')).toBe(7_600 * mebibyte);
});

test('what another image reported says nothing', async () => {
  const under = typesUnderTest();
  const nodeClass = aResolvedClass();
  const before = await under.typeOf(nodeClass, 'm5.large');
  under.learned.note({ ...seen, imageId: 'ami-old', memoryBytes: 7_000 * mebibyte });
  expect((await under.typeOf(nodeClass, 'm5.large')).capacity).toEqual(before.capacity);
});

test('it is forgotten sixty days after it was last seen', async () => {
  const { learned, aws } = typesUnderTest();
  const dayMs = 86_400_000;
  learned.note({ ...seen, memoryBytes: 7_700 * mebibyte });
  await aws.clock.runFor(50 * dayMs);
  learned.note({ ...seen, memoryBytes: 7_700 * mebibyte });
  await aws.clock.runFor(50 * dayMs);
  expect(learned.memoryOf('m5.large', 'ami-a')).toBe(7_700 * mebibyte);
  await aws.clock.runFor(10 * dayMs);
  expect(learned.memoryOf('m5.large', 'ami-a')).toBeUndefined();
});

test('hearing the same again changes nothing', async () => {
  const under = typesUnderTest();
  const nodeClass = aResolvedClass();
  under.learned.note({ ...seen, memoryBytes: 7_700 * mebibyte });
  const first = await under.list(nodeClass);
  under.learned.note({ ...seen, memoryBytes: 7_700 * mebibyte });
  under.learned.note({ ...seen, memoryBytes: 7_800 * mebibyte });
  expect(await under.list(nodeClass)).toBe(first);
});

describe('room for pods that was less than expected', () => {
  const hashed = (hash: string, spec = {}): EC2NodeClass => {
    const nodeClass = aResolvedClass({ spec });
    const annotations = { 'karpenter.k8s.aws/ec2nodeclass-hash': hash };
    return { ...nodeClass, metadata: { ...nodeClass.metadata, annotations } };
  };
  const memoryBytes = 7_700 * mebibyte;
  const room = (mib: number) => ({ classHash: '1', amounts: { memory: mib * mebibyte } });

  test('is what pods are promised from then on, in machines of the class as it was', async () => {
    const under = typesUnderTest();
    under.learned.note({ ...seen, memoryBytes, room: room(6_000) });
    under.learned.note({ ...seen, memoryBytes, room: room(6_500) });
    const roomIn = async (nodeClass: EC2NodeClass): Promise<number> =>
      ((await under.typeOf(nodeClass, 'm5.large')).allocatable.memory ?? 0) / mebibyte;
    expect(await roomIn(hashed('1'))).toBe(6_000);
    expect(await roomIn(hashed('2'))).toBe(7_026);
    expect(await roomIn(hashed('1'))).toBe(6_000);
    expect((await under.typeOf(hashed('1'), 'm5.large')).capacity.memory).toBe(memoryBytes);
  });

  test('never promises more than the formulas do', async () => {
    const under = typesUnderTest();
    under.learned.note({ ...seen, memoryBytes, room: room(100_000) });
    const type = await under.typeOf(hashed('1'), 'm5.large');
    expect(type.allocatable.memory).toBe(7_026 * mebibyte);
  });
});
