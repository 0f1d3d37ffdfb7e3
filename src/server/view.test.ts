import { expect, test } from 'vitest';
import { anObservation } from '../../test/observation.ts';
import { aNode, aPod, aPool, aSnapshot, gibibyte } from '../../test/validator/builders.ts';
import type { Node } from '../core/cluster/snapshot.ts';
import type { PendingPod } from '../ports/observation.ts';
import { type ClusterView, viewOf } from './view.ts';

function viewed(nodes: readonly Node[], pending: readonly PendingPod[] = []): ClusterView {
  const snapshot = aSnapshot({
    nodes,
    pools: [aPool({ name: 'spot' }), aPool({ name: 'demand' })],
  });
  return viewOf(anObservation({ snapshot: () => snapshot, pending }), 'test');
}

const two = [
  aNode({
    name: 'b',
    poolName: 'spot',
    priceUsdPerHour: 0.25,
    pods: [aPod({ name: 'p', cpuMillis: 500, memoryGi: 1 })],
  }),
  aNode({ name: 'a', poolName: undefined, priceUsdPerHour: undefined, pods: [] }),
];

test('nodes are shown by name with what their pods take', () => {
  const { nodes } = viewed(two);
  expect(nodes.map((node) => node.name)).toEqual(['a', 'b']);
  expect(nodes[1]?.cpuMillis.requested).toBe(500);
  expect(nodes[1]?.memoryBytes.requested).toBe(gibibyte);
  expect(nodes[1]?.podSlots.requested).toBe(1);
});

test('prices add up per pool and in all, and a node without a known price counts as nothing', () => {
  const view = viewed(two);
  expect(view.pools.map(({ name, nodes, usdPerHour }) => [name, nodes, usdPerHour])).toEqual([
    ['demand', 0, 0],
    ['spot', 1, 0.25],
  ]);
  expect(view.totals.usdPerHour).toBe(0.25);
  expect(view.totals.usdPerMonth).toBe(0.25 * 730);
});

test('a pending pod is shown with what it waits for or why it was refused', () => {
  const refusal = { code: 'too-large', sentence: 'no type is large enough', parts: [] } as const;
  const { pending, totals } = viewed(
    [],
    [
      { pod: aPod({ name: 'x' }), waitsFor: 'spot-1' },
      { pod: aPod({ name: 'y' }), refusal },
    ],
  );
  expect(totals.podsPending).toBe(2);
  expect(pending[0]?.waitsFor).toBe('spot-1');
  expect(pending[1]?.refusal).toEqual({
    code: 'too-large',
    sentence: 'no type is large enough',
    reason: 0,
  });
});
