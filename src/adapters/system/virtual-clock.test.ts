import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { sleep } from '../../ports/clock.ts';
import { createVirtualClock } from './virtual-clock.ts';

describe('the virtual clock', () => {
  test('time stands still until it is driven', async () => {
    const clock = createVirtualClock(1_000);
    let isFired = false;
    clock.schedule(10, () => {
      isFired = true;
    });
    await new Promise((resolve) => process.nextTick(resolve));
    expect([clock.nowMs(), isFired]).toEqual([1_000, false]);
  });

  test('timers fire by instant, and at one instant in the order in which they were set', async () => {
    const clock = createVirtualClock(0);
    const fired: string[] = [];
    const note = (name: string) => () => fired.push(`${name}@${clock.nowMs()}`);
    clock.schedule(20, note('late'));
    clock.schedule(10, note('first'));
    clock.schedule(10, note('second'));
    clock.schedule(5, () => clock.schedule(5, note('third')));
    await clock.runFor(15);
    expect(fired).toEqual(['first@10', 'second@10', 'third@10']);
    await clock.runFor(15);
    expect(fired).toEqual(['first@10', 'second@10', 'third@10', 'late@20']);
    expect(clock.nowMs()).toBe(30);
  });

  test('everything that follows from a timer happens before the next one', async () => {
    const clock = createVirtualClock(0);
    const trace: string[] = [];
    const work = async (name: string): Promise<void> => {
      for (let step = 0; step < 50; step++) {
        await new Promise<void>((resolve) => process.nextTick(resolve));
        await Promise.resolve();
      }
      trace.push(`${name}@${clock.nowMs()}`);
    };
    clock.schedule(1, () => void work('a'));
    clock.schedule(2, () => void work('b'));
    await clock.runFor(10);
    expect(trace).toEqual(['a@1', 'b@2']);
  });

  test('files that are being read and immediates hold time back', async () => {
    const clock = createVirtualClock(0);
    const trace: string[] = [];
    clock.schedule(1, async () => {
      await readFile(new URL(import.meta.url));
      await new Promise((resolve) => setImmediate(resolve));
      await readFile(new URL(import.meta.url));
      trace.push(`read@${clock.nowMs()}`);
    });
    clock.schedule(2, () => trace.push('next'));
    await clock.runFor(10);
    expect(trace).toEqual(['read@1', 'next']);
  });

  test('work that leaves the thread holds time back when the clock is told of it', async () => {
    const clock = createVirtualClock(0);
    let digestedAtMs: number | undefined;
    clock.schedule(1, async () => {
      await clock.waitFor(crypto.subtle.digest('SHA-256', new Uint8Array(1 << 20)));
      digestedAtMs = clock.nowMs();
    });
    clock.schedule(2, () => {});
    await clock.runFor(10);
    expect(digestedAtMs).toBe(1);
  });

  test('a cancelled timer does not fire, not even at the instant of its cancellation', async () => {
    const clock = createVirtualClock(0);
    const fired: string[] = [];
    clock.schedule(5, () => cancel());
    const cancel = clock.schedule(5, () => fired.push('cancelled'));
    await clock.runFor(10);
    cancel();
    expect(fired).toEqual([]);
    expect(clock.pendingTimers()).toBe(0);
  });

  test('running until a condition stops at the instant in which it holds', async () => {
    const clock = createVirtualClock(0);
    let count = 0;
    const tick = async (): Promise<void> => {
      for (;;) {
        await sleep(clock, 7);
        count++;
      }
    };
    void tick();
    expect(await clock.runUntil(() => count === 3, 1_000)).toBe(true);
    expect(clock.nowMs()).toBe(21);
    expect(await clock.runUntil(() => count === 1_000, 70)).toBe(false);
    expect(clock.nowMs()).toBe(91);
  });

  test('a timer that throws ends the run with its error', async () => {
    const clock = createVirtualClock(0);
    clock.schedule(1, () => {
      throw new Error('out of order');
    });
    await expect(clock.runFor(10)).rejects.toThrow('out of order');
  });

  test('two drivers at once are a mistake', async () => {
    const clock = createVirtualClock(0);
    const first = clock.runFor(1);
    await expect(clock.runFor(1)).rejects.toThrow('already being driven');
    await first;
  });

  test('an aborted sleep leaves no timer behind', async () => {
    const clock = createVirtualClock(0);
    const stop = new AbortController();
    const asleep = sleep(clock, 1_000, stop.signal);
    stop.abort(new Error('enough'));
    await expect(asleep).rejects.toThrow('enough');
    expect(clock.pendingTimers()).toBe(0);
  });

  test('a hundred thousand timers take one turn of the event loop each and no more', async () => {
    const clock = createVirtualClock(0);
    let fired = 0;
    for (let index = 0; index < 100_000; index++) {
      clock.schedule((index * 7_919) % 100_003, async () => {
        await null;
        fired++;
      });
    }
    const turns = countTurns();
    await clock.runFor(200_000);
    expect(fired).toBe(100_000);
    expect(turns()).toBeLessThan(100_100);
  });

  test('many cancelled timers are forgotten before their time comes', async () => {
    const clock = createVirtualClock(0);
    const survivors: number[] = [];
    for (let index = 0; index < 10_000; index++) {
      const cancel = clock.schedule(10_000 - index, () => survivors.push(index));
      if (index % 100 !== 0) cancel();
    }
    expect(clock.pendingTimers()).toBe(100);
    await clock.runFor(20_000);
    expect(survivors).toEqual(Array.from({ length: 100 }, (_, index) => 9_900 - index * 100));
  });
});

/** Counts how often the event loop comes round to immediates, from now until it is asked. */
function countTurns(): () => number {
  const { setImmediate: original } = globalThis;
  let turns = 0;
  const counting = Object.assign(
    (callback: () => void) =>
      original(() => {
        turns++;
        callback();
      }),
    original,
  );
  globalThis.setImmediate = counting as typeof setImmediate;
  return () => {
    globalThis.setImmediate = original;
    return turns;
  };
}
