import { describe, expect, test } from 'vitest';
import { anOffering, aPool, aSnapshot, aType, pods } from '../../../../test/validator/builders.ts';
import { validatePlan } from '../../../../test/validator/validate-plan.ts';
import type { InstanceType } from '../../catalog/instance-type.ts';
import type { Pod } from '../../cluster/pod.ts';
import type { Pool } from '../../cluster/snapshot.ts';
import type { Plan } from '../plan.ts';
import { type SolveSettings, solve } from '../solve.ts';

/** A machine for two pods, with its spot price in cents in every zone where it is sold. */
function machine(name: string, cents: Readonly<Record<string, number>>): InstanceType {
  const offerings = Object.entries(cents).map(([zone, price]) =>
    anOffering({ zone, capacityType: 'spot', priceUsdPerHour: price / 100 }),
  );
  return aType({ name, cpu: 2, memoryGi: 8, offerings });
}

function planFor(waiting: readonly Pod[], pool: Partial<Pool>, settings: SolveSettings = {}): Plan {
  const snapshot = aSnapshot({ pools: [aPool(pool)] });
  const plan = solve(snapshot, waiting, settings);
  expect(validatePlan(snapshot, waiting, plan)).toEqual([]);
  expect(plan.unplaced).toEqual([]);
  return plan;
}

const costOf = ({ newNodes }: Plan): number =>
  newNodes.reduce((sum, node) => sum + node.cheapest.priceUsdPerHour, 0);

/** How many of a plan's pods are in each spot pool. */
function podsByPool({ newNodes }: Plan): Readonly<Record<string, number>> {
  const pools: Record<string, number> = {};
  for (const { cheapest, pods: own } of newNodes) {
    const name = `${cheapest.instanceType} ${cheapest.zone}`;
    pools[name] = (pools[name] ?? 0) + own.length;
  }
  return pools;
}

const hundred = pods(100, { cpuMillis: 1000 });
/** What the original would buy for all of them: the largest machine there is. */
const giant = aType({
  name: 'giant',
  cpu: 128,
  memoryGi: 512,
  offerings: [anOffering({ zone: 'a', capacityType: 'spot', priceUsdPerHour: 8 })],
});
const few = [machine('m.large', { a: 10, b: 10.5 }), machine('n.large', { a: 10.5 })];
const nearby = [...few, giant];

describe('spot pools of nearly one price', () => {
  test('share the pods, as far as two per cent of the price go', () => {
    const plan = planFor(hundred, { instanceTypes: nearby });
    expect(costOf(plan)).toBeCloseTo(5 * 1.02);
    expect(podsByPool(plan)).toEqual({ 'm.large a': 60, 'm.large b': 20, 'n.large a': 20 });
  });

  test('share the pods evenly where the price is one', () => {
    const equal = [machine('m.large', { a: 10, b: 10 }), machine('n.large', { a: 10, b: 10 })];
    const plan = planFor(hundred, { instanceTypes: equal });
    const shares = Object.values(podsByPool(plan));
    expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(2);
    expect(shares).toHaveLength(4);
  });

  test.each([
    { caution: 0.2, shares: { 'm.large a': 100 } },
    { caution: 0.4, shares: { 'm.large a': 60, 'm.large b': 20, 'n.large a': 20 } },
  ])(
    'share them at no extra price where the original would pay as little, but for more caution',
    ({ caution, shares }) => {
      expect(podsByPool(planFor(hundred, { instanceTypes: few }, { caution }))).toEqual(shares);
    },
  );

  test.each([
    { caution: 0, largest: 100 },
    { caution: 0.1, largest: 80 },
    { caution: 0.2, largest: 60 },
    { caution: 1, largest: 34 },
  ])('share them the more, the greater the caution: $caution', ({ caution, largest }) => {
    const plan = planFor(hundred, { instanceTypes: nearby }, { caution });
    expect(Math.max(...Object.values(podsByPool(plan)))).toBe(largest);
  });

  test('do not share a small batch, which is planned by price alone', () => {
    const plan = planFor(pods(64, { cpuMillis: 1000 }), { instanceTypes: nearby });
    expect(podsByPool(plan)).toEqual({ 'm.large a': 64 });
  });
});

test('an order in another pool does not allow the pool that it was moved out of', () => {
  const plan = planFor(hundred, { instanceTypes: nearby });
  const moved = plan.newNodes.filter(({ cheapest }) => cheapest.priceUsdPerHour > 0.1);
  expect(moved).toHaveLength(20);
  for (const { instanceTypes, requirements } of moved) {
    const isOfType = instanceTypes.some(({ name }) => name === 'm.large');
    const zones = requirements.get('topology.kubernetes.io/zone')?.values;
    expect(isOfType && (zones === undefined || zones.has('a'))).toBe(false);
  }
});

test('a much dearer pool is left alone', () => {
  const plan = planFor(hundred, { instanceTypes: [machine('m.large', { a: 10, b: 16 })] });
  expect(podsByPool(plan)).toEqual({ 'm.large a': 100 });
});

test('a pool that insists on variety keeps its cheapest purchases', () => {
  const minValues = new Map([['karpenter.k8s.aws/instance-family', 2]]);
  const plan = planFor(hundred, { instanceTypes: nearby, minValues });
  expect(podsByPool(plan)).toEqual({ 'm.large a': 100 });
});

test('limits hold for machines that are exchanged', () => {
  const large = aType({
    name: 'big.large',
    cpu: 4,
    memoryGi: 8,
    offerings: [anOffering({ zone: 'b', capacityType: 'spot', priceUsdPerHour: 0.105 })],
    allocatable: { cpu: 2000, memory: 8 * 2 ** 30, pods: 110 },
  });
  const instanceTypes = [machine('m.large', { a: 10 }), large, giant];
  const roomy = planFor(hundred, { instanceTypes, limits: { cpu: 300_000 } });
  expect(podsByPool(roomy)).toEqual({ 'm.large a': 60, 'big.large b': 40 });
  const tight = planFor(hundred, { instanceTypes, limits: { cpu: 106_000 } });
  expect(podsByPool(tight)).toEqual({ 'm.large a': 94, 'big.large b': 6 });
});

test('the plan is the same in whatever order pods and types come', () => {
  const turned = planFor([...hundred].reverse(), { instanceTypes: [...nearby].reverse() });
  const plan = planFor(hundred, { instanceTypes: nearby });
  const told = ({ newNodes }: Plan): unknown =>
    newNodes.map(({ cheapest, pods: own }) => [cheapest, own.map(({ name }) => name)]);
  expect(told(turned)).toEqual(told(plan));
});
