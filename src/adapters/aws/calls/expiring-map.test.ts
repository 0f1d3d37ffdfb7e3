import { expect, test } from 'vitest';
import { createVirtualClock } from '../../system/virtual-clock.ts';
import { ExpiringMap } from './expiring-map.ts';

test('an entry is gone once its time is over, and setting it again starts its time anew', async () => {
  const clock = createVirtualClock(0);
  const map = new ExpiringMap<string, number>(clock, 1_000);
  map.set('a', 1);
  map.set('b', 2);
  await clock.runFor(600);
  map.set('a', 3);
  await clock.runFor(600);
  expect(map.get('a')).toBe(3);
  expect(map.get('b')).toBeUndefined();
});

test('keys that nobody asks for again do not pile up', async () => {
  const clock = createVirtualClock(0);
  const map = new ExpiringMap<string, true>(clock, 1_000);
  for (let i = 0; i < 100; i++) {
    map.set(`claim-${i}`, true);
    await clock.runFor(100);
  }
  expect(map.size).toBeLessThanOrEqual(11);
});

test('the version changes with every coming and going, and not with a repetition', async () => {
  const clock = createVirtualClock(0);
  const map = new ExpiringMap<string, true>(clock, 1_000);
  map.set('a', true);
  const before = map.version();
  map.set('a', true);
  expect(map.version()).toBe(before);
  await clock.runFor(1_000);
  expect(map.version()).not.toBe(before);
});
