import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createJsonLog } from '../adapters/system/json-log.ts';
import { createVirtualClock } from '../adapters/system/virtual-clock.ts';
import { sleep } from '../ports/clock.ts';
import { runController } from './controller.ts';
import { after, onChange } from './reconcile.ts';

const keys = ['a', 'b', 'c'] as const;

interface Ask {
  readonly atMs: number;
  readonly key: string;
  readonly delayMs: number;
}

interface Round {
  readonly tookMs: number;
  readonly outcome: 'done' | 'again' | 'failed';
}

const ask: fc.Arbitrary<Ask> = fc.record({
  atMs: fc.nat(100),
  key: fc.constantFrom(...keys),
  delayMs: fc.constantFrom(0, 0, 0, 5, 40),
});
// Failures are rare enough for every story to come to rest.
const round: fc.Arbitrary<Round> = fc.record({
  tookMs: fc.nat(30),
  outcome: fc.constantFrom('done', 'done', 'done', 'again', 'failed'),
});

interface Run {
  readonly key: string;
  readonly startMs: number;
  readonly endMs: number;
}

async function play(asks: readonly Ask[], rounds: readonly Round[], concurrency: number) {
  const clock = createVirtualClock(0);
  const log = createJsonLog({ clock, level: 'error', write: () => {} });
  const runs: Run[] = [];
  let next = 0;
  let atOnce = 0;
  let mostAtOnce = 0;
  const stop = new AbortController();
  const reconcile = async (key: string) => {
    const startMs = clock.nowMs();
    const { tookMs, outcome } = rounds[next++] ?? { tookMs: 1, outcome: 'done' };
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    await sleep(clock, tookMs);
    atOnce--;
    runs.push({ key, startMs, endMs: clock.nowMs() });
    if (outcome === 'failed') throw new Error('as the story wants it');
    return outcome === 'again' ? after(7) : onChange;
  };
  const controller = runController(
    { name: 'story', clock, log, concurrency, reconcile, minBackoffMs: 3, maxBackoffMs: 10 },
    stop.signal,
  );
  for (const { atMs, key, delayMs } of asks) {
    clock.schedule(atMs, () => {
      if (delayMs === 0) controller.enqueue(key);
      else controller.enqueueAfter(key, delayMs);
    });
  }
  await clock.runFor(10_000);
  const isIdle = controller.isIdle();
  stop.abort();
  await controller.done;
  return { runs, mostAtOnce, isIdle, timersLeft: clock.pendingTimers() };
}

const story = fc.record({
  asks: fc.array(ask, { minLength: 1, maxLength: 20 }),
  rounds: fc.array(round, { maxLength: 20 }),
  concurrency: fc.integer({ min: 1, max: 3 }),
});

test('no key is worked on twice at once, and no more keys at once than allowed', async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ asks, rounds, concurrency }) => {
      const { runs, mostAtOnce } = await play(asks, rounds, concurrency);
      expect(mostAtOnce).toBeLessThanOrEqual(concurrency);
      for (const key of keys) {
        const own = runs.filter((run) => run.key === key);
        own.sort((x, y) => x.startMs - y.startMs || x.endMs - y.endMs);
        for (const [index, run] of own.entries()) {
          expect(run.startMs).toBeGreaterThanOrEqual(own[index - 1]?.endMs ?? 0);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('nothing is lost: whatever is asked for starts at its time or later, and all comes to rest', async () => {
  await fc.assert(
    fc.asyncProperty(story, async ({ asks, rounds, concurrency }) => {
      const { runs, isIdle, timersLeft } = await play(asks, rounds, concurrency);
      for (const { key, atMs } of asks) {
        expect(runs.some((run) => run.key === key && run.startMs >= atMs)).toBe(true);
      }
      expect([isIdle, timersLeft]).toEqual([true, 0]);
    }),
    { numRuns: 300 },
  );
});
