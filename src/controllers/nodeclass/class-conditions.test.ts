import { expect, test } from 'vitest';
import type { EC2NodeClass, EC2NodeClassSpec } from '../../api/karpenter/ec2-node-class.ts';
import type { NodeClassResolution } from '../../ports/cloud-provider.ts';
import { conditionsOf } from './class-conditions.ts';

function aClass(spec: Partial<EC2NodeClassSpec> = {}): EC2NodeClass {
  return {
    metadata: { name: 'web', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: {
      subnetSelectorTerms: [],
      securityGroupSelectorTerms: [],
      amiSelectorTerms: [],
      ...spec,
    },
  };
}

const all = [
  'AMIsReady',
  'SubnetsReady',
  'SecurityGroupsReady',
  'InstanceProfileReady',
  'ValidationSucceeded',
];

function resolution(...others: NodeClassResolution['conditions']): NodeClassResolution {
  const types = new Set(others.map(({ type }) => type));
  const good = all.filter((type) => !types.has(type));
  const conditions = [...good.map((type) => ({ type, status: 'True' as const })), ...others];
  return { status: {}, conditions };
}

const nowMs = Date.parse('2026-01-01T01:00:00Z');

test('a class that has everything is ready, and each condition says its own name', () => {
  const conditions = conditionsOf(aClass(), resolution(), nowMs);
  expect(conditions.map(({ type, status, reason }) => [type, status, reason])).toEqual([
    ...[...all, 'PlacementGroupReady'].sort().map((type) => [type, 'True', type]),
    ['Ready', 'True', 'Ready'],
  ]);
});

test('what is missing is named, the newest first', () => {
  const missing = { type: 'SubnetsReady', status: 'False', reason: 'SubnetsNotFound' } as const;
  const conditions = conditionsOf(aClass(), resolution(missing), nowMs);
  expect(conditions.at(-1)).toMatchObject({
    status: 'False',
    reason: 'UnhealthyDependents',
    message: 'SubnetsReady=False',
  });
});

test('a placement group that is asked for is waited for', () => {
  const nodeClass = aClass({ placementGroupSelector: { name: 'fast' } });
  const conditions = conditionsOf(nodeClass, resolution(), nowMs);
  expect(conditions.at(-1)).toMatchObject({
    status: 'Unknown',
    reason: 'ReconcilingDependents',
    message: 'PlacementGroupReady=Unknown',
    // Nothing has changed since the class was made.
    lastTransitionTime: '2026-01-01T00:00:00Z',
  });
  const found = { type: 'PlacementGroupReady', status: 'True' } as const;
  expect(conditionsOf(nodeClass, resolution(found), nowMs).at(-1)?.status).toBe('True');
});

test('what the cloud names beyond that counts too', () => {
  const more = { type: 'CapacityReservationsReady', status: 'Unknown', reason: 'Late' } as const;
  expect(conditionsOf(aClass(), resolution(more), nowMs).at(-1)?.status).toBe('Unknown');
});
