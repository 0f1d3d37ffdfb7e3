import { describe, expect, test } from 'vitest';
import { termsOf } from '../../core/requirements/requirements.ts';
import type { NodePool, NodePoolSpec } from '../karpenter/node-pool.ts';
import { decodePool } from './pool.ts';

function nodePool(spec: Partial<NodePoolSpec>, rest: Partial<NodePool> = {}): NodePool {
  return {
    metadata: { name: 'default', uid: 'u' },
    spec: {
      template: {
        metadata: { labels: { team: 'red' } },
        spec: {
          requirements: [
            { key: 'beta.kubernetes.io/arch', operator: 'In', values: ['amd64'], minValues: 1 },
          ],
          nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'std' },
        },
      },
      ...spec,
    },
    ...rest,
  };
}

const nothing = { instanceTypes: [] };

test('requirements, labels, pool and node class are one set', () => {
  const pool = decodePool(nodePool({}), nothing);
  expect(termsOf(pool.requirements)).toEqual([
    { key: 'karpenter.k8s.aws/ec2nodeclass', operator: 'In', values: ['std'] },
    { key: 'karpenter.sh/nodepool', operator: 'In', values: ['default'] },
    { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
    { key: 'team', operator: 'In', values: ['red'] },
  ]);
  expect(pool.minValues).toEqual(new Map([['kubernetes.io/arch', 1]]));
});

test('what the manifest leaves out is what the CRD would fill in', () => {
  expect(decodePool(nodePool({}), nothing)).toMatchObject({
    weight: 0,
    limits: {},
    disruption: {
      policy: 'WhenEmptyOrUnderutilized',
      consolidateAfterMs: 0,
      budgets: [{ nodes: '10%' }],
    },
  });
});

test('budgets and durations are read', () => {
  const { disruption } = decodePool(
    nodePool({
      disruption: {
        consolidateAfter: 'Never',
        budgets: [{ nodes: '1', schedule: '@daily', duration: '1h30m', reasons: ['Empty'] }],
      },
    }),
    nothing,
  );
  expect(disruption.consolidateAfterMs).toBe(Infinity);
  expect(disruption.budgets).toEqual([
    { nodes: '1', schedule: '@daily', durationMs: 5_400_000, reasons: ['Empty'] },
  ]);
});

describe('a pool is not ready', () => {
  test.each<{ why: string; pool: NodePool; says: string }>([
    {
      why: 'while it is deleted',
      pool: nodePool({}, { metadata: { name: 'x', deletionTimestamp: '2026-01-01T00:00:00Z' } }),
      says: 'it is being deleted',
    },
    { why: 'with fixed replicas', pool: nodePool({ replicas: 2 }), says: 'fixed number' },
    {
      why: 'with a limit that is none',
      pool: nodePool({ limits: { cpu: 'many' } }),
      says: 'spec.limits cpu: "many" is not a quantity',
    },
    {
      why: 'when a condition says so',
      pool: nodePool(
        {},
        {
          status: {
            conditions: [
              { type: 'Ready', status: 'False', reason: 'NodeClassNotFound', message: '' },
            ],
          },
        },
      ),
      says: 'NodeClassNotFound',
    },
  ])('$why', ({ pool, says }) => {
    expect(decodePool(pool, nothing).notReady).toContain(says);
  });

  test('when the caller knows a reason', () => {
    const pool = decodePool(nodePool({}), { ...nothing, notReady: 'no node class' });
    expect(pool.notReady).toBe('no node class');
  });

  test('and ready otherwise', () => {
    const conditions = [{ type: 'Ready', status: 'True' as const }];
    expect(decodePool(nodePool({}, { status: { conditions } }), nothing).notReady).toBeUndefined();
  });
});
