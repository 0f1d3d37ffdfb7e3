import { expect, test } from 'vitest';
import { createVirtualClock } from '../../system/virtual-clock.ts';
import { Batcher } from './batcher.ts';

function aBatcher(run?: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>) {
  const clock = createVirtualClock(0);
  const batches: string[] = [];
  const batcher = new Batcher<string>({
    name: 'test',
    clock,
    idleMs: 100,
    maxMs: 1_000,
    maxKeys: 5,
    run: async (keys) => {
      batches.push(`${clock.nowMs()}: ${keys.join()}`);
      return run?.(keys) ?? new Map(keys.map((key) => [key, `${key}!`]));
    },
  });
  return { clock, batches, batcher };
}

test('questions that come close together are one call', async () => {
  const { clock, batches, batcher } = aBatcher();
  const asked = [batcher.ask('b'), batcher.ask('a'), batcher.ask('b')];
  await clock.runFor(200);
  expect(await Promise.all(asked)).toEqual(['b!', 'a!', 'b!']);
  expect(batches).toEqual(['100: a,b']);
});

test('as long as questions keep coming they are gathered, for a second at most', async () => {
  const { clock, batches, batcher } = aBatcher();
  for (let number = 0; number < 20; number++) {
    void batcher.ask(String(number % 3));
    await clock.runFor(60);
  }
  await clock.runFor(200);
  expect(batches).toEqual(['1000: 0,1,2', '1240: 0,1,2']);
});

test('a full batch does not wait', async () => {
  const { clock, batches, batcher } = aBatcher();
  for (const key of ['a', 'b', 'c', 'd', 'e']) void batcher.ask(key);
  await clock.runFor(0);
  expect(batches).toEqual(['0: a,b,c,d,e']);
});

test('what the answer leaves out is undefined, and a failure is told to all', async () => {
  const silent = aBatcher(async () => new Map());
  const nothing = silent.batcher.ask('a');
  await silent.clock.runFor(200);
  expect(await nothing).toBeUndefined();
  const failing = aBatcher(() => Promise.reject(new Error('no')));
  const outcomes = Promise.allSettled([failing.batcher.ask('a'), failing.batcher.ask('b')]);
  await failing.clock.runFor(200);
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
