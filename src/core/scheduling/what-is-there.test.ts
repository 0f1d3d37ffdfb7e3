import { describe, expect, test } from 'vitest';
import { aNode, aPod, aPool, aSnapshot, aType } from '../../../test/validator/builders.ts';
import { overZones } from '../../../test/validator/sample-plans.ts';
import { requirementsOf } from '../requirements/requirements.ts';
import { labels } from '../requirements/well-known.ts';
import { solve } from './solve.ts';

const isWeb = { labels: { app: 'web' } };

describe('a pod that fits what is there only by giving in loses its place to nobody who matters no more', () => {
  const red = requirementsOf([{ key: 'team', operator: 'In', values: ['red'] }]);
  const large = aPod({
    name: 'large',
    cpuMillis: 3_000,
    nodePreferences: [{ weight: 1, requirements: red }],
  });
  const small = aPod({ name: 'small', cpuMillis: 2_000, spread: [overZones], ...isWeb });
  const nodes = [aNode({ labels: { [labels.zone]: 'a' } })];

  test('where no machine is large enough for it', () => {
    const type = aType({ name: 'm.large', cpu: 2, memoryGi: 8, onDemandUsd: 1 });
    const pools = [aPool({ instanceTypes: [type] })];
    const plan = solve(aSnapshot({ nodes, pools }), [large, small]);
    expect(plan.unplaced).toEqual([]);
    expect(plan.placements.map(({ pod }) => pod.name)).toEqual(['large']);
  });

  test('where a limit is used up', () => {
    const type = aType({ name: 'm.large', cpu: 4, memoryGi: 8, onDemandUsd: 1 });
    const pools = [aPool({ instanceTypes: [type], limits: { nodes: 1 } })];
    const tiny = aPod({ name: 'tiny', cpuMillis: 1_500 });
    const plan = solve(aSnapshot({ nodes, pools }), [{ ...large, priority: 10 }, small, tiny]);
    expect(plan.placements.map(({ pod }) => pod.name)).toEqual(['large']);
  });
});

test('who would fit what is there by giving in, but buys, keeps nobody from being there first', () => {
  const spot = requirementsOf([{ key: labels.capacityType, operator: 'In', values: ['spot'] }]);
  const wishful = aPod({
    name: 'wishful',
    priority: 10,
    nodePreferences: [{ weight: 1, requirements: spot }],
  });
  // It is not counted itself, but has to be where few of the others are.
  const apart = aPod({ name: 'apart', cpuMillis: 3_000, spread: [overZones] });
  const web = aPod({ name: 'web', cpuMillis: 2_000, ...isWeb });
  const resident = aPod({ name: 'resident', cpuMillis: 2_000, ...isWeb });
  const node = aNode({ labels: { [labels.zone]: 'a' }, pods: [resident] });
  const type = aType({ name: 'm.large', cpu: 4, memoryGi: 8, onDemandUsd: 2, spotUsd: 1 });
  const snapshot = aSnapshot({ nodes: [node], pools: [aPool({ instanceTypes: [type] })] });
  const plan = solve(snapshot, [wishful, apart, web]);
  expect(plan.placements.map(({ pod }) => pod.name)).toEqual(['web']);
  const order = plan.newNodes.find(({ pods }) => pods.includes(apart));
  expect(order?.cheapest.zone).not.toBe('a');
});
