import fc from 'fast-check';
import { expect, test } from 'vitest';
import { timesFitting, vectorOf } from './columns.ts';
import { formatAmount, parseAmount } from './quantity.ts';
import { add, firstShortage, fits, largest, type Resources, subtract } from './resources.ts';

const names = ['cpu', 'memory', 'pods'];
const resources: fc.Arbitrary<Resources> = fc.dictionary(
  fc.constantFrom(...names),
  fc.integer({ min: 0, max: 5 }),
);

test('an amount that is written and read again is the same amount', () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.integer({ min: 0, max: 2 ** 50 }), (name, amount) => {
      expect(parseAmount(name, formatAmount(name, amount))).toBe(amount);
    }),
  );
});

test('what is added can be taken away again', () => {
  fc.assert(
    fc.property(resources, resources, (a, b) => {
      const back = subtract(add(a, b), b);
      for (const name of names) expect(back[name] ?? 0).toBe(a[name] ?? 0);
    }),
  );
});

test('a request fits exactly when no name is short', () => {
  fc.assert(
    fc.property(resources, resources, (request, free) => {
      const short = names.filter((name) => (request[name] ?? 0) > (free[name] ?? 0));
      expect(fits(request, free)).toBe(short.length === 0);
      expect(firstShortage(request, free)).toBe([...short].sort()[0]);
    }),
  );
});

test('the larger of two covers both', () => {
  fc.assert(
    fc.property(resources, resources, (a, b) => {
      expect(fits(a, largest(a, b)) && fits(b, largest(a, b))).toBe(true);
    }),
  );
});

test('a vector fits as often as its resources can be taken one by one', () => {
  fc.assert(
    fc.property(resources, resources, (request, free) => {
      const columns = { names };
      const need: Resources = { ...request, pods: 1 };
      let left = free;
      let times = 0;
      while (fits(need, left)) {
        left = subtract(left, need);
        times++;
      }
      expect(timesFitting(vectorOf(columns, need), vectorOf(columns, free))).toBe(times);
    }),
  );
});

test('asking for nothing fits into less than nothing', () => {
  expect(fits({ cpu: 0 }, { cpu: -1 })).toBe(true);
});
