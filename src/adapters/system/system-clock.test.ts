import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSystemClock } from './system-clock.ts';

// The one place where Node's own timers are under test, and so the one place where they are faked.
beforeEach(() => {
  vi.useFakeTimers({ now: 1_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the system clock', () => {
  test('calls back once after the delay', () => {
    const clock = createSystemClock();
    const fired: number[] = [];
    clock.schedule(50, () => fired.push(clock.nowMs()));
    vi.advanceTimersByTime(200);
    expect(fired).toEqual([1_050]);
  });

  test('delays beyond what Node can hold are kept in full', () => {
    const clock = createSystemClock();
    const fortyDaysMs = 40 * 86_400_000;
    let isFired = false;
    clock.schedule(fortyDaysMs, () => {
      isFired = true;
    });
    vi.advanceTimersByTime(fortyDaysMs - 1);
    expect(isFired).toBe(false);
    vi.advanceTimersByTime(1);
    expect(isFired).toBe(true);
  });

  test('a long delay can be cancelled in every part of it', () => {
    const clock = createSystemClock();
    let isFired = false;
    const cancel = clock.schedule(40 * 86_400_000, () => {
      isFired = true;
    });
    vi.advanceTimersByTime(30 * 86_400_000);
    cancel();
    vi.advanceTimersByTime(30 * 86_400_000);
    expect(isFired).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a delay that is negative or no number means as soon as possible', () => {
    const clock = createSystemClock();
    let fired = 0;
    clock.schedule(-5, () => fired++);
    clock.schedule(Number.NaN, () => fired++);
    vi.advanceTimersByTime(1);
    expect(fired).toBe(2);
  });
});
