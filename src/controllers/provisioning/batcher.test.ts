import { expect, test } from 'vitest';
import { createVirtualClock } from '../../adapters/system/virtual-clock.ts';
import { Batcher } from './batcher.ts';

function observed() {
  const clock = createVirtualClock(0);
  const batchesAtMs: number[] = [];
  const batcher = new Batcher({
    clock,
    idleMs: 1_000,
    maxMs: 10_000,
    onBatch: () => batchesAtMs.push(clock.nowMs()),
  });
  return { clock, batcher, batchesAtMs };
}

test('a batch closes one idle time after the last new trigger', async () => {
  const { clock, batcher, batchesAtMs } = observed();
  batcher.trigger('a');
  await clock.runFor(600);
  batcher.trigger('b');
  await clock.runFor(20_000);
  expect(batchesAtMs).toEqual([1_600]);
});

test('a trigger that the window knows already does not keep it open', async () => {
  const { clock, batcher, batchesAtMs } = observed();
  batcher.trigger('a');
  await clock.runFor(600);
  batcher.trigger('a');
  await clock.runFor(20_000);
  expect(batchesAtMs).toEqual([1_000]);
});

test('a steady stream of triggers is cut into batches of the longest time', async () => {
  const { clock, batcher, batchesAtMs } = observed();
  for (let i = 0; i < 50; i++) {
    batcher.trigger(`pod-${i}`);
    await clock.runFor(500);
  }
  await clock.runFor(20_000);
  expect(batchesAtMs).toEqual([10_000, 20_000, 25_500]);
});

test('a stopped batcher hands out nothing', async () => {
  const { clock, batcher, batchesAtMs } = observed();
  batcher.trigger('a');
  batcher.stop();
  await clock.runFor(20_000);
  expect(batchesAtMs).toEqual([]);
});
