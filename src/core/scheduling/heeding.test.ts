import { expect, test } from 'vitest';
import { aNode, aPod, aPool, aSnapshot, aType, pods } from '../../../test/validator/builders.ts';
import { zoneTerm } from '../../../test/validator/sample-plans.ts';
import type { Node } from '../cluster/snapshot.ts';
import { labels } from '../requirements/well-known.ts';
import type { Plan } from './plan.ts';
import { solve } from './solve.ts';

const type = aType({ name: 'm.large', cpu: 4, memoryGi: 16, onDemandUsd: 1 });
const pools = [aPool({ instanceTypes: [type] })];

const nodeIn = (zone: string, cpu: number): Node =>
  aNode({
    name: `in-${zone}`,
    labels: { [labels.zone]: zone },
    allocatable: { cpu, memory: 2 ** 34, pods: 10 },
  });

const placesIn = (plan: Plan): readonly string[] =>
  plan.placements.map(({ pod, nodeName }) => `${pod.name} ${nodeName}`).sort();

test('who can go to one node only finds room there, though larger pods could fill it', () => {
  const nodes = [nodeIn('a', 4_000), nodeIn('b', 4_000)];
  const large = aPod({ name: 'large', cpuMillis: 3_000 });
  const choosy = aPod({
    name: 'choosy',
    cpuMillis: 2_000,
    wants: [[{ key: labels.zone, operator: 'In', values: ['a'] }]],
  });
  const plan = solve(aSnapshot({ nodes, pools }), [large, choosy]);
  expect(placesIn(plan)).toEqual(['choosy in-a', 'large in-b']);
  expect(plan.newNodes).toEqual([]);
});

test('but not before pods that matter more', () => {
  const nodes = [nodeIn('a', 4_000), nodeIn('b', 2_000)];
  const large = aPod({ name: 'large', cpuMillis: 3_000, priority: 10 });
  const choosy = aPod({
    name: 'choosy',
    cpuMillis: 2_000,
    wants: [[{ key: labels.zone, operator: 'In', values: ['a'] }]],
  });
  const plan = solve(aSnapshot({ nodes, pools }), [large, choosy]);
  expect(placesIn(plan)).toEqual(['large in-a']);
  expect(plan.newNodes.map((node) => node.pods)).toEqual([[choosy]]);
});

test('the first of those that must be together goes where most of them find room', () => {
  const nodes = [nodeIn('a', 1_000), nodeIn('b', 1_500), nodeIn('c', 4_000), nodeIn('d', 2_000)];
  const together = pods(4, { cpuMillis: 1_000, labels: { app: 'web' }, affinity: [zoneTerm] });
  const plan = solve(aSnapshot({ nodes, pools }), together);
  expect(new Set(plan.placements.map(({ nodeName }) => nodeName))).toEqual(new Set(['in-c']));
  expect(plan.newNodes).toEqual([]);
});
