import { expect, test } from 'vitest';
import { createVirtualClock } from '../../system/virtual-clock.ts';
import { RateLimit } from './rate-limit.ts';

test('a refusal halves the rate, and refusals that come together are one', () => {
  const limit = new RateLimit(createVirtualClock(0), { perSecond: 20, burst: 100 });
  limit.slowDown();
  limit.slowDown();
  expect(limit.perSecond).toBe(10);
});

test('however often it is refused, it goes on at a tenth of the rate', async () => {
  const clock = createVirtualClock(0);
  const limit = new RateLimit(clock, { perSecond: 20, burst: 100 });
  for (let refusal = 0; refusal < 20; refusal++) {
    limit.slowDown();
    await clock.runFor(1_000);
  }
  expect(limit.perSecond).toBe(2);
});

test('twenty accepted calls bring the full rate back, and no more', () => {
  const limit = new RateLimit(createVirtualClock(0), { perSecond: 20, burst: 100 });
  limit.slowDown();
  for (let call = 0; call < 9; call++) limit.speedUp();
  expect(limit.perSecond).toBe(19);
  for (let call = 0; call < 20; call++) limit.speedUp();
  expect(limit.perSecond).toBe(20);
});

test('what was saved up is gone after a refusal', async () => {
  const clock = createVirtualClock(0);
  const limit = new RateLimit(clock, { perSecond: 10, burst: 100 });
  limit.slowDown();
  const admitted: number[] = [];
  for (let call = 0; call < 3; call++)
    void limit.take('create').then(() => admitted.push(clock.nowMs()));
  await clock.runFor(2_000);
  expect(admitted).toEqual([200, 400, 600]);
});
