import { describe, expect, test } from 'vitest';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import type { NodePool } from '../../api/karpenter/node-pool.ts';
import type { InstanceType } from '../../core/catalog/instance-type.ts';
import { labelsAsRequirements } from '../../core/requirements/requirements.ts';
import { labels } from '../../core/requirements/well-known.ts';
import { spotLimitOf } from './spot-limit.ts';

/** Twenty sizes, each twice as large and as dear as the one before. */
const types: readonly InstanceType[] = Array.from({ length: 20 }, (_, size) => ({
  name: `t${size}`,
  requirements: labelsAsRequirements({
    [labels.instanceType]: `t${size}`,
    'karpenter.k8s.aws/instance-family': size % 2 === 0 ? 'even' : 'odd',
  }),
  capacity: {},
  allocatable: { cpu: 1_000 * 2 ** size },
  offerings: [
    { zone: 'a', capacityType: 'on-demand', priceUsdPerHour: 0.1 * 2 ** size, isAvailable: false },
    { zone: 'a', capacityType: 'spot', priceUsdPerHour: 0.03 * 2 ** size, isAvailable: true },
  ],
}));

const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };

function limit(options: {
  readonly ways: readonly string[];
  readonly listed?: number;
  readonly cpu?: string;
  readonly family?: string;
}): number | undefined {
  const claim: NodeClaim = {
    metadata: { name: 'c', labels: { [labels.nodePool]: 'p' } },
    spec: {
      requirements: [
        { key: labels.capacityType, operator: 'In', values: [...options.ways] },
        {
          key: labels.instanceType,
          operator: 'In',
          values: types.slice(-(options.listed ?? 16)).map(({ name }) => name),
        },
      ],
      resources: { requests: { cpu: options.cpu ?? '900m' } },
      nodeClassRef,
    },
  };
  const family = options.family === undefined ? [] : [options.family];
  const pool: NodePool = {
    metadata: { name: 'p', uid: 'u' },
    spec: {
      template: {
        spec: {
          requirements: family.map((value) => ({
            key: 'karpenter.k8s.aws/instance-family',
            operator: 'In' as const,
            values: [value],
          })),
          nodeClassRef,
        },
      },
    },
  };
  return spotLimitOf({ claim, pool, types });
}

describe('a claim may cost at most', () => {
  test.each([
    { what: 'what the smallest costs on demand', options: { ways: ['spot'] }, usd: 0.1 },
    { what: 'more, when its pods are large', options: { ways: ['spot'], cpu: '7' }, usd: 0.8 },
    { what: 'what its pool takes', options: { ways: ['spot'], family: 'odd' }, usd: 0.2 },
    { what: 'anything, on demand', options: { ways: ['spot', 'on-demand'] }, usd: undefined },
    { what: 'anything, of few types', options: { ways: ['spot'], listed: 3 }, usd: undefined },
  ])('$what', ({ options, usd }) => {
    expect(limit(options)).toBe(usd);
  });
});
