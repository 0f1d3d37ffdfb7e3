import fc from 'fast-check';
import { expect, test } from 'vitest';
import { embeddedAws, shippedCatalog } from '../../../../test/aws-cli/embedded-aws.ts';
import { createFleet, createTemplate, prepareGround } from '../../../../test/aws-cli/launching.ts';
import type { Shortage } from '../market/shortages.ts';
import { type AllocationStrategy, type Choice, ranked } from './fleet-choice.ts';

const strategy = fc.constantFrom<AllocationStrategy>(
  'lowest-price',
  'prioritized',
  'price-capacity-optimized',
  'capacity-optimized',
  'capacity-optimized-prioritized',
);

// Few values, so that ties are common.
const few = fc.option(fc.constantFrom(0, 1, 2, 3), { nil: undefined });
const choices = fc
  .array(fc.record({ priceUsdPerHour: few, priority: few, interruptionBand: few }), {
    minLength: 1,
    maxLength: 8,
  })
  .map((list) => list.map((choice, position): Choice => ({ ...choice, position })));

test('ranking keeps every choice and does not depend on the order in which they are listed', () => {
  fc.assert(
    fc.property(choices, strategy, fc.integer(), (list, how, turn) => {
      const order = ranked(list, how);
      const turned = list.map((_, index) => list[(index + Math.abs(turn)) % list.length] as Choice);
      expect(order.toSorted((a, b) => a.position - b.position)).toEqual(list);
      expect(ranked(turned, how)).toEqual(order);
    }),
    { numRuns: 500 },
  );
});

test('the lowest price comes first, then the next', () => {
  fc.assert(
    fc.property(choices, (list) => {
      const prices = ranked(list, 'lowest-price').map((choice) => choice.priceUsdPerHour ?? 99);
      expect(prices).toEqual(prices.toSorted((a, b) => a - b));
    }),
    { numRuns: 500 },
  );
});

test('priorities are followed, whatever the prices', () => {
  fc.assert(
    fc.property(choices, (list) => {
      const priorities = ranked(list, 'prioritized').map((choice) => choice.priority ?? 99);
      expect(priorities).toEqual(priorities.toSorted((a, b) => a - b));
    }),
    { numRuns: 500 },
  );
});

const types = ['m5.large', 'c5.large', 'r5.large', 't3.medium'];
const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'];
const shortage: fc.Arbitrary<Shortage> = fc.record(
  {
    instanceType: fc.constantFrom(...types, 'm5.*', '*'),
    zone: fc.constantFrom(...zones),
    capacityType: fc.constantFrom('spot' as const, 'on-demand' as const, '*' as const),
  },
  { requiredKeys: ['instanceType'] },
);

const wish = fc.record({
  types: fc.uniqueArray(fc.constantFrom(...types), { minLength: 1 }),
  zones: fc.uniqueArray(fc.constantFrom(...zones), { minLength: 1 }),
  capacityType: fc.constantFrom('spot' as const, 'on-demand' as const),
  count: fc.integer({ min: 1, max: 3 }),
});

function isShort(shortages: readonly Shortage[], pool: string, capacityType: string): boolean {
  const [type = '', zone = ''] = pool.split(' ');
  return shortages.some(
    (held) =>
      (held.instanceType === '*' ||
        held.instanceType === type ||
        (held.instanceType === 'm5.*' && type === 'm5.large')) &&
      (held.zone === undefined || held.zone === zone) &&
      (held.capacityType === undefined ||
        held.capacityType === '*' ||
        held.capacityType === capacityType),
  );
}

test('an instance is one of the overrides, none that has run out, and the cheapest there is; an equal token gives an equal instance', async () => {
  const ground = await prepareGround(embeddedAws());
  await createTemplate(ground);
  const { market } = ground.aws.endpoint;
  market.setRateLimit('*', { perSecond: 1_000, burst: 1_000_000 });
  const region = shippedCatalog().region('us-east-1');
  let round = 0;
  await fc.assert(
    fc.asyncProperty(wish, fc.array(shortage, { maxLength: 3 }), async (asked, shortages) => {
      market.clearShortage();
      for (const held of shortages) market.setShortage(held);
      const complete = { ...asked, strategy: 'lowest-price', token: `round-${round++}` };
      const fleet = await createFleet(ground, complete);
      const again = await createFleet(ground, complete);
      expect(again.Instances).toEqual(fleet.Instances);

      const price = (pool: string): number | undefined => {
        const [type = '', zone = ''] = pool.split(' ');
        return asked.capacityType === 'spot'
          ? region?.spotUsdPerHour(type, zone)
          : region?.onDemandUsdPerHour(type);
      };
      const open = asked.types
        .flatMap((type) => asked.zones.map((zone) => `${type} ${zone}`))
        .filter((pool) => !isShort(shortages, pool, asked.capacityType));
      const cheapest = Math.min(...open.map((pool) => price(pool) ?? Number.POSITIVE_INFINITY));
      const got = (fleet.Instances ?? []).flatMap((entry) => {
        const overrides = entry.LaunchTemplateAndOverrides?.Overrides;
        return (entry.InstanceIds ?? []).map(
          () => `${overrides?.InstanceType} ${overrides?.AvailabilityZone}`,
        );
      });
      expect(got).toHaveLength(open.length === 0 ? 0 : asked.count);
      for (const pool of got) {
        expect(open).toContain(pool);
        expect(price(pool)).toBe(cheapest);
      }
    }),
    { numRuns: 60 },
  );
});
