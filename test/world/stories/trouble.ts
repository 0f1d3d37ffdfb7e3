import { TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { sleep } from '../../../src/ports/clock.ts';
import type { HttpResponse } from '../../../src/ports/http.ts';
import type { Meddler, TestWorld } from '../harness.ts';
import type { Act } from './act.ts';
import type { Chance } from './chance.ts';
import { zones } from './rules.ts';

const shortage: Act = async (world, chance) => {
  const what = chance.oneOf<object>(
    { capacityType: 'spot' },
    { capacityType: 'on-demand' },
    { zone: chance.oneOf(...zones) },
    { instanceType: chance.oneOf('c*', 'm*', 'm5*', '*.large') },
    { remaining: chance.between(1, 2) },
  );
  world.aws.market.setShortage(what);
  return `shortage ${JSON.stringify(what)}`;
};

const plenty: Act = async (world) => {
  world.aws.market.clearShortage();
  return 'shortages end';
};

const interrupt: Act = async (world, chance) => {
  const id = chance.of(await world.cloud.instances());
  if (id !== undefined) world.aws.market.interrupt(id);
  return id === undefined ? '' : `interrupt ${id}`;
};

const throttle: Act = async (world, chance) => {
  const action = chance.oneOf('CreateFleet', 'DescribeInstances', 'TerminateInstances', '*');
  world.aws.market.setRateLimit(action, { perSecond: chance.oneOf(0.1, 0.5, 2), burst: 1 });
  return `throttle ${action}`;
};

const unthrottle: Act = async (world) => {
  world.aws.market.clearRateLimits();
  return 'no more throttling';
};

const slowServer: Act = async (world, chance) => {
  const longestMs = chance.oneOf(200, 2_000);
  world.meddleKube = latecomer(world, chance, longestMs);
  return `requests come up to ${longestMs} ms late`;
};

const brokenWatches: Act = async (world, chance) => {
  const ms = chance.oneOf(1_000, 10_000);
  world.meddleKube = async (request, handle) => {
    const answer = await handle(request);
    if (typeof answer.body === 'string') return answer;
    return { ...answer, body: brokenAfter(world, answer.body, ms) };
  };
  return `watches break after ${ms} ms`;
};

const failingServer: Act = async (world, chance) => {
  const share = chance.oneOf(2, 5);
  const isDone = chance.oneIn(2);
  world.meddleKube = async (request, handle) => {
    if (request.path.includes('watch=') || !chance.oneIn(share)) return handle(request);
    if (isDone) await handle(request);
    return failure(chance.oneOf(500, 503, 429));
  };
  return `one request in ${share} fails${isDone ? ' after it was done' : ''}`;
};

const failingCloud: Act = async (world, chance) => {
  world.meddleAws = async (request, handle) => {
    const answer = await handle(request);
    if (chance.oneIn(4)) throw new Error('the connection broke');
    return answer;
  };
  return 'one answer of AWS in four is lost';
};

/** The life that was started last, or the one before it, cannot reach the API server for a while. */
const partition: Act = async (world, chance) => {
  const life = world.lives - chance.between(0, 1);
  const untilMs = world.clock.nowMs() + chance.oneOf(5_000, 20_000, 60_000);
  const isHeard = chance.oneIn(3);
  world.meddleKube = async (request, handle, number) => {
    if (number !== life || world.clock.nowMs() > untilMs) return handle(request);
    if (isHeard) await handle(request);
    throw new Error('no route to host');
  };
  return `life ${life} cannot reach the API server`;
};

const terminate: Act = async (world, chance) => {
  const id = chance.of(await world.cloud.instances());
  if (id === undefined) return '';
  await world.ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
  return `somebody terminates ${id}`;
};

const quota: Act = async (world, chance) => {
  const vcpus = chance.between(0, 16);
  world.aws.market.setQuota(chance.oneOf('spot', 'on-demand'), vcpus);
  return `quota of ${vcpus} vCPUs`;
};

const pricesMove: Act = async (world) => {
  world.aws.market.setSpotDrift(0.4);
  return 'spot prices move';
};

const calm: Act = async (world) => {
  endMeddling(world);
  return 'calm';
};

export const troubles: readonly Act[] = [
  shortage,
  shortage,
  plenty,
  interrupt,
  interrupt,
  throttle,
  unthrottle,
  slowServer,
  brokenWatches,
  failingServer,
  failingCloud,
  partition,
  partition,
  terminate,
  terminate,
  quota,
  pricesMove,
  calm,
];

/** Those that take no machine away. */
export const harmless: readonly Act[] = troubles.filter(
  (act) => act !== interrupt && act !== terminate,
);

function endMeddling(world: TestWorld): void {
  world.meddleKube = (request, handle) => handle(request);
  world.meddleAws = (request, handle) => handle(request);
}

/** All that troubled the cloud and the servers comes to its end. */
export function endTroubles(world: TestWorld): void {
  endMeddling(world);
  world.aws.market.clearShortage();
  world.aws.market.clearRateLimits();
  world.aws.market.setQuota('spot', undefined);
  world.aws.market.setQuota('on-demand', undefined);
  world.aws.market.setSpotDrift(0);
}

function latecomer(world: TestWorld, chance: Chance, longestMs: number): Meddler {
  return async (request, handle) => {
    await sleep(world.clock, chance.between(0, longestMs));
    const answer = await handle(request);
    if (typeof answer.body === 'string') return answer;
    return { ...answer, body: late(world, answer.body, () => chance.between(0, longestMs)) };
  };
}

async function* late(
  world: TestWorld,
  body: AsyncIterable<string>,
  delayMs: () => number,
): AsyncIterable<string> {
  for await (const piece of body) {
    await sleep(world.clock, delayMs());
    yield piece;
  }
}

async function* brokenAfter(
  world: TestWorld,
  body: AsyncIterable<string>,
  ms: number,
): AsyncIterable<string> {
  const untilMs = world.clock.nowMs() + ms;
  for await (const piece of body) {
    if (world.clock.nowMs() > untilMs) throw new Error('the connection broke');
    yield piece;
  }
}

function failure(status: number): HttpResponse {
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: status, message: 'no' };
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
