import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Numbering, PairNumbering } from './numbering.ts';

test('pairs get one number each, from 1 up in the order in which they come', () => {
  const number = fc.integer({ min: 0, max: 2 ** 30 });
  fc.assert(
    fc.property(fc.array(fc.tuple(number, fc.nat(40)), { maxLength: 400 }), (pairs) => {
      const numbers = new PairNumbering();
      const known = new Map<string, number>();
      for (const [one, other] of pairs) {
        const text = `${one} ${other}`;
        const expected = known.get(text) ?? known.size + 1;
        known.set(text, expected);
        expect(numbers.of(one, other)).toBe(expected);
      }
    }),
  );
});

test('values with equal texts get the same number, and a text is written once per value', () => {
  let written = 0;
  const numbers = new Numbering((list: readonly number[]) => {
    written += 1;
    return list.join();
  });
  const [one, alike, other] = [[1, 2], [1, 2], [3]];
  expect([one, alike, other, one, alike].map((list) => numbers.of(list))).toEqual([0, 0, 1, 0, 0]);
  expect(numbers.texts).toEqual(['1,2', '3']);
  expect(written).toBe(3);
});
