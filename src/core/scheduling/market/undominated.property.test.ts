import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Good, Stock } from './stock.ts';
import { undominated } from './undominated.ts';

const width = 3;

/** Cheapest first, each with its amounts and whether the mask lets it in. */
const machines = fc.array(
  fc.record({
    amounts: fc.array(fc.integer({ min: -1, max: 4 }), { minLength: width, maxLength: width }),
    isMeant: fc.boolean(),
  }),
  { maxLength: 30 },
);

test('whoever is kept is beaten by nobody cheaper, and whoever is not, by one of the kept', () => {
  fc.assert(
    fc.property(machines, (all) => {
      const stock = {} as Stock;
      const goods = all.map((_, index) => ({ shape: { stock, index } }) as unknown as Good);
      const free = Float64Array.from(all.flatMap(({ amounts }) => amounts));
      const mask = Uint8Array.from(all, ({ isMeant }) => Number(isMeant));
      const kept = undominated(goods, { width, freeOf: () => free }, mask);
      const sound = all.map(({ amounts, isMeant }) => isMeant && amounts.every((one) => one >= 0));
      const expected = goods.filter((_, index) => {
        const own = all[index]?.amounts ?? [];
        const isBeaten = all
          .slice(0, index)
          .some(
            ({ amounts }, other) => sound[other] && own.every((x, i) => (amounts[i] ?? 0) >= x),
          );
        return sound[index] && !isBeaten;
      });
      expect(kept).toEqual(expected);
    }),
  );
});
