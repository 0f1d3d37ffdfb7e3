import { describe, expect, test } from 'vitest';
import { aPod } from '../../../test/validator/builders.ts';
import { type BufferSize, bufferReplicas, isVirtual, virtualPods } from './buffer.ts';

describe('a buffer keeps room for', () => {
  const requests = { cpu: 500, memory: 1024, pods: 1 };
  test.each<{ name: string; size: Omit<BufferSize, 'requests'>; pods: number }>([
    { name: 'as many pods as it says', size: { replicas: 3 }, pods: 3 },
    { name: 'a share of the workload', size: { percentage: 25, workloadReplicas: 10 }, pods: 3 },
    { name: 'one at least of a share', size: { percentage: 1, workloadReplicas: 1 }, pods: 1 },
    { name: 'none of a workload of none', size: { percentage: 50, workloadReplicas: 0 }, pods: 0 },
    {
      name: 'the larger of count and share',
      size: { replicas: 2, percentage: 50, workloadReplicas: 10 },
      pods: 5,
    },
    {
      name: 'no more than its limits hold',
      size: { replicas: 9, limits: { cpu: 1_900 } },
      pods: 3,
    },
    { name: 'what its limits alone hold', size: { limits: { cpu: 2_000, memory: 2048 } }, pods: 2 },
    { name: 'nothing where nothing is said', size: {}, pods: 0 },
    {
      name: 'its count where the limit is on something else',
      size: { replicas: 4, limits: { 'nvidia.com/gpu': 1 } },
      pods: 4,
    },
  ])('$name', ({ size, pods }) => {
    expect(bufferReplicas({ ...size, requests })).toBe(pods);
  });
});

test('its pods have names of their own, wait for a place and come after all others', () => {
  const model = aPod({ name: 'model', cpuMillis: 500, labels: { app: 'web' }, nodeName: 'n' });
  const pods = virtualPods({ namespace: 'shop', name: 'spare', uid: 'u', replicas: 2, model });
  expect(pods.map(({ uid, name }) => [uid, name])).toEqual([
    ['u-0', 'capacity-buffer-spare-0'],
    ['u-1', 'capacity-buffer-spare-1'],
  ]);
  expect(pods[0]).toMatchObject({
    namespace: 'shop',
    labels: { app: 'web' },
    requests: { cpu: 500 },
    nodeName: undefined,
    isUnschedulable: true,
    priority: -(2 ** 31) - 1,
  });
  expect(pods.every(isVirtual)).toBe(true);
  expect(isVirtual(model)).toBe(false);
});
