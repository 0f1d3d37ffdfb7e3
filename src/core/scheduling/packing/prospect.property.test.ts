import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Bin } from './bin.ts';
import { prospectOf } from './prospect.ts';

interface Lot {
  readonly need: readonly number[];
  readonly worth: number;
  readonly left: number;
  readonly soloCap: number;
  /** Of lots of one group that must be alone, a node holds one pod in all. */
  readonly group: number;
}

const lot: fc.Arbitrary<Lot> = fc.record({
  need: fc.array(fc.nat(8), { minLength: 3, maxLength: 3 }),
  worth: fc.double({ min: 0.01, max: 5, noNaN: true }),
  left: fc.integer({ min: 1, max: 5 }),
  soloCap: fc.constantFrom(1, 2, Infinity),
  group: fc.nat(1),
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
        const room = Float64Array.from(free);
        const demanded = { supply, mostPods, hasContests: true };
        const prospect = prospectOf(lots.map(binOf), demanded).of(room);
        const loose = prospectOf(lots.map(binOf), { ...demanded, hasContests: false }).of(room);
        const worth = worthOf(lots, wanted, { free, mostPods });
        expect(prospect).toBeGreaterThanOrEqual(worth * (1 - 1e-9));
        expect(prospect).toBeLessThanOrEqual(loose * (1 + 1e-9));
      },
    ),
    { numRuns: 500 },
  );
});

test('of pods that must be alone on a node one counts, the larger for what it is worth more', () => {
  const alone = { left: 3, soloCap: 1, group: 0 };
  const lots = [
    { need: [4], worth: 6, ...alone },
    { need: [1], worth: 3, ...alone },
    { need: [1], worth: 1, left: 2, soloCap: Infinity, group: 0 },
  ];
  const demanded = { supply: Float64Array.of(100), mostPods: 100, hasContests: true };
  const prospect = prospectOf(lots.map(binOf), demanded);
  // The small one, the two others, and a third and then all of the step from small to large.
  const prospects = [1, 3, 4, 6, 60].map((room) => prospect.of(Float64Array.of(room)));
  expect(prospects).toEqual([3, 5, 6, 8, 8]);
});

test('a step that gains next to nothing does not upset the order of all others', () => {
  const alone = { left: 1, soloCap: 1, group: 0 };
  const lots = [
    { need: [8, 1], worth: 1 + 1e-15, ...alone },
    { need: [1, 1], worth: 1, ...alone },
    { need: [2, 1], worth: 1, left: 1, soloCap: Infinity, group: 0 },
    { need: [0, 1], worth: 1, left: 1, soloCap: Infinity, group: 0 },
  ];
  const demanded = { supply: Float64Array.of(9, 9), mostPods: 100, hasContests: true };
  expect(prospectOf(lots.map(binOf), demanded).of(Float64Array.of(0, 9))).toBe(1);
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
  const taken = new Set<number>();
  lots.forEach((one, index) => {
    if (one.soloCap === 1 && taken.has(one.group)) return;
    const most = Math.min(wanted[index] ?? 0, one.left, one.soloCap);
    for (let many = 0; many < most && pods < room.mostPods; many++) {
      if (one.need.some((amount, column) => amount > (left[column] ?? 0))) break;
      one.need.forEach((amount, column) => {
        left[column] = (left[column] ?? 0) - amount;
      });
      pods += 1;
      worth += one.worth;
      if (one.soloCap === 1) taken.add(one.group);
    }
  });
  return worth;
}

function binOf({ need, worth, left, soloCap, group }: Lot): Bin {
  const isTied = soloCap < Infinity;
  const rules = { groups: isTied ? [group] : [], matches: isTied ? [1] : [], caps: [soloCap] };
  const queue = { left, ...rules };
  const bin: unknown = {
    need: Float64Array.from(need),
    worthUsdPerHour: worth,
    soloCap,
    left,
    queues: [queue],
  };
  return bin as Bin;
}
