import fc from 'fast-check';
import { expect, test } from 'vitest';
import { orderInto } from './number-order.ts';

test('values come in order, and of equals the earlier first, however many there are', () => {
  const values = fc.array(fc.nat(20), { maxLength: 120 });
  fc.assert(
    fc.property(values, (list) => {
      const order = new Float64Array(list.length);
      orderInto(order, Float64Array.from(list));
      const sorted = [...list.keys()].sort((a, b) => (list[a] ?? 0) - (list[b] ?? 0) || a - b);
      expect([...order]).toEqual(sorted);
    }),
  );
});
