import fc from 'fast-check';
import { expect, test } from 'vitest';
import { finish, insertInOrder, sorting } from './steps.ts';

test('sorting in steps gives what sorting at once gives, equals in their old order too', () => {
  const item = fc.record({ key: fc.integer({ min: 0, max: 9 }), name: fc.nat() });
  fc.assert(
    fc.property(fc.array(item, { minLength: 0, maxLength: 5_000, size: 'max' }), (items) => {
      const byKey = (a: { key: number }, b: { key: number }): number => a.key - b.key;
      const sorted = [...items].sort(byKey);
      expect(finish(sorting(items, byKey))).toEqual(sorted);
      const short = items.slice(0, 100);
      insertInOrder(short, byKey);
      expect(short).toEqual(items.slice(0, 100).sort(byKey));
    }),
    { numRuns: 30 },
  );
});

test('no step of it looks at many items', () => {
  const items = Array.from({ length: 20_000 }, (_, index) => (index * 7_919) % 20_000);
  let compared = 0;
  let most = 0;
  const steps = sorting(items, (a, b) => {
    compared++;
    return a - b;
  });
  for (let step = steps.next(); step.done !== true; step = steps.next()) {
    most = Math.max(most, compared);
    compared = 0;
  }
  expect(most).toBeLessThan(12_000);
});
