import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createVirtualClock } from './virtual-clock.ts';

interface Planned {
  readonly delayMs: number;
  readonly children: readonly number[];
  readonly cancels: number | undefined;
}

const planned: fc.Arbitrary<Planned> = fc.record({
  delayMs: fc.nat(20),
  children: fc.array(fc.nat(5), { maxLength: 3 }),
  cancels: fc.option(fc.nat(10), { nil: undefined }),
});

/** A little story of timers that set and cancel timers; the trace tells what fired when. */
async function trace(plan: readonly Planned[]): Promise<string[]> {
  const clock = createVirtualClock(0);
  const fired: string[] = [];
  const cancels: (() => void)[] = [];
  plan.forEach((timer, index) => {
    const fire = async (): Promise<void> => {
      fired.push(`${clock.nowMs()} ${index}`);
      if (timer.cancels !== undefined) cancels[timer.cancels]?.();
      await null;
      timer.children.forEach((delayMs, child) => {
        clock.schedule(delayMs, () => fired.push(`${clock.nowMs()} ${index}.${child}`));
      });
    };
    cancels.push(clock.schedule(timer.delayMs, () => void fire()));
  });
  await clock.runFor(100);
  return fired;
}

test('time never goes back and the same story has the same trace', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(planned, { maxLength: 12 }), async (plan) => {
      const first = await trace(plan);
      const instants = first.map((line) => Number(line.split(' ')[0]));
      expect(instants).toEqual([...instants].sort((a, b) => a - b));
      expect(await trace(plan)).toEqual(first);
    }),
    { numRuns: 200 },
  );
});

test('timers of one instant fire in the order in which they were set, however many there are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(4), { maxLength: 60 }), async (delays) => {
      const clock = createVirtualClock(0);
      const fired: [number, number][] = [];
      delays.forEach((delayMs, index) => {
        clock.schedule(delayMs, () => fired.push([delayMs, index]));
      });
      await clock.runFor(10);
      const expected = delays
        .map((delayMs, index): [number, number] => [delayMs, index])
        .sort(([a, i], [b, j]) => a - b || i - j);
      expect(fired).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});
