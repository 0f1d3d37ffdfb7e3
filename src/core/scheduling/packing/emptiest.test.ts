import { expect, test } from 'vitest';
import { emptiest } from './emptiest.ts';

/** Machines of ten units, used so far, named in order of purchase. */
const machines = (...used: readonly number[]) =>
  used.map((amount, name) => ({
    name,
    free: Float64Array.of(10),
    used: Float64Array.of(amount),
  }));

const namesOf = (list: readonly { readonly name: number }[]) => list.map(({ name }) => name);

test('The emptiest come first, and of equals those that were bought first', () => {
  expect(namesOf(emptiest(machines(9, 3, 5, 3, 1, 5), 4))).toEqual([4, 1, 3, 2]);
});

test('Where fewer are there than asked for, all of them come', () => {
  expect(namesOf(emptiest(machines(2, 1), 4))).toEqual([1, 0]);
  expect(emptiest([], 4)).toEqual([]);
});
