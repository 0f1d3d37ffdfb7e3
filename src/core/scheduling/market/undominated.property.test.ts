import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Good, Stock } from './stock.ts';
import { cheapestOfSizes, undominated } from './undominated.ts';

const width = 3;

/** By name, each with its price and amounts and whether the mask lets it in. */
const machines = fc.array(
  fc.record({
    price: fc.integer({ min: 1, max: 9 }),
    amounts: fc.array(fc.integer({ min: -1, max: 4 }), { minLength: width, maxLength: width }),
    isMeant: fc.boolean(),
  }),
  { maxLength: 30 },
);

test('whoever is kept is beaten by nobody cheaper, and whoever is not, by somebody', () => {
  fc.assert(
    fc.property(machines, (all) => {
      const stock = { pool: { name: 'default' } } as unknown as Stock;
      const outlet = { index: 0 };
      const goods = all.map(({ price: priceUsdPerHour }, index) => {
        const type = { name: String.fromCharCode(97 + index) };
        return { shape: { stock, index, type }, outlet, priceUsdPerHour } as unknown as Good;
      });
      const free = Float64Array.from(all.flatMap(({ amounts }) => amounts));
      const mask = Uint8Array.from(all, ({ isMeant }) => Number(isMeant));
      const texts = all.map(({ amounts }) => amounts.join());
      const sizes = Int32Array.from(texts, (text) => texts.indexOf(text) + 1);
      const cheapest = cheapestOfSizes(goods, { sizes, mask });
      const kept = undominated(cheapest, { width, freeOf: () => free });

      const amountsOf = ({ shape }: Good): readonly number[] => all[shape.index]?.amounts ?? [];
      const inOrder = goods
        .filter((good) => mask[good.shape.index] === 1)
        .filter((good) => amountsOf(good).every((amount) => amount >= 0))
        .sort((a, b) => a.priceUsdPerHour - b.priceUsdPerHour || a.shape.index - b.shape.index);
      const expected = inOrder.filter((good, place) => {
        const own = amountsOf(good);
        const before = inOrder.slice(0, place).map(amountsOf);
        return !before.some((other) => own.every((amount, at) => (other[at] ?? 0) >= amount));
      });
      expect(kept).toEqual(expected);
    }),
  );
});
