import { expect, test } from 'vitest';
import { createJsonLog } from '../adapters/system/json-log.ts';
import { createVirtualClock } from '../adapters/system/virtual-clock.ts';
import { FailureLog } from './failure-log.ts';

function setUp() {
  const clock = createVirtualClock(0);
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): number => lines.push(JSON.parse(line));
  const failures = new FailureLog(clock, createJsonLog({ clock, level: 'info', write }));
  const fail = (key: string, words: string): void =>
    failures.failed(key, 'it failed', { key, error: new Error(words) });
  return { clock, lines, failures, fail };
}

test('the same failure is told once, and again with its count after five minutes', async () => {
  const { clock, lines, fail } = setUp();
  for (let second = 0; second < 600; second++) {
    fail('a', 'no');
    await clock.runFor(1_000);
  }
  expect(lines).toMatchObject([
    { level: 'ERROR', message: 'it failed', key: 'a', error: 'no' },
    { level: 'ERROR', message: 'it failed', key: 'a', error: 'no', failures: 301 },
  ]);
});

test('other words are news, other ids and counts are not', () => {
  const { lines, fail } = setUp();
  fail('a', 'ending i-01, i-02: not allowed');
  fail('a', 'ending i-02: not allowed');
  fail('a', 'ending i-02: no answer');
  expect(lines.map(({ error }) => error)).toEqual([
    'ending i-01, i-02: not allowed',
    'ending i-02: no answer',
  ]);
});

test('each key is told by itself', () => {
  const { lines, fail } = setUp();
  fail('a', 'no');
  fail('b', 'no');
  expect(lines.map(({ key }) => key)).toEqual(['a', 'b']);
});

test('the end of a failure is told where its repeats were not', () => {
  const { lines, failures, fail } = setUp();
  fail('once', 'no');
  fail('often', 'no');
  fail('often', 'no');
  for (const key of ['never', 'once', 'often']) failures.succeeded(key, 'it works again', { key });
  expect(lines.slice(2)).toMatchObject([
    { level: 'INFO', message: 'it works again', key: 'often', failures: 2 },
  ]);
  fail('often', 'no');
  expect(lines).toHaveLength(4);
});
