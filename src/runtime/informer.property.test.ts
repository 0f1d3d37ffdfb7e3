import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKubeClient } from '../adapters/kube/client.ts';
import { createJsonLog } from '../adapters/system/json-log.ts';
import { createSeededRandom, fork } from '../adapters/system/seeded-random.ts';
import { createVirtualClock } from '../adapters/system/virtual-clock.ts';
import { resource } from '../api/kubernetes/core.ts';
import { type KubeObject, keyOf } from '../api/resource.ts';
import { type Clock, sleep } from '../ports/clock.ts';
import type { HttpHandler } from '../ports/http.ts';
import { isKubeError, type KubeClient } from '../ports/kube.ts';
import { integerBelow, type Random } from '../ports/random.ts';
import { createKubeServer } from '../world/kube/server.ts';
import { createInformer, type Informer } from './informer.ts';

interface Box extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const boxes = resource<Box>('/v1/configmaps', 'ConfigMap', 'namespaced');
const names = ['a', 'b', 'c', 'd', 'e'];
const namespace = 'default';
const storyMs = 240_000;

/** The same handler over a bad line: calls are lost on the way there or back, watches break. */
function overBadLine(handle: HttpHandler, random: Random, isBad: () => boolean): HttpHandler {
  const fails = (share: number): boolean => isBad() && random.fraction() < share;
  return async (request) => {
    if (fails(0.15)) throw lost();
    const response = await handle(request);
    if (fails(0.1)) throw lost();
    if (typeof response.body === 'string') return response;
    return { ...response, body: breaking(response.body, () => fails(0.2)) };
  };
}

async function* breaking(pieces: AsyncIterable<string>, breaks: () => boolean) {
  for await (const piece of pieces) {
    if (breaks()) {
      // Some of what was on its way is still read, and it may end in the middle of an event.
      yield piece.slice(0, piece.length >> 1);
      throw lost();
    }
    yield piece;
  }
}

function lost(): Error {
  return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
}

/** Creates, changes and deletes boxes at random, feeding answers back as a writer may. */
async function rummage(writer: KubeClient, informer: Informer<Box>, options: Options) {
  const { random, clock } = options;
  const endMs = clock.nowMs() + storyMs;
  while (clock.nowMs() < endMs) {
    await sleep(clock, integerBelow(random, 5) === 0 ? 20_000 * random.fraction() : 50);
    const name = names[integerBelow(random, names.length)] ?? 'a';
    const answer = await act(writer, name, random);
    if (answer !== undefined && random.fraction() < 0.5) {
      // Late now and then, when the watch may have told more already.
      if (random.fraction() < 0.3) await sleep(clock, 500 * random.fraction());
      informer.apply(answer);
    }
  }
}

interface Options {
  readonly random: Random;
  readonly clock: Clock;
}

async function act(writer: KubeClient, name: string, random: Random): Promise<Box | undefined> {
  const key = { name, namespace };
  const data = { value: String(integerBelow(random, 3)) };
  try {
    switch (integerBelow(random, 3)) {
      case 0:
        return await writer.create(boxes, { metadata: key, data });
      case 1:
        return await writer.patch(boxes, key, { type: 'merge', body: { data } });
      default:
        await writer.delete(boxes, key);
        return undefined;
    }
  } catch (error) {
    if (isKubeError(error, 'already-exists', 'not-found')) return undefined;
    throw error;
  }
}

async function story(seed: number) {
  const clock = createVirtualClock();
  const log = createJsonLog({ clock, level: 'error', write: () => {} });
  // A short memory, so that whoever was away for a while finds the history gone.
  const server = createKubeServer({ clock, random: fork(seed, 'server'), historyLength: 4 });
  const startMs = clock.nowMs();
  const isBad = (): boolean => clock.nowMs() < startMs + storyMs;
  const send = overBadLine(server.handle, fork(seed, 'line'), isBad);
  const client = createKubeClient({ send, clock, random: fork(seed, 'client'), watchSeconds: 40 });
  const informer = createInformer({
    client,
    resource: boxes,
    clock,
    log,
    random: fork(seed, 'informer'),
  });
  informer.addIndex('value', (box) => [box.data?.value ?? 'none']);
  const mirror = new Map<string, Box>();
  const faults: string[] = [];
  informer.onChange(({ type, object, previous }) => {
    const key = keyOf(object);
    const known = mirror.get(key);
    if ((type === 'added') !== (known === undefined)) faults.push(`${type} ${key}`);
    if (type !== 'added' && previous !== known) faults.push(`${type} ${key}: wrong previous`);
    if (type === 'updated' && known?.metadata.uid !== object.metadata.uid)
      faults.push(`two ${key}`);
    if (type === 'deleted') mirror.delete(key);
    else mirror.set(key, object);
  });
  const stop = new AbortController();
  informer.start(stop.signal);
  const writer = createKubeClient({ send: server.handle, clock });
  await clock.runUntil(() => informer.isSynced(), 60_000);
  const writing = rummage(writer, informer, { random: createSeededRandom(seed), clock });
  await clock.runFor(storyMs + 120_000);
  await writing;
  const truth = (await writer.list(boxes)).items;
  stop.abort();
  await clock.runFor(1);
  return {
    truth,
    informer,
    mirror,
    faults,
    state: informer.state(),
    timers: clock.pendingTimers(),
  };
}

test('whatever gets lost, an informer ends up equal to the server, and its changes add up to it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const { truth, informer, mirror, faults, state, timers } = await story(seed);
      expect(faults).toEqual([]);
      expect(informer.list()).toEqual(truth);
      expect([...mirror.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))).toEqual(truth);
      for (const value of ['0', '1', '2']) {
        expect(informer.by('value', value)).toEqual(
          truth.filter((box) => box.data?.value === value),
        );
      }
      expect([state, timers]).toEqual([{ kind: 'stopped' }, 0]);
    }),
    { numRuns: 30 },
  );
});
