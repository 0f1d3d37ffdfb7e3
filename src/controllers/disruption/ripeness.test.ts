import { expect, test } from 'vitest';
import { Ripeness } from './ripeness.ts';

test('what is seen for the whole time ripens', () => {
  const ripeness = new Ripeness(15_000);
  ripeness.observe(['a'], 0);
  ripeness.observe(['a', 'b'], 10_000);
  expect(ripeness.isRipe('a', 14_999)).toBe(false);
  expect(ripeness.isRipe('a', 15_000)).toBe(true);
  expect(ripeness.isRipe('b', 15_000)).toBe(false);
});

test('what is missed once begins anew', () => {
  const ripeness = new Ripeness(15_000);
  ripeness.observe(['a'], 0);
  ripeness.observe([], 5_000);
  ripeness.observe(['a'], 6_000);
  expect(ripeness.isRipe('a', 20_000)).toBe(false);
  expect(ripeness.nextInMs(20_000)).toBe(1_000);
});

test('nothing is due when all are ripe', () => {
  const ripeness = new Ripeness(15_000);
  ripeness.observe(['a'], 0);
  expect(ripeness.nextInMs(15_000)).toBeUndefined();
});
