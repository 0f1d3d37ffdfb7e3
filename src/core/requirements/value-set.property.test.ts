import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  absent,
  allowsAbsence,
  except,
  firstValueOf,
  has,
  intersect,
  isImpossible,
  only,
  overlaps,
  type ValueSet,
} from './value-set.ts';

// A tiny universe and tiny sets, so that random sets overlap often and every value can be tried.
const universe = ['a', 'b', '-1', '0', '5', '9'];
const values = fc.subarray(universe, { maxLength: 2 });
const bound = fc.constantFrom(-Infinity, 0, 5, Infinity);
const valueSet: fc.Arbitrary<ValueSet> = fc.oneof(
  values.map(only),
  fc.tuple(values, bound, bound).map(([listed, min, max]) => except(listed, min, max)),
  fc.constant(absent),
);

test('the intersection holds exactly the values that both sets hold', () => {
  fc.assert(
    fc.property(valueSet, valueSet, (a, b) => {
      const both = universe.filter((value) => has(a, value) && has(b, value));
      expect(universe.filter((value) => has(intersect(a, b), value))).toEqual(both);
    }),
    { numRuns: 1_000 },
  );
});

test('the intersection allows absence exactly when both sets do', () => {
  fc.assert(
    fc.property(valueSet, valueSet, (a, b) => {
      const both = allowsAbsence(a) && allowsAbsence(b);
      // Crossed bounds leave nothing, and a bounded label may never be missing.
      expect(allowsAbsence(intersect(a, b))).toBe(both);
    }),
    { numRuns: 1_000 },
  );
});

test('sets overlap whenever a value or absence meets both, and their intersection is possible', () => {
  fc.assert(
    fc.property(valueSet, valueSet, (a, b) => {
      const hasCommon =
        (allowsAbsence(a) && allowsAbsence(b)) ||
        universe.some((value) => has(a, value) && has(b, value));
      if (hasCommon) expect(overlaps(a, b)).toBe(true);
      expect(overlaps(a, b)).toBe(!isImpossible(intersect(a, b)));
    }),
    { numRuns: 1_000 },
  );
});

test('order and repetition do not matter', () => {
  fc.assert(
    fc.property(valueSet, valueSet, (a, b) => {
      expect(intersect(a, b)).toEqual(intersect(b, a));
      expect(intersect(a, a)).toEqual(a);
      expect(overlaps(a, b)).toBe(overlaps(b, a));
    }),
    { numRuns: 1_000 },
  );
});

const numbers = Array.from({ length: 8 }, (_, number) => String(number));
const bounded = fc
  .tuple(
    fc.subarray(numbers, { maxLength: 3 }),
    fc.constantFrom(-Infinity, -2, 0, 1, 2, 3, 4),
    fc.constantFrom(-2, -1, 0, 1, 2, 3, 4),
  )
  .map(([listed, min, max]) => except(listed, min, max));

test('bounds are impossible exactly when no number is left between them, for one set or two', () => {
  fc.assert(
    fc.property(bounded, fc.oneof(bounded, values.map(only), valueSet), (a, b) => {
      expect(isImpossible(a)).toBe(!numbers.some((number) => has(a, number)));
      const both = numbers.filter((number) => has(a, number) && has(b, number));
      expect(isImpossible(intersect(a, b))).toBe(both.length === 0);
      expect(overlaps(a, b)).toBe(both.length > 0);
    }),
    { numRuns: 2_000 },
  );
});

test('the first value is the least number of the set, and there is none exactly when it is empty', () => {
  fc.assert(
    fc.property(bounded, (set) => {
      expect(firstValueOf(set)).toBe(numbers.find((number) => has(set, number)));
    }),
  );
  expect(firstValueOf(only(['b', 'a']))).toBe('a');
  expect(firstValueOf(absent)).toBeUndefined();
  expect(firstValueOf(except(['0', 'x']))).toBe('1');
});

test('numbers that the kube-scheduler cannot read are no values', () => {
  expect(isImpossible(except([], 2 ** 63))).toBe(true);
  expect(isImpossible(except([], 2 ** 62))).toBe(false);
  // Adding one to such a number does not change it; looking for the next one must end all the same.
  expect(firstValueOf(except([String(2 ** 62)], 2 ** 62))).toBeUndefined();
});
