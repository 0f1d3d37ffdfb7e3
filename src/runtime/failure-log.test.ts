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

test.each([
  ['other statuses', 'the server answered 500', 'the server answered 403'],
  ['statuses in brackets', 'no luck (status code: 503)', 'no luck (status code: 429)'],
  ['statuses of a protocol', 'got HTTP/1.1 502, giving up', 'got HTTP/1.1 504, giving up'],
  ['codes with digits', 'closed: ERR_HTTP2_STREAM_ERROR', 'closed: ERR_HTTP2_PING_CANCEL'],
])('%s are news', (_, first, second) => {
  const { lines, fail } = setUp();
  for (const words of [first, second, second]) fail('a', words);
  expect(lines.map(({ error }) => error)).toEqual([first, second]);
});

test.each([
  ['counts that look like a status', '404 pods are left', '403 pods are left'],
  ['ids of requests', 'denied (request 4C3F01AB22)', 'denied (request 9C3F01AB23)'],
  ['times', 'not before 12:00:01Z', 'not before 12:00:02Z'],
  ['names of machines', 'web-7f9c on ip-10-0-0-5 stays', 'web-8aa1 on ip-10-0-0-6 stays'],
  ['ports and addresses', 'connect 10.0.0.1:443 refused', 'connect 10.0.0.2:443 refused'],
])('%s are not', (_, first, second) => {
  const { lines, fail } = setUp();
  for (const words of [first, second]) fail('a', words);
  expect(lines.map(({ error }) => error)).toEqual([first]);
});

test('the same words with another code, kind or cause are news', () => {
  const { lines, failures } = setUp();
  const fail = (error: Error): void => failures.failed('a', 'it failed', { error });
  const of = (cause: object): Error => new Error('fetch failed', { cause });
  fail(of({ code: 'ECONNREFUSED' }));
  fail(of({ code: 'ECONNREFUSED' }));
  fail(of({ code: 'ETIMEDOUT' }));
  fail(Object.assign(new Error('no'), { kind: 'forbidden' }));
  fail(Object.assign(new Error('no'), { kind: 'unavailable' }));
  fail(Object.assign(new Error('no'), { kind: 'unavailable', status: 503 }));
  expect(lines).toHaveLength(5);
});

test('failures that take turns are told once each, and again after five minutes', async () => {
  const { clock, lines, fail } = setUp();
  for (let second = 0; second < 400; second++) {
    fail('a', second % 2 === 0 ? 'the server answered 502' : 'the server answered 504');
    await clock.runFor(1_000);
  }
  expect(lines.map(({ failures }) => failures)).toEqual([undefined, 2, 301, 302]);
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
