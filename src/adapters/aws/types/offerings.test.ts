import { describe, expect, test } from 'vitest';
import { aResolvedClass, typesUnderTest } from '../../../../test/aws-cli/types-under-test.ts';
import type { ResolvedCapacityReservation } from '../../../api/karpenter/ec2-node-class.ts';

const zone = 'ap-east-1a';
const minuteMs = 60_000;

test('every zone of the class has on-demand and spot, with the id of the zone and a price', async () => {
  const under = typesUnderTest();
  const { offerings } = await under.typeOf(aResolvedClass(), 'm5.large');
  expect(offerings.map((one) => `${one.zone} ${one.zoneId} ${one.capacityType}`)).toEqual([
    'ap-east-1a az-1 on-demand',
    'ap-east-1a az-1 spot',
    'ap-east-1b az-2 on-demand',
    'ap-east-1b az-2 spot',
  ]);
  for (const { priceUsdPerHour, isAvailable } of offerings) {
    expect(priceUsdPerHour).toBeGreaterThan(0);
    expect(isAvailable).toBe(true);
  }
});

test('the answer is the same object until something changes', async () => {
  const under = typesUnderTest();
  const nodeClass = aResolvedClass();
  const first = await under.list(nodeClass);
  expect(await under.list(nodeClass)).toBe(first);
  expect(await under.list({ ...nodeClass })).toBe(first);
  under.unavailable.mark({ capacityType: 'spot', instanceType: 'm5.large', zone });
  const second = await under.list(nodeClass);
  expect(second).not.toBe(first);
  expect(await under.list(nodeClass)).toBe(second);
});

describe('an offering that EC2 had none of', () => {
  const offering = { capacityType: 'on-demand', instanceType: 'm5.large', zone } as const;

  test('is unavailable for three minutes, alone, and it is known why', async () => {
    const under = typesUnderTest();
    const nodeClass = aResolvedClass();
    const isAvailable = async (key: string) => (await under.offering(nodeClass, key))?.isAvailable;
    await under.list(nodeClass);
    under.unavailable.mark(offering, 'UnfulfillableCapacity');
    expect(under.unavailable.reasonFor({ ...offering, cpuMillis: 2_000 })).toBe(
      'UnfulfillableCapacity',
    );
    expect(await isAvailable('m5.large/a/on-demand')).toBe(false);
    expect(await isAvailable('m5.large/b/on-demand')).toBe(true);
    expect(await isAvailable('m5.large/a/spot')).toBe(true);
    expect(under.lines.at(-1)).toMatchObject({
      fields: { reason: 'UnfulfillableCapacity', instanceType: 'm5.large', zone },
    });
    await under.aws.clock.runFor(3 * minuteMs);
    expect(await isAvailable('m5.large/a/on-demand')).toBe(true);
  });

  test('inside a placement group is unavailable for that group alone', async () => {
    const under = typesUnderTest();
    const placed = { ...offering, placementGroupId: 'pg-1' };
    under.unavailable.mark(placed);
    const sized = { ...offering, cpuMillis: 2_000 };
    expect(under.unavailable.has(sized)).toBe(false);
    expect(under.unavailable.has({ ...sized, placementGroupId: 'pg-2' })).toBe(false);
    expect(under.unavailable.has({ ...sized, placementGroupId: 'pg-1' })).toBe(true);
  });

  test('anywhere is unavailable inside placement groups too', () => {
    const { unavailable } = typesUnderTest();
    unavailable.mark(offering);
    expect(unavailable.has({ ...offering, cpuMillis: 2_000, placementGroupId: 'pg-1' })).toBe(true);
  });
});

test('a shifted zone has nothing to buy, and the prices of its machines stay known', async () => {
  let shifted = new Set<string>();
  const under = typesUnderTest({
    shifts: {
      refresh: async () => {},
      isShifted: (zoneId) => shifted.has(zoneId),
      version: () => [...shifted].join(),
    },
  });
  const nodeClass = aResolvedClass();
  expect(await under.offering(nodeClass, 'm5.large/a/spot')).toMatchObject({ isAvailable: true });
  shifted = new Set(['az-1']);
  const offering = await under.offering(nodeClass, 'm5.large/a/spot');
  expect(offering?.isAvailable).toBe(false);
  expect(offering?.priceUsdPerHour).toBeGreaterThan(0);
  expect(await under.offering(nodeClass, 'm5.large/b/spot')).toMatchObject({ isAvailable: true });
});

describe('capacity reservations', () => {
  function setUp(wish: Partial<Parameters<typeof reserveIn>[1]> = {}) {
    const under = typesUnderTest();
    const id = reserveIn(under, wish);
    const spec = { capacityReservationSelectorTerms: [{ tags: { team: 'shop' } }] };
    const classNow = async () => {
      const unresolved = aResolvedClass({ spec });
      const capacityReservations = await under.settle(under.reservations.find(unresolved));
      return aResolvedClass({ spec, status: { capacityReservations: [...capacityReservations] } });
    };
    return { ...under, id, classNow };
  }

  type Market = ReturnType<typeof typesUnderTest>['aws']['endpoint']['market'];

  function reserveIn(
    under: ReturnType<typeof typesUnderTest>,
    wish: Partial<Parameters<Market['reserve']>[0]>,
  ): string {
    const usual = { instanceType: 'm5.large', zone, total: 2, tags: { team: 'shop' } };
    return under.aws.endpoint.market.reserve({ ...usual, ...wish });
  }

  test('are offerings of their own, next to free, with what is left of them', async () => {
    const under = setUp();
    const nodeClass = await under.classNow();
    const onDemand = await under.offering(nodeClass, 'm5.large/a/on-demand');
    expect(await under.offering(nodeClass, 'm5.large/a/reserved')).toEqual({
      zone,
      zoneId: 'az-1',
      capacityType: 'reserved',
      priceUsdPerHour: (onDemand?.priceUsdPerHour ?? 0) / 10_000_000,
      isAvailable: true,
      reservation: {
        id: under.id,
        kind: 'default',
        left: 2,
        isInterruptible: false,
        endsAtMs: undefined,
      },
    });
    expect(await under.offering(nodeClass, 'm5.xlarge/a/reserved')).toBeUndefined();
  });

  test('stand in the labels of their type alone', async () => {
    const under = setUp({ isInterruptible: true });
    const nodeClass = await under.classNow();
    const valuesOf = async (name: string, key: string) => [
      ...((await under.typeOf(nodeClass, name)).requirements.get(key)?.values ?? []),
    ];
    const label = 'karpenter.k8s.aws/capacity-reservation';
    expect(await valuesOf('m5.large', 'karpenter.sh/capacity-type')).toContain('reserved');
    expect(await valuesOf('m5.large', `${label}-id`)).toEqual([under.id]);
    expect(await valuesOf('m5.large', `${label}-type`)).toEqual(['default']);
    expect(await valuesOf('m5.large', `${label}-interruptible`)).toEqual(['true']);
    expect(await valuesOf('m5.xlarge', 'karpenter.sh/capacity-type')).not.toContain('reserved');
    expect(await valuesOf('m5.xlarge', `${label}-id`)).toEqual([]);
  });

  test('are counted down with every launch, and up with every machine that is gone', async () => {
    const under = setUp();
    const nodeClass = await under.classNow();
    const left = async () => {
      const offering = await under.offering(nodeClass, 'm5.large/a/reserved');
      return `${offering?.reservation?.left} ${offering?.isAvailable}`;
    };
    under.reservations.noteLaunch(under.id);
    expect(await left()).toBe('1 true');
    under.reservations.noteLaunch(under.id);
    under.reservations.noteLaunch(under.id);
    expect(await left()).toBe('0 false');
    under.reservations.noteTermination(under.id);
    expect(await left()).toBe('1 true');
    under.reservations.noteExhausted(under.id);
    expect(await left()).toBe('0 false');
    // EC2 is asked again, and its own count is what counts.
    await under.aws.clock.runFor(minuteMs);
    expect(await left()).toBe('2 true');
  });

  test('of a block are not used in its last forty minutes', async () => {
    const endsAtMs = Date.UTC(2026, 10, 16, 11);
    const under = setUp({ kind: 'capacity-block', endsAtMs });
    const nodeClass = await under.classNow();
    const now = async () => under.offering(nodeClass, 'm5.large/a/reserved');
    expect(await now()).toMatchObject({
      isAvailable: true,
      reservation: { kind: 'capacity-block', endsAtMs },
    });
    await under.aws.clock.runFor(79 * minuteMs);
    expect(await now()).toMatchObject({ isAvailable: true });
    await under.aws.clock.runFor(minuteMs);
    expect(await now()).toMatchObject({ isAvailable: false });
    expect((await under.classNow()).status?.capacityReservations).toMatchObject([
      { state: 'expiring' } satisfies Partial<ResolvedCapacityReservation>,
    ]);
  });

  test('that have ended are gone', async () => {
    const under = setUp({ endsAtMs: Date.UTC(2026, 10, 16, 10) });
    const nodeClass = await under.classNow();
    expect(await under.offering(nodeClass, 'm5.large/a/reserved')).toMatchObject({
      isAvailable: true,
    });
    await under.aws.clock.runFor(60 * minuteMs);
    expect(await under.offering(nodeClass, 'm5.large/a/reserved')).toMatchObject({
      isAvailable: false,
    });
    expect((await under.classNow()).status?.capacityReservations).toEqual([]);
  });
});
