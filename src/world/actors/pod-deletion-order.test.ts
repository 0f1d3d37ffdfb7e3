import { expect, test } from 'vitest';
import type { PodObject } from '../../api/kubernetes/core.ts';
import { inDeletionOrder } from './pod-deletion-order.ts';

const nowMs = Date.parse('2026-01-01T10:00:00Z');

interface Wish {
  readonly node?: string;
  readonly phase?: 'Pending' | 'Running';
  readonly readySince?: string;
  readonly cost?: string;
  readonly created?: string;
}

function aPod(name: string, wish: Wish = {}): PodObject {
  const { node = 'n1', phase = 'Running', readySince, cost, created = '00:00:00' } = wish;
  return {
    metadata: {
      name,
      uid: name,
      creationTimestamp: `2026-01-01T${created}Z`,
      annotations: cost === undefined ? {} : { 'controller.kubernetes.io/pod-deletion-cost': cost },
    },
    spec: { containers: [], ...(node !== '' && { nodeName: node }) },
    status: {
      phase,
      conditions: readySince
        ? [{ type: 'Ready', status: 'True', lastTransitionTime: `2026-01-01T${readySince}Z` }]
        : [],
    },
  };
}

const ready = { readySince: '01:00:00' };

test.each<{ name: string; first: PodObject; second: PodObject; related?: PodObject[] }>([
  {
    name: 'a pod without a node goes first',
    first: aPod('z', { node: '', phase: 'Pending' }),
    second: aPod('a'),
  },
  { name: 'then a pending one', first: aPod('z', { phase: 'Pending' }), second: aPod('a') },
  { name: 'then one that is not ready', first: aPod('z'), second: aPod('a', ready) },
  {
    name: 'then the cheaper to delete',
    first: aPod('z', { ...ready, cost: '-5' }),
    second: aPod('a', ready),
  },
  {
    name: 'then one on a crowded node',
    first: aPod('z', { ...ready, node: 'n2' }),
    second: aPod('a', ready),
    related: [aPod('x', { node: 'n2' }), aPod('y', { node: 'n2' }), aPod('w')],
  },
  {
    name: 'then one that was ready for less long',
    first: aPod('z', { readySince: '09:59:00' }),
    second: aPod('a', ready),
  },
  {
    name: 'then the younger',
    first: aPod('z', { ...ready, created: '09:00:00' }),
    second: aPod('a', { ...ready, created: '00:00:00' }),
  },
  {
    name: 'and of pods of about the same age the lower uid',
    first: aPod('a', { ...ready, created: '00:00:10' }),
    second: aPod('z', { ...ready, created: '00:00:20' }),
  },
])('$name', ({ first, second, related = [] }) => {
  const order = inDeletionOrder({ candidates: [second, first], related, nowMs });
  expect(order.map((pod) => pod.metadata.name)).toEqual(
    [first, second].map((p) => p.metadata.name),
  );
});
