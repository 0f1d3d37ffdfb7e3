import { expect, test } from 'vitest';
import {
  aNode,
  aPod,
  aPool,
  aSnapshot,
  aType,
  gibibyte,
  pods,
} from '../../../test/validator/builders.ts';
import { validatePlan } from '../../../test/validator/validate-plan.ts';
import { labels } from '../requirements/well-known.ts';
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

const web = { labels: { app: 'web' } };
const nearWeb = {
  topologyKey: labels.zone,
  selector: { matchLabels: web.labels },
  namespaces: ['default'],
};
const important = aPod({
  ...web,
  name: 'important',
  cpuMillis: 1_000,
  priority: 10,
  affinity: [nearWeb],
});
const inB = aType({ name: 'm.large', cpu: 2, memoryGi: 8, zones: ['b'], onDemandUsd: 1 });

test('who must be with others of its kind is not sent elsewhere than those for whom a node is there', () => {
  const allocatable = { cpu: 500, memory: 2 ** 33, pods: 10 };
  const nodes = [aNode({ allocatable, labels: { [labels.zone]: 'a' } })];
  const snapshot = aSnapshot({ nodes, pools: [aPool({ instanceTypes: [inB] })] });
  const waiting = [important, aPod({ ...web, name: 'small', cpuMillis: 100 })];
  const plan = solve(snapshot, waiting);
  // However little it matters, the scheduler binds the small one at once.
  expect(plan.placements.map(({ pod }) => pod.name)).toEqual(['small']);
  expect(plan.unplaced.map(({ pod }) => pod.name)).toEqual(['important']);
});

test('who must be with others of its kind does not wait for a node that is on its way', () => {
  const allocatable = { cpu: 500, memory: 2 ** 33, pods: 10 };
  const inA = { allocatable, labels: { [labels.zone]: 'a' } };
  const pools = [aPool({ instanceTypes: [inB] })];
  const waiting = [important, aPod({ ...web, name: 'small', cpuMillis: 100 })];
  for (const stage of ['ordered', 'launched', 'registered'] as const) {
    const plan = solve(aSnapshot({ nodes: [aNode({ ...inA, stage })], pools }), waiting);
    const placed = plan.newNodes.flatMap((node) => node.pods.map(({ name }) => name));
    expect(placed, stage).toContain('important');
  }
});

test('who must be with others of its kind waits for some that matter less where all find a place', () => {
  const dearInA = aType({ name: 'm.dear', cpu: 2, memoryGi: 8, zones: ['a'], onDemandUsd: 2 });
  const snapshot = aSnapshot({ pools: [aPool({ instanceTypes: [inB, dearInA] })] });
  const wants = [[{ key: labels.zone, operator: 'In' as const, values: ['a'] }]];
  const waiting = [important, aPod({ ...web, name: 'lesser', cpuMillis: 1_500, wants })];
  const plan = solve(snapshot, waiting);
  expect(plan.newNodes.map(({ cheapest }) => cheapest.zone)).toEqual(['a', 'a']);
});

test('a pod that nothing is large enough for changes nothing about who waits for whom', () => {
  const dearInA = aType({ name: 'm.dear', cpu: 2, memoryGi: 8, zones: ['a'], onDemandUsd: 2 });
  const snapshot = aSnapshot({ pools: [aPool({ instanceTypes: [inB, dearInA] })] });
  const wants = [[{ key: labels.zone, operator: 'In' as const, values: ['a'] }]];
  const lesser = aPod({ ...web, name: 'lesser', cpuMillis: 1_500, wants });
  const plan = solve(snapshot, [important, lesser, aPod({ name: 'giant', cpuMillis: 1_000_000 })]);
  expect(plan.unplaced.map(({ pod }) => pod.name)).toEqual(['giant']);
  expect(plan.newNodes.map(({ cheapest }) => cheapest.zone)).toEqual(['a', 'a']);
});

test('who must be with others of its kind does not wait for some that matter less where it would lose its place', () => {
  const smallInA = aType({ name: 'm.small', cpu: 0.5, memoryGi: 8, zones: ['a'], onDemandUsd: 2 });
  const snapshot = aSnapshot({ pools: [aPool({ instanceTypes: [inB, smallInA] })] });
  const wants = [[{ key: labels.zone, operator: 'In' as const, values: ['a'] }]];
  const waiting = [important, aPod({ ...web, name: 'lesser', cpuMillis: 100, wants })];
  const plan = solve(snapshot, waiting);
  const placed = plan.newNodes.flatMap((node) => node.pods.map(({ name }) => name));
  expect(placed).toContain('important');
});
