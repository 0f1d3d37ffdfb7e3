import { expect, test } from 'vitest';
import type { NodePool } from '../../api/karpenter/node-pool.ts';
import { faultsOf } from './validation.ts';

type Template = NodePool['spec']['template'];

function poolWith(
  spec: Partial<Template['spec']>,
  labels: Readonly<Record<string, string>> = {},
): NodePool {
  const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
  return {
    metadata: { name: 'pool' },
    spec: { template: { metadata: { labels }, spec: { requirements: [], nodeClassRef, ...spec } } },
  };
}

test('an ordinary pool is sound', () => {
  const pool = poolWith({
    requirements: [
      { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand'] },
      { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gt', values: ['3'] },
      { key: 'team', operator: 'Exists' },
    ],
    taints: [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }],
    startupTaints: [{ key: 'dedicated', effect: 'NoExecute' }],
  });
  expect(faultsOf(pool)).toEqual([]);
});

test.each([
  {
    name: 'a taint given twice',
    pool: poolWith({
      taints: [{ key: 'a', effect: 'NoSchedule' }],
      startupTaints: [{ key: 'a', effect: 'NoSchedule' }],
    }),
    fault: 'taint a:NoSchedule is given twice',
  },
  {
    name: 'a taint with a value that no taint can have',
    pool: poolWith({ taints: [{ key: 'a', value: 'b c', effect: 'NoSchedule' }] }),
    fault: 'taint a has the invalid value "b c"',
  },
  {
    name: 'a taint without a name',
    pool: poolWith({ taints: [{ key: '', effect: 'NoSchedule' }] }),
    fault: 'taint "" is not a qualified name',
  },
  {
    name: 'a label that is too long',
    pool: poolWith({}, { ['x'.repeat(64)]: 'a' }),
    fault: `label "${'x'.repeat(64)}" is not a qualified name`,
  },
  {
    name: 'capacity types that are none',
    pool: poolWith({
      requirements: [
        {
          key: 'karpenter.sh/capacity-type',
          operator: 'In',
          values: ['spot', 'cheap'],
          minValues: 2,
        },
      ],
    }),
    fault: 'requirement karpenter.sh/capacity-type names fewer capacity types than its minValues 2',
  },
  {
    name: 'a label of the restricted domain',
    pool: poolWith({}, { 'karpenter.sh/custom': 'x' }),
    fault: 'label karpenter.sh/custom is in the restricted domain karpenter.sh',
  },
  {
    name: 'the hostname',
    pool: poolWith({
      requirements: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['a'] }],
    }),
    fault: 'requirement kubernetes.io/hostname is restricted',
  },
  {
    name: 'no known capacity type',
    pool: poolWith({
      requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['cheap'] }],
    }),
    fault: 'requirement karpenter.sh/capacity-type names none of on-demand, spot and reserved',
  },
  {
    name: 'a bound that is no number',
    pool: poolWith({ requirements: [{ key: 'generation', operator: 'Gt', values: ['x'] }] }),
    fault: 'requirement generation Gt needs exactly one number that is not negative',
  },
  {
    name: 'fewer values than asked for',
    pool: poolWith({
      requirements: [{ key: 'team', operator: 'In', values: ['a'], minValues: 2 }],
    }),
    fault: 'requirement team has fewer values than its minValues 2',
  },
])('a pool with $name is refused', ({ pool, fault }) => {
  expect(faultsOf(pool)).toEqual([fault]);
});
