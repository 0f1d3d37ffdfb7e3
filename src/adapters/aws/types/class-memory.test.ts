import { expect, test } from 'vitest';
import { createVirtualClock } from '../../system/virtual-clock.ts';
import { ClassMemory } from './class-memory.ts';

const minuteMs = 60_000;

test('of a class that changes again and again only what it is now is remembered', () => {
  const memory = new ClassMemory<number>(createVirtualClock());
  for (let edit = 0; edit < 100; edit++) memory.keep('web', `edit ${edit}`, edit);
  expect(memory.size).toBe(1);
  expect([memory.recall('edit 98'), memory.recall('edit 99')]).toEqual([undefined, 99]);
});

test('classes that are alike share what is remembered until the last of them changes', () => {
  const memory = new ClassMemory<string>(createVirtualClock());
  for (const name of ['a', 'b']) memory.keep(name, 'alike', 'shared');
  memory.keep('a', 'other', 'own');
  expect(memory.recall('alike')).toBe('shared');
  memory.keep('b', 'other', 'own');
  expect(memory.size).toBe(1);
});

test('a class that nobody asks about any more is forgotten', async () => {
  const clock = createVirtualClock();
  const memory = new ClassMemory<string>(clock);
  memory.keep('gone', 'gone', 'old');
  for (let minute = 0; minute < 10; minute++) {
    await clock.runFor(minuteMs);
    memory.keep('web', 'web', 'new');
  }
  expect([memory.size, memory.latest()]).toEqual([1, ['new']]);
});
