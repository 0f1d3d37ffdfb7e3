import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKubeClient } from '../adapters/kube/client.ts';
import { createJsonLog } from '../adapters/system/json-log.ts';
import { fork } from '../adapters/system/seeded-random.ts';
import { createVirtualClock, type VirtualClock } from '../adapters/system/virtual-clock.ts';
import { type Clock, sleep } from '../ports/clock.ts';
import type { HttpHandler } from '../ports/http.ts';
import { integerBelow, type Random } from '../ports/random.ts';
import { createKubeServer } from '../world/kube/server.ts';
import { runLeaderElection } from './leader-election.ts';

const troubleMs = 600_000;
const candidates = ['one', 'two', 'three'];
/** Work takes this long to wind down: less than lies between giving up and the lease's end. */
const windDownMs = 4_000;

/** A clock whose reading is wrong and is set now and then, while its timers run true. */
function badClock(clock: VirtualClock, random: Random): Clock {
  let offsetMs = (random.fraction() - 0.5) * 600_000;
  const readjust = (): void => {
    offsetMs += (random.fraction() - 0.5) * 60_000;
    clock.schedule(60_000 * random.fraction(), readjust);
  };
  clock.schedule(60_000 * random.fraction(), readjust);
  return { nowMs: () => clock.nowMs() + offsetMs, schedule: clock.schedule };
}

/** A line that is cut for a while now and then, and slow: requests and answers may come very late. */
function badLine(handle: HttpHandler, clock: VirtualClock, random: Random): HttpHandler {
  const endMs = clock.nowMs() + troubleMs;
  let isCut = false;
  const toggle = (): void => {
    isCut = !isCut && clock.nowMs() < endMs;
    if (clock.nowMs() < endMs) clock.schedule(40_000 * random.fraction(), toggle);
  };
  clock.schedule(40_000 * random.fraction(), toggle);
  const dawdle = async (): Promise<void> => {
    const isSlow = clock.nowMs() < endMs && integerBelow(random, 8) === 0;
    await sleep(clock, isSlow ? 20_000 * random.fraction() : 20 * random.fraction());
  };
  return async (request) => {
    await dawdle();
    if (isCut) throw new Error('cut on the way there');
    const response = await handle({ ...request, signal: undefined });
    await dawdle();
    if (isCut) throw new Error('cut on the way back');
    return response;
  };
}

async function story(seed: number) {
  const clock = createVirtualClock();
  const log = createJsonLog({ clock, level: 'error', write: () => {} });
  const server = createKubeServer({ clock, random: fork(seed, 'server') });
  const stop = new AbortController();
  const working = new Set<string>();
  const faults: string[] = [];
  let tenures = 0;
  const done = candidates.map((identity) => {
    const own = badClock(clock, fork(seed, `clock of ${identity}`));
    const send = badLine(server.handle, clock, fork(seed, `line of ${identity}`));
    const client = createKubeClient({ send, clock: own });
    const lead = async (signal: AbortSignal): Promise<void> => {
      tenures++;
      working.add(identity);
      if (working.size > 1) faults.push(`${[...working]} at ${clock.nowMs()}`);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await sleep(clock, windDownMs);
      working.delete(identity);
    };
    const random = fork(seed, identity);
    const lease = { namespace: 'kube-system', name: 'karpenter-leader-election', identity };
    return runLeaderElection({ client, clock: own, log, random, lead, ...lease }, stop.signal);
  });
  await clock.runFor(troubleMs);
  const hadTrouble = tenures > 1;
  await clock.runFor(90_000);
  const leadersInPeace = working.size;
  stop.abort();
  await clock.runFor(30_000);
  await Promise.all(done);
  return { faults, hadTrouble, leadersInPeace, leadersAfter: working.size };
}

test('two never lead at once, and when the trouble is over one leads', async () => {
  let troubled = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const { faults, hadTrouble, leadersInPeace, leadersAfter } = await story(seed);
      if (hadTrouble) troubled++;
      expect({ faults, leadersInPeace, leadersAfter }).toEqual({
        faults: [],
        leadersInPeace: 1,
        leadersAfter: 0,
      });
    }),
    { numRuns: 25 },
  );
  // A story in which nobody ever lost the lease proves nothing.
  expect(troubled).toBeGreaterThan(12);
});
