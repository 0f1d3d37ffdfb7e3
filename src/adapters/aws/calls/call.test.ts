import { expect, test } from 'vitest';
import type { Log } from '../../../ports/log.ts';
import { createVirtualClock } from '../../system/virtual-clock.ts';
import { type CallSpec, createAwsCaller } from './call.ts';
import { RateLimit } from './rate-limit.ts';

const silent: Log = { debug: () => {}, info: () => {}, error: () => {}, with: () => silent };
const spec: CallSpec = {
  service: 'ec2',
  action: 'CreateFleet',
  priority: 'create',
  doing: 'launching nodeclaim web-1',
};

function refusal(name: string, httpStatusCode: number): Error {
  return Object.assign(new Error(name), { name, $fault: 'client', $metadata: { httpStatusCode } });
}

function failing(times: number, error: Error): { send: () => Promise<string>; sent: number } {
  const state = {
    sent: 0,
    send: async () => {
      if (++state.sent <= times) throw error;
      return 'done';
    },
  };
  return state;
}

async function outcome(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (value) => value,
    (error: unknown) => error,
  );
}

test.each([
  ['throttling', refusal('RequestLimitExceeded', 503)],
  ['a fault of the service', refusal('InternalError', 500)],
  ['a lost connection', Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })],
])('%s is repeated with growing delays', async (_, error) => {
  const clock = createVirtualClock(0);
  const service = failing(3, error);
  const work = createAwsCaller({ clock, log: silent }).call(spec, service.send);
  await clock.runUntil(() => service.sent === 4, 60_000);
  expect(await work).toBe('done');
  expect(clock.nowMs()).toBeGreaterThan(800);
  expect(clock.nowMs()).toBeLessThan(3_000);
});

test('what stays throttled ends as throttled, after six attempts', async () => {
  const clock = createVirtualClock(0);
  const service = failing(100, refusal('RequestLimitExceeded', 503));
  const work = outcome(createAwsCaller({ clock, log: silent }).call(spec, service.send));
  await clock.runFor(60_000);
  expect(await work).toMatchObject({ kind: 'throttled', reason: 'RequestLimitExceeded' });
  expect(service.sent).toBe(6);
});

test('a refusal is not repeated', async () => {
  const clock = createVirtualClock(0);
  const service = failing(100, refusal('InvalidParameterValue', 400));
  const error = await outcome(createAwsCaller({ clock, log: silent }).call(spec, service.send));
  expect(error).toMatchObject({ kind: 'rejected' });
  expect(service.sent).toBe(1);
});

test('a call that is never answered is given up after its deadline and made again', async () => {
  const clock = createVirtualClock(0);
  let sent = 0;
  const send = (signal: AbortSignal): Promise<string> =>
    ++sent === 1
      ? new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason as Error)),
        )
      : Promise.resolve('done');
  const work = createAwsCaller({ clock, log: silent }).call(spec, send);
  await clock.runFor(70_000);
  expect([await work, sent]).toEqual(['done', 2]);
});

test('who aborts gets the reason at once', async () => {
  const clock = createVirtualClock(0);
  const stop = new AbortController();
  const reason = new Error('shutting down');
  const service = failing(100, refusal('RequestLimitExceeded', 503));
  const caller = createAwsCaller({ clock, log: silent });
  const work = outcome(caller.call({ ...spec, signal: stop.signal }, service.send));
  clock.schedule(300, () => stop.abort(reason));
  await clock.runFor(10_000);
  expect(await work).toBe(reason);
  expect(service.sent).toBeLessThan(6);
});

test('when calls must wait, terminations go first, then creations, then looking', async () => {
  const clock = createVirtualClock(0);
  const limit = new RateLimit(clock, { perSecond: 1, burst: 1 });
  const order: string[] = [];
  await limit.take('describe');
  for (const priority of ['describe', 'create', 'terminate', 'create', 'terminate'] as const)
    void limit.take(priority).then(() => order.push(`${priority} ${clock.nowMs()}`));
  await clock.runFor(10_000);
  expect(order).toEqual([
    'terminate 1000',
    'terminate 2000',
    'create 3000',
    'create 4000',
    'describe 5000',
  ]);
});
