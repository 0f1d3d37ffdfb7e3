import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergedByPrice } from './merging.ts';
import { cheapestFirst, type Good } from './stock.ts';

const good = fc
  .record({ price: fc.integer({ min: 1, max: 4 }), name: fc.constantFrom('a', 'b', 'c') })
  .map(({ price, name }) => {
    const shape = { type: { name }, stock: { pool: { name: 'default' } } };
    return { shape, outlet: { index: 0 }, priceUsdPerHour: price } as unknown as Good;
  });

test('sorted lists merge into what sorting all of them at once gives', () => {
  fc.assert(
    fc.property(fc.array(fc.array(good, { maxLength: 12 }), { maxLength: 5 }), (lists) => {
      for (const list of lists) list.sort(cheapestFirst);
      expect(mergedByPrice(lists)).toEqual(lists.flat().sort(cheapestFirst));
    }),
  );
});
