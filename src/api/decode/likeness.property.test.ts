import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Likenesses } from './likeness.ts';

/** Few different leaves, so that values are often alike or nearly so. */
const leaf = fc.constantFrom<unknown>('', 'a', 'ab', 'b', 0, 1, true, false, null);
const value = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.record(
      { x: tie('tree'), y: tie('tree'), zz: tie('tree') },
      { requiredKeys: [], noNullPrototype: true },
    ),
  ),
})).tree;

test('values have one answer exactly where they say the same', () => {
  fc.assert(
    fc.property(value, value, (one, other) => {
      const answers = new Likenesses<number>();
      answers.of(one, () => 1);
      const again = answers.of(structuredClone(one), () => 2);
      const others = answers.of(other, () => 3);
      expect(again).toBe(1);
      expect(others).toBe(JSON.stringify(one) === JSON.stringify(other) ? 1 : 3);
    }),
    { numRuns: 1_000 },
  );
});

test('values that look alike at first sight are told apart, however many there are', () => {
  const answers = new Likenesses<string>();
  const texts = Array.from({ length: 100 }, (_, index) => `${index}`);
  for (const round of [1, 2])
    for (const text of texts)
      expect(answers.of({ [`k${text}`]: round }, () => `${text} ${round}`)).toBe(
        `${text} ${round}`,
      );
});
