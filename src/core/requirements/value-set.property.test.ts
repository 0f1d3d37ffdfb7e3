import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  absent,
  allowsAbsence,
  except,
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
