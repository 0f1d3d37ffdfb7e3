import fc from 'fast-check';
import { expect, test } from 'vitest';
import { launchesOf } from '../../../../test/validator/places.ts';
import { randomCase } from '../../../../test/validator/random-cluster.ts';
import type { NewNode } from '../plan.ts';
import { solve } from '../solve.ts';

const pricesOf = (node: NewNode): readonly number[] =>
  launchesOf(node).map(({ offering }) => offering.priceUsdPerHour);

test('nothing that an order allows costs less than its cheapest or more than its dearest', () => {
  fc.assert(
    fc.property(randomCase, ({ snapshot, pods }) => {
      for (const node of solve(snapshot, pods).newNodes) {
        if (node.pool.minValues !== undefined || node.cheapest.capacityType === 'reserved')
          continue;
        const prices = pricesOf(node);
        expect(Math.min(...prices)).toBe(node.cheapest.priceUsdPerHour);
        expect(Math.max(...prices)).toBe(node.dearest?.priceUsdPerHour);
      }
    }),
    { numRuns: 300 },
  );
});

test('beyond two and a half times the price an order names five types at most', () => {
  fc.assert(
    fc.property(randomCase, ({ snapshot, pods }) => {
      for (const node of solve(snapshot, pods).newNodes) {
        if (node.pool.minValues !== undefined || node.instanceTypes.length <= 5) continue;
        const most = node.cheapest.priceUsdPerHour * 2.5;
        expect(Math.max(...pricesOf(node))).toBeLessThanOrEqual(most + 1e-12);
      }
    }),
    { numRuns: 300 },
  );
});
