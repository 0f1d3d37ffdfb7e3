import { expect, test } from 'vitest';
import { aPool, aSnapshot, aType, gibibyte, pods } from '../../../test/validator/builders.ts';
import { validatePlan } from '../../../test/validator/validate-plan.ts';
import { solve } from './solve.ts';

test('what a smaller machine leaves of a limit goes to those that matter most', () => {
  const instanceTypes = [
    aType({ name: 'm5.large', cpu: 2, memoryGi: 8, onDemandUsd: 0.1 }),
    aType({ name: 'm5.xlarge', cpu: 4, memoryGi: 16, onDemandUsd: 0.2 }),
    aType({ name: 'c5.xlarge', cpu: 4, memoryGi: 4, onDemandUsd: 0.17 }),
  ];
  const limits = { memory: 8 * gibibyte };
  const snapshot = aSnapshot({ pools: [aPool({ instanceTypes, limits })] });
  const waiting = [
    ...pods(4, { name: 'large', cpuMillis: 2000, memoryGi: 3, priority: 1000 }),
    ...pods(1, { name: 'lean', cpuMillis: 2000, memoryGi: 0.25, priority: 1000 }),
    ...pods(1, { name: 'small', cpuMillis: 1000, memoryGi: 0.25, priority: 100 }),
    ...pods(4, { name: 'last', cpuMillis: 3000, memoryGi: 1 }),
  ];
  const plan = solve(snapshot, waiting);
  expect(validatePlan(snapshot, waiting, plan)).toEqual([]);
  const placed = plan.newNodes.flatMap((node) => node.pods);
  expect(placed.map(({ name }) => name).sort()).toEqual([
    'large-0',
    'large-1',
    'lean-0',
    'small-0',
  ]);
});

test('where a limit stops part of a small batch, room is sought in several ways, for those that matter most', () => {
  const instanceTypes = [
    aType({ name: 'm5.large', cpu: 2, memoryGi: 8, onDemandUsd: 0.11, spotUsd: 0.05 }),
    aType({ name: 'm5.xlarge', cpu: 4, memoryGi: 16, onDemandUsd: 0.15 }),
  ];
  const limits = { memory: 16 * gibibyte };
  const snapshot = aSnapshot({ pools: [aPool({ instanceTypes, limits })] });
  // Two of the cheaper machines use up the limit and hold but two of the important pods.
  const important = [
    ...pods(2, { name: 'wide', cpuMillis: 250, memoryGi: 6, priority: 1000 }),
    ...pods(1, { name: 'busy', cpuMillis: 2000, memoryGi: 3, priority: 1000 }),
  ];
  const waiting = [
    ...important,
    ...pods(5, { name: 'lesser', cpuMillis: 1000, memoryGi: 3 }),
    ...pods(5, { name: 'least', cpuMillis: 250, memoryGi: 0.25 }),
  ];
  const plan = solve(snapshot, waiting);
  expect(validatePlan(snapshot, waiting, plan)).toEqual([]);
  const placed = plan.newNodes.flatMap((node) => node.pods.map(({ name }) => name));
  expect(placed).toEqual(expect.arrayContaining(important.map(({ name }) => name)));
});
