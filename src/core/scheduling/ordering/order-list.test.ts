import { describe, expect, test } from 'vitest';
import {
  anOffering,
  aPool,
  aSnapshot,
  aType,
  pods,
  type TypeWish,
} from '../../../../test/validator/builders.ts';
import { validatePlan } from '../../../../test/validator/validate-plan.ts';
import type { InstanceType } from '../../catalog/instance-type.ts';
import type { Pod } from '../../cluster/pod.ts';
import type { Pool } from '../../cluster/snapshot.ts';
import { labels } from '../../requirements/well-known.ts';
import type { NewNode } from '../plan.ts';
import { solve } from '../solve.ts';

/** The order for one pod; the validator looks at it too. */
function orderFrom(pool: Partial<Pool>, waiting: readonly Pod[] = pods(1)): NewNode {
  const snapshot = aSnapshot({ pools: [aPool(pool)] });
  const plan = solve(snapshot, waiting);
  expect(validatePlan(snapshot, waiting, plan)).toEqual([]);
  const [node] = plan.newNodes;
  if (node === undefined) throw new Error('nothing was ordered');
  return node;
}

const namesOf = ({ instanceTypes }: NewNode): readonly string[] =>
  instanceTypes.map(({ name }) => name);

const valuesOf = ({ requirements }: NewNode, key: string): readonly string[] =>
  [...(requirements.get(key)?.values ?? [])].sort();

/** Machines of one size, at these spot prices in cents; on demand each costs a dollar. */
function machines(cents: readonly number[], wish: Partial<TypeWish> = {}): readonly InstanceType[] {
  return cents.map((price, index) =>
    aType({
      name: `x${index + 10}.large`,
      cpu: 2,
      memoryGi: 8,
      spotUsd: price / 100,
      onDemandUsd: 1,
      ...wish,
    }),
  );
}

/** What a type costs as spot in each zone, in cents. */
function inZones(name: string, cents: Readonly<Record<string, number>>): InstanceType {
  const offerings = Object.entries(cents).map(([zone, price]) =>
    anOffering({ zone, capacityType: 'spot', priceUsdPerHour: price / 100 }),
  );
  return aType({ name, cpu: 2, memoryGi: 8, offerings });
}

const rising = (first: number, step: number): readonly number[] =>
  Array.from({ length: 80 }, (_, index) => first + step * index);

describe('how many types an order names', () => {
  test.each([
    { what: 'all up to one and a half times the price', cents: rising(10, 0.25), types: 21 },
    { what: 'no more than sixty', cents: rising(10, 0.01), types: 60 },
    { what: 'ten, where it takes up to two and a half times', cents: rising(10, 1.5), types: 10 },
    { what: 'fewer than ten rather than dearer ones', cents: rising(10, 2.5), types: 7 },
    { what: 'five, whatever they cost', cents: rising(10, 10), types: 5 },
    { what: 'what there is', cents: [10, 11], types: 2 },
  ])('$what', ({ cents, types }) => {
    const order = orderFrom({ instanceTypes: machines(cents) });
    expect(order.instanceTypes).toHaveLength(types);
    expect(order.cheapest.priceUsdPerHour).toBe(0.1);
    expect(order.dearest?.priceUsdPerHour).toBeCloseTo((cents[types - 1] ?? 0) / 100);
  });
});

describe('a type that is dear in one zone', () => {
  const even = Array.from({ length: 12 }, (_, i) => inZones(`e${i + 10}.large`, { a: 10, b: 11 }));

  test('is not named, where others are cheap in every zone', () => {
    const order = orderFrom({ instanceTypes: [...even, inZones('z.large', { a: 10, b: 40 })] });
    expect(namesOf(order)).toEqual(even.map(({ name }) => name));
    expect(order.requirements.has(labels.zone)).toBe(false);
  });

  test('is named if it is the planned one, and costs the order that zone', () => {
    const order = orderFrom({ instanceTypes: [...even, inZones('z.large', { a: 9, b: 40 })] });
    expect(namesOf(order)[0]).toBe('z.large');
    expect(order.instanceTypes).toHaveLength(13);
    expect(valuesOf(order, labels.zone)).toEqual(['a']);
  });

  test('costs the order that zone, where most types are dear there', () => {
    const uneven = Array.from({ length: 12 }, (_, index) =>
      inZones(`z${index + 10}.large`, { a: 10, b: 11, c: 40 }),
    );
    const order = orderFrom({ instanceTypes: uneven });
    expect(order.instanceTypes).toHaveLength(12);
    expect(valuesOf(order, labels.zone)).toEqual(['a', 'b']);
    expect(order.dearest).toMatchObject({ zone: 'b', priceUsdPerHour: 0.11 });
  });
});

describe('the kind of capacity', () => {
  test('is the planned one alone, where the other is dear: a plan made anew is cheaper', () => {
    const order = orderFrom({ instanceTypes: machines(rising(10, 0.25)) });
    expect(valuesOf(order, labels.capacityType)).toEqual(['spot']);
  });

  test('is left open, where either keeps the promise', () => {
    const order = orderFrom({ instanceTypes: machines(rising(10, 0.25), { onDemandUsd: 0.14 }) });
    expect(valuesOf(order, labels.capacityType)).toEqual(['on-demand', 'spot']);
    expect(order.dearest?.priceUsdPerHour).toBeCloseTo(0.14);
  });

  test('on demand is a bound on what is paid for spot', () => {
    const order = orderFrom({ instanceTypes: machines([10, 13, 16, 19], { onDemandUsd: 0.17 }) });
    expect(order.instanceTypes).toHaveLength(3);
  });
});

describe('bare metal and accelerators', () => {
  const plain = machines([10, 11]);
  const metal = aType({ name: 'x.metal', cpu: 2, memoryGi: 8, spotUsd: 0.105 });
  const withGpu = { cpu: 2000, memory: 8 * 2 ** 30, pods: 110, 'nvidia.com/gpu': 1 };
  const gpu = {
    ...aType({ name: 'g.large', cpu: 2, memoryGi: 8, spotUsd: 0.1, allocatable: withGpu }),
    capacity: withGpu,
  };

  test('are not named beside machines that a launch prefers to them', () => {
    expect(namesOf(orderFrom({ instanceTypes: [...plain, metal] }))).toEqual([
      'x10.large',
      'x11.large',
    ]);
  });

  test('are named by themselves for pods that need them', () => {
    const waiting = pods(1, { requests: { 'nvidia.com/gpu': 1 } });
    expect(namesOf(orderFrom({ instanceTypes: [...plain, gpu] }, waiting))).toEqual(['g.large']);
  });
});

describe('when much that would do has run dry', () => {
  /** Of so many machines at a spot price of ten cents or a little more there are none left. */
  function afterRefusals(dry: number, { isUnusable = false } = {}): NewNode {
    const gone = machines(rising(10, 0.01).slice(0, dry), { zones: ['a'] }).map((type) => ({
      ...type,
      isUnusable,
      offerings: type.offerings.map((one) => ({
        ...one,
        isAvailable: one.capacityType !== 'spot' && !isUnusable,
      })),
    }));
    const left = rising(11, 1).map((price, index) =>
      aType({
        name: `y${index + 10}.large`,
        cpu: 2,
        memoryGi: 8,
        zones: ['a'],
        spotUsd: price / 100,
        onDemandUsd: 1,
      }),
    );
    return orderFrom({ instanceTypes: [...gone, ...left] });
  }

  test('the order may become anything that holds the pods, since a machine beats a promise', () => {
    const order = afterRefusals(10);
    expect(order.instanceTypes).toHaveLength(60);
    expect(valuesOf(order, labels.capacityType)).toEqual(['on-demand', 'spot']);
  });

  test('types that no image fits were never there', () => {
    const order = afterRefusals(10, { isUnusable: true });
    expect(order.instanceTypes).toHaveLength(10);
    expect(valuesOf(order, labels.capacityType)).toEqual(['spot']);
  });

  test('a dry pool or two are nothing unusual', () => {
    const order = afterRefusals(9);
    expect(order.instanceTypes).toHaveLength(10);
    expect(valuesOf(order, labels.capacityType)).toEqual(['spot']);
  });
});

test('an order from a pool with minValues leaves zones and kinds of capacity open', () => {
  const minValues = new Map([['karpenter.k8s.aws/instance-family', 8]]);
  const order = orderFrom({ instanceTypes: machines(rising(10, 10)), minValues });
  expect(order.instanceTypes).toHaveLength(8);
  expect(order.requirements.has(labels.zone)).toBe(false);
  expect(valuesOf(order, labels.capacityType)).toEqual(['on-demand', 'spot']);
});
