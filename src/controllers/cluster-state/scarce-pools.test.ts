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

test('as long as spot is to be had at no fair price, the pauses between two orders grow', () => {
  const scarce = new ScarcePools();
  const claim = refusedClaim('spot', 60);
  const pauses: number[] = [];
  let nowMs = 0;
  for (let round = 0; round < 5; round++) {
    const pauseMs = scarce.pauseMs(claim, nowMs);
    pauses.push(pauseMs);
    expect(scarce.pauseMs(claim, nowMs + 1_000)).toBe(pauseMs - 1_000);
    nowMs += pauseMs + 8_000;
  }
  expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 40_000]);
  expect(scarce.pauseMs(refusedClaim('reserve', 60), nowMs)).toBe(5_000);
  expect(scarce.pauseMs(claim, nowMs + 40_000)).toBe(5_000);
});

test('pauses that are long over are forgotten, whatever became of their pools', () => {
  const scarce = new ScarcePools();
  for (let run = 0; run < 100; run++) scarce.pauseMs(refusedClaim(`run-${run}`, 60), run * 60_000);
  expect(scarce.size).toBe(1);
});
