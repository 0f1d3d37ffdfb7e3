import { expect, test } from 'vitest';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import { plannedPodsAnnotation } from '../../api/karpenter/planned-pods.ts';
import type { NodeObject, PodObject } from '../../api/kubernetes/core.ts';
import type { Context } from '../context.ts';
import { isWaitedFor } from './waited-for.ts';

const providerID = 'aws:///us-west-2a/i-1';
const deletionTimestamp = '2026-01-01T00:00:00Z';
const order: NodeClaim = {
  metadata: { name: 'order', annotations: { [plannedPodsAnnotation]: 'pod' } },
  spec: { nodeClassRef: { group: '', kind: '', name: '' }, requirements: [] },
};

interface Around {
  readonly pod?: { readonly nodeName?: string; readonly phase?: string; readonly isLeaving?: true };
  readonly node?: Partial<NodeObject>;
  readonly claim?: Partial<NodeClaim['metadata']>;
}

function contextOf({ pod, node, claim }: Around): Context {
  const object = pod && {
    metadata: { name: 'pod', uid: 'pod', ...(pod.isLeaving && { deletionTimestamp }) },
    spec: { nodeName: pod.nodeName },
    status: { phase: pod.phase },
  };
  const ofNode = { ...order, metadata: { name: 'old', ...claim } };
  const context: unknown = {
    bufferBook: { has: () => false },
    ledger: { reservedFor: () => [] },
    informers: {
      pods: { by: () => (object === undefined ? [] : [object as PodObject]) },
      nodes: { get: () => node && { metadata: { name: 'node' }, spec: { providerID }, ...node } },
      nodeClaims: { by: () => [ofNode] },
    },
  };
  return context as Context;
}

const bound = { nodeName: 'node' };
const taints = [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }] as const;

test.each<[string, Around]>([
  ['has no node', { pod: {} }],
  [
    'has a node that is leaving',
    { pod: bound, node: { metadata: { name: 'node', deletionTimestamp } } },
  ],
  [
    'has a node that is closed to be given up',
    { pod: bound, node: { spec: { providerID, taints } } },
  ],
  ['has a node whose claim is leaving', { pod: bound, node: {}, claim: { deletionTimestamp } }],
  ['has a node of which nobody knows', { pod: bound }],
])('a claim is waited for by a pod that %s', (_, around) => {
  expect(isWaitedFor(contextOf(around), order)).toBe(true);
});

test.each<[string, Around]>([
  ['is gone', {}],
  ['is being deleted', { pod: { isLeaving: true } }],
  ['has ended', { pod: { phase: 'Failed' } }],
  ['has a node to stay on', { pod: bound, node: {} }],
])('a claim is not waited for by a pod that %s', (_, around) => {
  expect(isWaitedFor(contextOf(around), order)).toBe(false);
});
