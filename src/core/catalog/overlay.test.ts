import { describe, expect, test } from 'vitest';
import { aType } from '../../../test/validator/builders.ts';
import { type RequirementTerm, requirementsOf } from '../requirements/requirements.ts';
import { labels } from '../requirements/well-known.ts';
import { applyOverlays, type Overlay, overlaidParts } from './overlay.ts';

const small = aType({ name: 'm5.large', cpu: 2, memoryGi: 8, onDemandUsd: 0.1, spotUsd: 0.04 });
const large = aType({ name: 'c5.xlarge', cpu: 4, memoryGi: 8, onDemandUsd: 0.2, spotUsd: 0.08 });
const pool = { name: 'web', labels: { team: 'a' }, instanceTypes: [small, large] };

interface Wish extends Partial<Omit<Overlay, 'requirements'>> {
  readonly requires?: readonly RequirementTerm[];
}

function anOverlay({ requires = [], ...wish }: Wish): Overlay {
  return { name: 'o', weight: 0, capacity: {}, requirements: requirementsOf(requires), ...wish };
}

function pricesUnder(overlays: readonly Overlay[]): Readonly<Record<string, number>> {
  const types = applyOverlays([pool], overlays).types.get('web') ?? [];
  const prices = types.flatMap((type) =>
    type.offerings.map((offering) => [
      `${type.name} ${offering.zone} ${offering.capacityType}`,
      Math.round(offering.priceUsdPerHour * 1e6) / 1e6,
    ]),
  );
  return Object.fromEntries(prices);
}

const only = (key: string, ...values: string[]): RequirementTerm => ({
  key,
  operator: 'In',
  values,
});
const set = (usdPerHour: number) => ({ kind: 'set', usdPerHour }) as const;

describe('a price', () => {
  test.each([
    { name: 'is set', price: set(0.5), usd: 0.5 },
    { name: 'is raised', price: { kind: 'add', usdPerHour: 0.05 } as const, usd: 0.15 },
    { name: 'never falls below nothing', price: { kind: 'add', usdPerHour: -1 } as const, usd: 0 },
    { name: 'is raised by a share', price: { kind: 'scale', percent: 10 } as const, usd: 0.11 },
    { name: 'is lowered by a share', price: { kind: 'scale', percent: -50 } as const, usd: 0.05 },
  ])('$name', ({ price, usd }) => {
    const prices = pricesUnder([anOverlay({ price })]);
    expect(prices['m5.large a on-demand']).toBe(usd);
  });

  test('changes only where the requirements hold', () => {
    const requires = [only(labels.zone, 'a'), only(labels.capacityType, 'spot')];
    const prices = pricesUnder([anOverlay({ requires, price: set(9) })]);
    const changed = Object.entries(prices).filter(([, usd]) => usd === 9);
    expect(changed.map(([name]) => name)).toEqual(['m5.large a spot', 'c5.xlarge a spot']);
  });

  test('can be changed for one pool, or for the labels of a pool', () => {
    const other = { ...pool, name: 'batch', labels: {} };
    const { types } = applyOverlays(
      [pool, other],
      [
        anOverlay({ name: 'a', requires: [only(labels.nodePool, 'batch')], price: set(1) }),
        anOverlay({ name: 'b', requires: [only('team', 'a')], price: set(2) }),
      ],
    );
    const first = (name: string) => types.get(name)?.[0]?.offerings[0]?.priceUsdPerHour;
    expect([first('web'), first('batch')]).toEqual([2, 1]);
  });
});

describe('of several overlays', () => {
  test('the heaviest counts, offering by offering', () => {
    const prices = pricesUnder([
      anOverlay({ name: 'light', weight: 1, price: set(1) }),
      anOverlay({ name: 'heavy', weight: 2, requires: [only(labels.zone, 'a')], price: set(2) }),
    ]);
    expect(prices['m5.large a spot']).toBe(2);
    expect(prices['m5.large b spot']).toBe(1);
  });

  test('of one weight, the first in the alphabet is left out as a whole', () => {
    const overlays = [
      anOverlay({ name: 'a', price: set(1), capacity: { 'example.com/x': 1 } }),
      anOverlay({ name: 'b', requires: [only(labels.zone, 'a')], price: set(2) }),
    ];
    const { conflicts, types } = applyOverlays([pool], overlays);
    expect([...conflicts]).toEqual([['a', 'b']]);
    expect(types.get('web')?.[0]?.capacity['example.com/x']).toBeUndefined();
    expect(pricesUnder(overlays)['m5.large b on-demand']).toBe(0.1);
  });

  test('of one weight that set different things, both count', () => {
    const overlays = [
      anOverlay({ name: 'a', price: set(1) }),
      anOverlay({ name: 'b', capacity: { 'example.com/x': 2 } }),
    ];
    const { conflicts, types } = applyOverlays([pool], overlays);
    expect(conflicts.size).toBe(0);
    expect(types.get('web')?.map((type) => type.allocatable['example.com/x'])).toEqual([2, 2]);
  });
});

describe('capacity', () => {
  const requires = [only(labels.instanceType, 'c5.xlarge')];
  const overlay = anOverlay({ requires, capacity: { 'smarter-devices/fuse': 10 } });
  const types = applyOverlays([pool], [overlay]).types.get('web') ?? [];

  test('is there for pods, and the price stays', () => {
    expect(types[1]?.allocatable['smarter-devices/fuse']).toBe(10);
    expect(types[1]?.offerings[0]?.priceUsdPerHour).toBe(0.2);
    expect(types.map((type) => overlaidParts(type))).toEqual([
      { hasPrice: false, capacity: {} },
      { hasPrice: false, capacity: { 'smarter-devices/fuse': 10 } },
    ]);
  });

  test('in huge pages is made of memory, of which pods then have less', () => {
    const pages = { 'hugepages-2Mi': 2 * 2 ** 30, 'hugepages-1Gi': 1 * 2 ** 30 };
    const [type] = applyOverlays([pool], [anOverlay({ capacity: pages })]).types.get('web') ?? [];
    expect(type?.allocatable).toMatchObject({ ...pages, memory: 5 * 2 ** 30 });
    expect(type?.capacity.memory).toBe(8 * 2 ** 30);
  });

  test('leaves types that it does not concern the very same', () => {
    expect(types[0]).toBe(small);
    expect(applyOverlays([pool], []).types.get('web')).toBe(pool.instanceTypes);
  });
});
