import { describe, expect, test } from 'vitest';
import { repairPolicies } from '../../adapters/aws/instances/repair-policies.ts';
import type { NodeObject } from '../../api/kubernetes/core.ts';
import { ailmentOf, mayRepair } from './unhealthy.ts';

const minute = 60_000;

function aNode(conditions: Readonly<Record<string, readonly [status: string, atMs: number]>>) {
  const list = Object.entries(conditions).map(([type, [status, atMs]]) => ({
    type,
    status,
    lastTransitionTime: new Date(atMs).toISOString(),
  }));
  return { metadata: { name: 'n' }, status: { conditions: list } } as unknown as NodeObject;
}

describe('a node is replaced', () => {
  test.each([
    { name: 'never, when it is well', conditions: { Ready: ['True', 0] }, due: undefined },
    { name: 'half an hour after it went away', conditions: { Ready: ['Unknown', 0] }, due: 30 },
    { name: 'half an hour after it failed', conditions: { Ready: ['False', 0] }, due: 30 },
    {
      name: 'ten minutes after its accelerators failed',
      conditions: { AcceleratedHardwareReady: ['False', 0] },
      due: 10,
    },
    {
      name: 'for what is due first',
      conditions: { Ready: ['False', 0], AcceleratedHardwareReady: ['False', 5 * minute] },
      due: 15,
    },
    {
      name: 'not for what nobody knows',
      conditions: { StorageReady: ['Unknown', 0] },
      due: undefined,
    },
  ] as const)('$name', ({ conditions, due }) => {
    const ailment = ailmentOf(aNode(conditions), repairPolicies);
    expect(ailment?.dueAtMs).toBe(due === undefined ? undefined : due * minute);
  });
});

test.each([
  { unhealthy: 1, all: 1, may: true },
  { unhealthy: 2, all: 10, may: true },
  { unhealthy: 3, all: 10, may: false },
  { unhealthy: 3, all: 11, may: true },
])('with $unhealthy of $all nodes unwell, repairing is $may', ({ unhealthy, all, may }) => {
  expect(mayRepair({ unhealthy, all })).toBe(may);
});
