import { expect, test } from 'vitest';
import { decodePool } from '../../api/decode/pool.ts';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import { labels } from '../../core/requirements/well-known.ts';
import { ScarcePools } from './scarce-pools.ts';

const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };

const pools = [
  { name: 'spot', weight: 100 },
  { name: 'reserve', weight: 50 },
  { name: 'steady', weight: 10 },
].map(({ name, weight }) =>
  decodePool(
    {
      metadata: { name },
      spec: { weight, template: { spec: { nodeClassRef, requirements: [] } } },
    },
    { instanceTypes: [] },
  ),
);

function refusedClaim(pool: string, types: number): NodeClaim {
  const values = Array.from({ length: types }, (_, i) => `type-${i}`);
  return {
    metadata: { name: 'claim', labels: { [labels.nodePool]: pool } },
    spec: {
      nodeClassRef,
      requirements: [{ key: labels.instanceType, operator: 'In', values }],
    },
  };
}

function order(scarce: ScarcePools, nowMs: number): readonly string[] {
  const weighed = [...scarce.weighed(pools, nowMs)].sort((a, b) => b.weight - a.weight);
  return weighed.map(({ name }) => name);
}

test('a pool that was refused many types comes last for half a minute', () => {
  const scarce = new ScarcePools();
  scarce.note(refusedClaim('spot', 15), 1_000);
  expect(order(scarce, 1_000)).toEqual(['reserve', 'steady', 'spot']);
  expect(order(scarce, 31_000)).toEqual(['spot', 'reserve', 'steady']);
});

test('a refusal of a few types changes nothing, since each of them is remembered by itself', () => {
  const scarce = new ScarcePools();
  scarce.note(refusedClaim('spot', 14), 0);
  expect(order(scarce, 0)).toEqual(['spot', 'reserve', 'steady']);
});

test('pools that are all scarce keep their order', () => {
  const scarce = new ScarcePools();
  for (const { name } of pools) scarce.note(refusedClaim(name, 60), 0);
  expect(order(scarce, 0)).toEqual(['spot', 'reserve', 'steady']);
});
