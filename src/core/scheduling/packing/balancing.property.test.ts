import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Good } from '../market/stock.ts';
import { Balancing } from './balancing.ts';
import type { Bin, Queue } from './bin.ts';
import { Filling } from './filling.ts';

interface Lot {
  readonly need: readonly number[];
  readonly worth: number;
  readonly left: number;
}

/** Fewer columns than are held at hand, as many, and more. */
const width = fc.integer({ min: 1, max: 5 });
const amounts = (many: number, most: number): fc.Arbitrary<number[]> =>
  fc.array(fc.integer({ min: 1, max: most }), { minLength: many, maxLength: many });
const batch = width.chain((many) =>
  fc.record({
    free: amounts(many, 60),
    lots: fc.array(
      fc.record({
        need: amounts(many, 8),
        worth: fc.double({ min: 0.5, max: 2, noNaN: true }),
        left: fc.integer({ min: 1, max: 9 }),
      }),
      { minLength: 2, maxLength: 8 },
    ),
  }),
);

test('a machine is filled as if every bin were weighed anew for every portion', () => {
  fc.assert(
    fc.property(batch, ({ free, lots }) => {
      const [own, other] = [lots.map(binOf), lots.map(binOf)];
      const filling = fillingOf(free);
      new Balancing(filling, free.length).fill(own);
      expect(podsBy(own, filling)).toEqual(podsBy(other, filledPlainly(free, other)));
    }),
    { numRuns: 500 },
  );
});

/** The same without any memory of earlier weighings. */
function filledPlainly(free: readonly number[], bins: readonly Bin[]): Filling {
  const filling = fillingOf(free);
  const perUnit = new Float64Array(free.length);
  let waiting = [...bins];
  for (;;) {
    filling.measure(perUnit);
    const scored = waiting
      .map((bin) => {
        const share = Math.max(
          ...bin.need.map((amount, column) => amount * (perUnit[column] ?? 0)),
        );
        const worth = bin.worthUsdPerHour * (1 - 1e-10 * bin.left);
        return { bin, share: share > 1 + 1e-9 ? Infinity : share, worth };
      })
      .filter(({ share }) => share < Infinity)
      .map((one) => ({ ...one, score: one.worth / one.share }))
      .sort((a, b) => b.score - a.score);
    const [best] = scored;
    if (best === undefined) return filling;
    let spent = 0;
    for (const { bin, score, worth } of scored) {
      if (spent >= 1 || score < best.score * 0.9) break;
      const pods = filling.addPart(bin, 8);
      if (pods === 0) waiting = waiting.filter((one) => one !== bin);
      spent += pods * (worth / score) * 8;
    }
  }
}

function fillingOf(free: readonly number[]): Filling {
  const markets = {
    columns: { names: free.map(String) },
    copyFree: (_: unknown, into: Float64Array) => into.set(free),
  };
  const parts = { markets, wishes: {}, groups: 0 };
  const filling = new Filling(parts as unknown as ConstructorParameters<typeof Filling>[0]);
  filling.begin({ shape: { daemonPorts: [] } } as unknown as Good, 1_000);
  return filling;
}

function binOf({ need, worth, left }: Lot, size: number): Bin {
  const none = { groups: [], matches: [], caps: [] };
  const queue = { index: 0, ...none, left, taken: 0 } as unknown as Queue;
  const own = { queues: [queue], left, first: 0 };
  const needs = Float64Array.from(need);
  return {
    need: needs,
    size,
    wish: 0,
    soloCap: Infinity,
    ports: [],
    worthUsdPerHour: worth,
    ...own,
  };
}

/** How many pods of each bin the machine has. */
function podsBy(bins: readonly Bin[], filling: Filling): readonly number[] {
  const { parts } = filling.load();
  return bins.map((bin) =>
    parts.reduce((sum, part) => (part.bin === bin ? sum + part.pods : sum), 0),
  );
}
