import { expect, test } from 'vitest';
import { aType } from '../../../test/validator/builders.ts';
import { decodePool } from '../../api/decode/pool.ts';
import { nodePoolHash } from '../../api/hash/node-pool-hash.ts';
import type { NodePool } from '../../api/karpenter/node-pool.ts';
import { requirementsOf } from '../../core/requirements/requirements.ts';
import type { NewNode } from '../../core/scheduling/plan.ts';
import { claimOf } from './claim-of.ts';

const pool: NodePool = {
  metadata: { name: 'spot-pool', uid: 'pool-uid' },
  spec: {
    template: {
      metadata: { labels: { team: 'a' }, annotations: { note: 'kept' } },
      spec: {
        requirements: [
          { key: 'node.kubernetes.io/instance-type', operator: 'Exists', minValues: 2 },
        ],
        taints: [{ key: 'dedicated', effect: 'NoSchedule' }],
        startupTaints: [{ key: 'cni', effect: 'NoExecute' }],
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        expireAfter: '24h',
        terminationGracePeriod: '10m',
      },
    },
  },
};

const types = ['m5.large', 'c5.large'].map((name) => aType({ name, cpu: 2, memoryGi: 8 }));

function planned(
  terms: Parameters<typeof requirementsOf>[0],
  instanceTypes: NewNode['instanceTypes'] = types,
): NewNode {
  return {
    pool: decodePool(pool, { instanceTypes: [] }),
    pods: [],
    requirements: requirementsOf(terms),
    instanceTypes,
    requests: { cpu: 1_500, memory: 2 ** 30, pods: 3, 'nvidia.com/gpu': 0 },
    cheapest: {
      instanceType: 'm5.large',
      zone: 'us-east-1a',
      capacityType: 'spot',
      priceUsdPerHour: 0.04,
    },
  };
}

test('a claim carries all that its pool and its plan have settled', () => {
  const claim = claimOf(
    planned([
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] },
      { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.large', 'c5.large'] },
    ]),
    pool,
    'spot-pool-x',
  );
  expect(claim.metadata).toEqual({
    name: 'spot-pool-x',
    generateName: 'spot-pool-',
    labels: {
      team: 'a',
      'karpenter.sh/nodepool': 'spot-pool',
      'karpenter.k8s.aws/ec2nodeclass': 'default',
    },
    annotations: {
      note: 'kept',
      'karpenter.sh/nodepool-hash': nodePoolHash(pool),
      'karpenter.sh/nodepool-hash-version': 'v3',
    },
    ownerReferences: [
      {
        apiVersion: 'karpenter.sh/v1',
        kind: 'NodePool',
        name: 'spot-pool',
        uid: 'pool-uid',
        blockOwnerDeletion: true,
      },
    ],
  });
  expect(claim.spec).toEqual({
    requirements: [
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] },
      {
        key: 'node.kubernetes.io/instance-type',
        operator: 'In',
        values: ['c5.large', 'm5.large'],
        minValues: 2,
      },
    ],
    resources: { requests: { cpu: '1500m', memory: '1Gi', pods: '3' } },
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    taints: [{ key: 'dedicated', effect: 'NoSchedule' }],
    startupTaints: [{ key: 'cni', effect: 'NoExecute' }],
    expireAfter: '24h',
    terminationGracePeriod: '10m',
  });
});

test('a claim with less variety than its pool asks for asks for what there is, and says so', () => {
  const terms = [
    { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.large'] },
  ] as const;
  const claim = claimOf(planned(terms, types.slice(0, 1)), pool, 'x');
  expect(claim.spec.requirements).toEqual([{ ...terms[0], minValues: 1 }]);
  expect(claim.metadata.annotations).toMatchObject({
    'karpenter.sh/nodeclaim-min-values-relaxed': 'true',
  });
});

test('labels of the user get a value that the pods asked for, or any that is allowed', () => {
  const claim = claimOf(
    planned([
      { key: 'example.com/shape', operator: 'In', values: ['round', 'flat'] },
      { key: 'example.com/any', operator: 'Exists' },
      { key: 'example.com/number', operator: 'Gt', values: ['4'] },
      { key: 'example.com/other', operator: 'NotIn', values: ['0'] },
      { key: 'example.com/none', operator: 'DoesNotExist' },
      { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
      { key: 'kubernetes.io/hostname', operator: 'In', values: ['h'] },
      { key: 'metadata.name', operator: 'NotIn', values: ['h'] },
    ]),
    pool,
    'x',
  );
  expect(claim.metadata.labels).toMatchObject({
    'example.com/shape': 'flat',
    'example.com/any': '0',
    'example.com/number': '5',
    'example.com/other': '1',
  });
  expect(claim.metadata.labels).not.toHaveProperty(['example.com/none']);
  expect(claim.metadata.labels).not.toHaveProperty(['kubernetes.io/arch']);
  for (const name of ['kubernetes.io/hostname', 'metadata.name']) {
    expect(claim.spec.requirements.map(({ key }) => key)).not.toContain(name);
    expect(claim.metadata.labels).not.toHaveProperty([name]);
  }
});

test.each<{ name: string; terms: Parameters<typeof requirementsOf>[0]; value: string | undefined }>(
  [
    {
      name: 'below nought has none, for no label can have a minus sign',
      terms: [{ key: 'example.com/n', operator: 'Lt', values: ['0'] }],
      value: undefined,
    },
    {
      name: 'below one is nought',
      terms: [{ key: 'example.com/n', operator: 'Lt', values: ['1'] }],
      value: '0',
    },
    {
      name: 'above a negative number is nought',
      terms: [{ key: 'example.com/n', operator: 'Gt', values: ['-7'] }],
      value: '0',
    },
    {
      name: 'skips those that are excluded',
      terms: [
        { key: 'example.com/n', operator: 'Gt', values: ['1'] },
        { key: 'example.com/n', operator: 'NotIn', values: ['2', '3', '9'] },
      ],
      value: '4',
    },
    {
      name: 'has none where all within the bounds are excluded',
      terms: [
        { key: 'example.com/n', operator: 'Gt', values: ['1'] },
        { key: 'example.com/n', operator: 'Lt', values: ['4'] },
        { key: 'example.com/n', operator: 'NotIn', values: ['2', '3'] },
      ],
      value: undefined,
    },
  ],
)('the value of a bounded label $name', ({ terms, value }) => {
  const { metadata } = claimOf(planned(terms), pool, 'x');
  expect(metadata.labels?.['example.com/n']).toBe(value);
});
