import { expect, test } from 'vitest';
import { createSystemClock } from '../adapters/system/system-clock.ts';
import { createVirtualClock } from '../adapters/system/virtual-clock.ts';
import { breathe } from './clock.ts';
import { inSlices } from './slices.ts';

function* counting(steps: number, onStep: () => void = () => {}): Generator<void, number> {
  for (let step = 0; step < steps; step++) {
    onStep();
    yield;
  }
  return steps;
}

test('other work has its turn between slices', async () => {
  const clock = createVirtualClock(0);
  const heard: string[] = [];
  const tick = (): void => {
    heard.push('lease');
    if (!heard.includes('end')) clock.schedule(0, tick);
  };
  clock.schedule(0, tick);
  const done = inSlices(
    counting(1_000, () => heard.push('step')),
    clock,
  );
  void done.then(() => heard.push('end'));
  await clock.runFor(1);
  expect(await done).toBe(1_000);
  const turns = heard.join(' ').match(/step lease/g) ?? [];
  expect(turns.length).toBeGreaterThanOrEqual(3);
});

test('a long step ends its slice, so that nobody waits for two', async () => {
  let nowMs = 0;
  let breaths = 0;
  const clock = {
    nowMs: () => nowMs,
    schedule: () => () => {},
    breathe: () => {
      breaths++;
      return Promise.resolve();
    },
  };
  const result = await inSlices(
    counting(10, () => {
      nowMs += 30;
    }),
    clock,
  );
  expect(result).toBe(10);
  expect(breaths).toBe(10);
});

test('on the machine’s own clock others get in between too', async () => {
  const clock = createSystemClock();
  let isHeard = false;
  void breathe(clock).then(() => {
    isHeard = true;
  });
  const seen: boolean[] = [];
  await inSlices(
    counting(600, () => seen.push(isHeard)),
    clock,
  );
  expect(seen[0]).toBe(false);
  expect(seen.at(-1)).toBe(true);
});

test('what the work throws reaches whoever waits', async () => {
  const failing = counting(1, () => {
    throw new Error('broken');
  });
  await expect(inSlices(failing, createVirtualClock(0))).rejects.toThrow('broken');
});
