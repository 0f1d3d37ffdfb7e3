import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Bin } from './bin.ts';
import { prospectOf } from './prospect.ts';

interface Lot {
  readonly need: readonly number[];
  readonly worth: number;
  readonly left: number;
  readonly soloCap: number;
}

const lot: fc.Arbitrary<Lot> = fc.record({
  need: fc.array(fc.nat(8), { minLength: 3, maxLength: 3 }),
  worth: fc.double({ min: 0.01, max: 5, noNaN: true }),
  left: fc.integer({ min: 1, max: 5 }),
  soloCap: fc.constantFrom(1, 2, Infinity),
});

test('no load that fits is worth more than the prospect', () => {
  const room = fc.array(fc.nat(40), { minLength: 3, maxLength: 3 });
  const picks = fc.array(fc.nat(5), { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(
      fc.array(lot, { minLength: 1, maxLength: 6 }),
      room,
      picks,
      fc.integer({ min: 1, max: 12 }),
      (lots, free, wanted, mostPods) => {
        const supply = Float64Array.from(free, (amount) => amount + 1);
        const prospect = prospectOf(lots.map(binOf), { supply, mostPods });
        const worth = worthOf(lots, wanted, { free, mostPods });
        expect(prospect.of(Float64Array.from(free))).toBeGreaterThanOrEqual(worth * (1 - 1e-9));
      },
    ),
    { numRuns: 500 },
  );
});

/** What is taken of the lots one after the other, as much of each as is wanted and fits. */
function worthOf(
  lots: readonly Lot[],
  wanted: readonly number[],
  room: { readonly free: readonly number[]; readonly mostPods: number },
): number {
  const left = [...room.free];
  let pods = 0;
  let worth = 0;
  lots.forEach((one, index) => {
    const most = Math.min(wanted[index] ?? 0, one.left, one.soloCap);
    for (let taken = 0; taken < most && pods < room.mostPods; taken++) {
      if (one.need.some((amount, column) => amount > (left[column] ?? 0))) break;
      one.need.forEach((amount, column) => {
        left[column] = (left[column] ?? 0) - amount;
      });
      pods += 1;
      worth += one.worth;
    }
  });
  return worth;
}

function binOf({ need, worth, left, soloCap }: Lot): Bin {
  const queue = { left, demand: { ties: { soloCap } } };
  const bin: unknown = {
    need: Float64Array.from(need),
    worthUsdPerHour: worth,
    left,
    queues: [queue],
  };
  return bin as Bin;
}
