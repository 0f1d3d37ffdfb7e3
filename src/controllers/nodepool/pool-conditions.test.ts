import { expect, test } from 'vitest';
import type { EC2NodeClass } from '../../api/karpenter/ec2-node-class.ts';
import type { NodePool } from '../../api/karpenter/node-pool.ts';
import type { Condition } from '../../api/resource.ts';
import { conditionsOf } from './pool-conditions.ts';
import { RegistrationHealth } from './registration-health.ts';

const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'web' };

function aPool(
  more: { annotations?: Record<string, string>; conditions?: readonly Condition[] } = {},
): NodePool {
  return {
    metadata: {
      name: 'web',
      uid: 'u',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(more.annotations === undefined ? {} : { annotations: more.annotations }),
    },
    spec: { template: { spec: { requirements: [], nodeClassRef } } },
    status: { conditions: more.conditions ?? [] },
  };
}

function aClass(ready?: Condition['status'], more: object = {}): EC2NodeClass {
  const condition = { type: 'Ready', reason: 'UnhealthyDependents', message: 'SubnetsReady=False' };
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  return {
    metadata: { name: 'web', generation: 1, ...more },
    spec: { subnetSelectorTerms: [], securityGroupSelectorTerms: [], amiSelectorTerms: [] },
    status: {
      conditions: ready === undefined ? [] : [{ ...condition, status: ready, lastTransitionTime }],
    },
  };
}

function said(pool: NodePool, nodeClass: EC2NodeClass | undefined): readonly Condition[] {
  const nowMs = Date.parse('2026-01-01T01:00:00Z');
  return conditionsOf(pool, { nodeClass, health: new RegistrationHealth(), nowMs });
}

test.each([
  {
    name: 'a class that is ready',
    nodeClass: aClass('True'),
    status: 'True',
    reason: 'NodeClassReady',
    ready: 'True',
  },
  {
    name: 'no class',
    nodeClass: undefined,
    status: 'False',
    reason: 'NodeClassNotFound',
    ready: 'False',
  },
  {
    name: 'a class on its way out',
    nodeClass: aClass('True', { deletionTimestamp: '2026-01-01T00:00:00Z' }),
    status: 'False',
    reason: 'NodeClassTerminating',
    ready: 'False',
  },
  {
    name: 'a class that is not ready',
    nodeClass: aClass('False'),
    status: 'False',
    reason: 'UnhealthyDependents',
    ready: 'False',
  },
  {
    name: 'a class nobody has looked at',
    nodeClass: aClass(),
    status: 'False',
    reason: 'NodeClassReadinessUnknown',
    ready: 'False',
  },
] as const)('a pool with $name says so', ({ nodeClass, status, reason, ready }) => {
  const conditions = said(aPool(), nodeClass);
  expect(conditions.find(({ type }) => type === 'NodeClassReady')).toMatchObject({
    status,
    reason,
  });
  expect(conditions.at(-1)).toMatchObject({ type: 'Ready', status: ready });
});

test('the health of registration is no part of being ready', () => {
  const conditions = said(aPool(), aClass('True'));
  expect(conditions.find(({ type }) => type === 'NodeRegistrationHealthy')?.status).toBe('Unknown');
  expect(conditions.at(-1)).toMatchObject({ type: 'Ready', status: 'True', reason: 'Ready' });
});

test('fields that the API server dropped are named, until the manifest no longer has them', () => {
  const manifest = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodePool',
    spec: { ttlSecondsAfterEmpty: 30 },
  };
  const annotations = {
    'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(manifest),
  };
  const told = said(aPool({ annotations }), aClass('True'));
  expect(told.find(({ type }) => type === 'FieldsKnown')).toMatchObject({
    status: 'False',
    reason: 'UnknownFields',
    message: expect.stringContaining('spec.ttlSecondsAfterEmpty'),
  });
  const later = said(aPool({ conditions: told }), aClass('True'));
  expect(later.map(({ type }) => type)).not.toContain('FieldsKnown');
});
