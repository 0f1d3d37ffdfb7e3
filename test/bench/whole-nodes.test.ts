import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lowerBound } from '../../bench/bound/lower-bound.ts';
import { loadSolver } from '../../bench/bound/solver.ts';
import type { Question, Shape } from '../../bench/bound/whole/question.ts';
import { spreadsOf } from '../../bench/bound/whole/spreads.ts';
import { boundOf, wholeNodeBound } from '../../bench/bound/whole/whole-nodes.ts';
import { questionOf } from '../../bench/cluster/decode.ts';
import { instanceTypesOf } from '../../bench/cluster/instance-types.ts';
import { scenarioOf } from '../../bench/cluster/scenario.ts';
import { generic } from '../../bench/kwok-types.mjs';
import { typesFrom } from '../../bench/workloads/types.mjs';
import { generate } from '../../bench/workloads.mjs';
import { solve } from '../../src/core/scheduling/solve.ts';
import { cheapestByHand } from './cheapest-by-hand.ts';

const highs = await loadSolver();
const silent = (): void => {};

/** A shape that takes every demand, as many as fit. */
function aShape(question: Pick<Question, 'amounts' | 'sizes'>, shape: Omit<Shape, 'most'>): Shape {
  const most = question.sizes.map((size, d) =>
    Math.min(
      question.amounts[d] ?? 0,
      ...size.map((asked, r) => Math.floor((shape.free[r] ?? 0) / asked)),
    ),
  );
  return { ...shape, most };
}

test('three pods that each need more than half a node cost three nodes', () => {
  const pods = { amounts: [3], sizes: [[2]] };
  const shapes = [aShape(pods, { name: 'a', zone: 'a', price: 1, free: [3] })];
  expect(boundOf(highs, { ...pods, spreads: [], shapes }, silent)).toBeCloseTo(3, 2);
});

test('a node holds no more pods of a kind than there are', () => {
  // Two large pods fill a node; one of them alone still costs all of it, or half as much elsewhere.
  const pods = { amounts: [1], sizes: [[5]] };
  const shapes = [
    aShape(pods, { name: 'large', zone: 'a', price: 1, free: [10] }),
    aShape(pods, { name: 'small', zone: 'a', price: 0.9, free: [5] }),
  ];
  expect(boundOf(highs, { ...pods, spreads: [], shapes }, silent)).toBeCloseTo(0.9, 2);
});

test.each([
  { maxSkew: 1, least: 2, most: 2, cost: 3 * 1 + 2 * 10 },
  { maxSkew: 1, least: 0, most: 5, cost: 3 * 1 + 2 * 10 },
  { maxSkew: 3, least: 1, most: 2, cost: 4 * 1 + 1 * 10 },
])('five pods over a cheap zone and a dear one with a skew of $maxSkew cost $cost', (given) => {
  const pods = { amounts: [5], sizes: [[1]] };
  const shapes = [
    aShape(pods, { name: 'cheap', zone: 'a', price: 1, free: [1] }),
    aShape(pods, { name: 'dear', zone: 'b', price: 10, free: [1] }),
  ];
  const zones = ['a', 'b'].map((zone) => ({ zone, isShared: true }));
  const { maxSkew, least, most, cost } = given;
  const spreads = [{ members: [0], maxSkew, zones, least, most }];
  const bound = boundOf(highs, { ...pods, spreads, shapes }, silent);
  expect(bound).toBeGreaterThan(cost * 0.998);
  expect(bound).toBeLessThanOrEqual(cost + 1e-6);
});

const size = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }));
const demand = fc.record({ size, amount: fc.integer({ min: 1, max: 3 }) });
const shape = fc.record({
  price: fc.integer({ min: 1, max: 9 }),
  free: fc.tuple(fc.integer({ min: 4, max: 9 }), fc.integer({ min: 4, max: 9 })),
});

test('nothing that is tried by hand costs less than the bound', () => {
  let tight = 0;
  fc.assert(
    fc.property(
      fc.array(demand, { minLength: 1, maxLength: 3 }),
      fc.array(shape, { minLength: 1, maxLength: 3 }),
      (demands, machines) => {
        const pods = {
          amounts: demands.map(({ amount }) => amount),
          sizes: demands.map((one) => one.size),
        };
        const shapes = machines.map((machine, s) =>
          aShape(pods, { name: `${s}`, zone: 'a', ...machine }),
        );
        const question = { ...pods, spreads: [], shapes };
        const [bound, cheapest] = [boundOf(highs, question, silent), cheapestByHand(question)];
        expect(bound).toBeLessThanOrEqual(cheapest + 1e-6);
        if (bound > cheapest * 0.99) tight++;
      },
    ),
    { numRuns: 100, seed: 1 },
  );
  // Fractions of nodes remain, yet most of such small cases leave none of use.
  expect(tight).toBeGreaterThan(50);
});

const zonalShape = fc.record({
  zone: fc.constantFrom('a', 'b'),
  price: fc.integer({ min: 1, max: 9 }),
  // Some hold not every pod, so that a zone may be of no use to one of those who are spread.
  free: fc.tuple(fc.integer({ min: 2, max: 9 }), fc.integer({ min: 2, max: 9 })),
});
const zonalDemand = fc.record({
  size,
  amount: fc.integer({ min: 1, max: 3 }),
  spread: fc.constantFrom(0, 0, undefined),
});

test('nothing that is tried by hand and spread over zones costs less than the bound', () => {
  let [dearer, tight] = [0, 0];
  fc.assert(
    fc.property(
      fc.array(zonalDemand, { minLength: 1, maxLength: 3 }),
      fc.array(zonalShape, { minLength: 2, maxLength: 4 }),
      fc.integer({ min: 1, max: 2 }),
      (demands, machines, maxSkew) => {
        const pods = {
          amounts: demands.map(({ amount }) => amount),
          sizes: demands.map((one) => one.size),
        };
        const shapes = machines.map((machine, s) => aShape(pods, { name: `${s}`, ...machine }));
        fc.pre(demands.every((_, d) => shapes.some(({ most }) => (most[d] ?? 0) > 0)));
        const takers = shapes.map(({ zone, most }) => ({
          cell: { offering: { zone } },
          takes: most.map((count) => count > 0),
        }));
        const spreads = spreadsOf({ demands, spreads: [maxSkew] }, takers);
        const question = { ...pods, spreads, shapes };
        const [bound, cheapest] = [boundOf(highs, question, silent), cheapestByHand(question)];
        expect(bound).toBeLessThanOrEqual(cheapest + 1e-6);
        if (cheapest > cheapestByHand({ ...question, spreads: [] })) dearer++;
        if (bound > cheapest * 0.99) tight++;
      },
    ),
    { numRuns: 100, seed: 1 },
  );
  // Being spread costs something in some of them, and the bound knows of it.
  expect(dearer).toBeGreaterThan(20);
  expect(tight).toBeGreaterThan(50);
});

test.each(['web', 'constrained', 'anti-affinity', 'diverse', 'spread-xl', 'stateful'])(
  'a plan for pods of %s costs no less than on whole nodes, and these no less than fractions of them',
  async (family) => {
    const raw = generic().filter((_, index) => index % 5 === 0);
    const { items } = generate({ family, pods: 12, seed: 3, types: typesFrom(raw) });
    const { snapshot, pods } = questionOf(scenarioOf({ items }), instanceTypesOf(raw));
    const { newNodes } = solve(snapshot, pods);
    const placed = newNodes.flatMap((node) => node.pods);
    const cost = newNodes.reduce((sum, node) => sum + node.cheapest.priceUsdPerHour, 0);
    const whole = await wholeNodeBound(snapshot, placed, { mostPods: Infinity, report: silent });
    expect(whole).toBeLessThanOrEqual(cost * (1 + 1e-9));
    expect(whole).toBeGreaterThan((await lowerBound(snapshot, placed)) * 0.998);
  },
);
