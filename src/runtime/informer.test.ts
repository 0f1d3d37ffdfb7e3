import { describe, expect, test } from 'vitest';
import { createKubeClient } from '../adapters/kube/client.ts';
import { createJsonLog } from '../adapters/system/json-log.ts';
import { createSeededRandom } from '../adapters/system/seeded-random.ts';
import { createVirtualClock } from '../adapters/system/virtual-clock.ts';
import { type NodeObject, nodes, pods } from '../api/kubernetes/core.ts';
import type { HttpHandler, HttpRequest } from '../ports/http.ts';
import { createKubeServer } from '../world/kube/server.ts';
import { createInformer, type InformerOptions } from './informer.ts';
import type { Change } from './object-store.ts';

/** A server with an informer of its nodes behind a line that can be cut. */
function setUp(options: Partial<InformerOptions<NodeObject>> = {}, historyLength = 1_000) {
  const clock = createVirtualClock();
  const lines: Record<string, unknown>[] = [];
  const write = (line: string): number => lines.push(JSON.parse(line));
  const log = createJsonLog({ clock, level: 'error', write });
  const server = createKubeServer({ clock, random: createSeededRandom(1), historyLength });
  const line = cuttable(server.handle);
  const direct = createKubeClient({ send: server.handle, clock });
  const client = createKubeClient({ send: line.handle, clock });
  const informer = createInformer({ client, resource: nodes, clock, log, ...options });
  const changes: string[] = [];
  informer.onChange((change: Change<NodeObject>) => {
    changes.push(`${change.type} ${change.object.metadata.name}`);
  });
  const stop = new AbortController();
  return { clock, lines, line, direct, informer, changes, stop };
}

function cuttable(handle: HttpHandler) {
  const requests: HttpRequest[] = [];
  let cut = new AbortController();
  let isDown = false;
  let isForbidden = false;
  return {
    requests,
    forbid: () => {
      isForbidden = true;
    },
    goDown: () => {
      isDown = true;
      cut.abort();
    },
    comeBack: () => {
      isDown = false;
      isForbidden = false;
      cut = new AbortController();
    },
    handle: async (request: HttpRequest) => {
      requests.push(request);
      if (isDown) throw new Error('connection refused');
      if (isForbidden) return { status: 403, headers: {}, body: forbidden };
      const { signal } = cut;
      const response = await handle({
        ...request,
        signal: AbortSignal.any([signal, request.signal ?? signal]),
      });
      if (typeof response.body === 'string') return response;
      return { ...response, body: throwingWhenCut(response.body, signal) };
    },
  };
}

const forbidden = JSON.stringify({ kind: 'Status', code: 403, reason: 'Forbidden', message: 'no' });

async function* throwingWhenCut(pieces: AsyncIterable<string>, cut: AbortSignal) {
  yield* pieces;
  if (cut.aborted) throw new Error('socket hang up');
}

const aNode = (name: string): NodeObject => ({ metadata: { name } });

describe('an informer', () => {
  test('is in sync after the first list and follows changes from there', async () => {
    const { clock, direct, informer, changes, stop } = setUp();
    await direct.create(nodes, aNode('b'));
    await direct.create(nodes, aNode('a'));
    expect(informer.isSynced()).toBe(false);
    informer.start(stop.signal);
    await informer.synced;
    expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    await direct.create(nodes, aNode('aa'));
    await direct.delete(nodes, { name: 'b' });
    await clock.runFor(1);
    expect(informer.list().map(({ metadata }) => metadata.name)).toEqual(['a', 'aa']);
    expect(changes).toEqual(['added a', 'added b', 'added aa', 'deleted b']);
    expect(informer.state()).toEqual({ kind: 'watching' });
  });

  test('its list is the same array until something changes', async () => {
    const { clock, direct, informer, stop } = setUp();
    informer.start(stop.signal);
    await direct.create(nodes, aNode('a'));
    await clock.runFor(1);
    const first = informer.list();
    await clock.runFor(60_000);
    expect(informer.list()).toBe(first);
    await direct.create(nodes, aNode('b'));
    await clock.runFor(1);
    expect(informer.list()).not.toBe(first);
    expect(first).toHaveLength(1);
  });

  test('after a lost connection it resumes where it was, without listing again', async () => {
    const { clock, direct, informer, line, changes, stop } = setUp();
    await direct.create(nodes, aNode('a'));
    informer.start(stop.signal);
    await clock.runFor(1_000);
    line.goDown();
    await direct.delete(nodes, { name: 'a' });
    await direct.create(nodes, aNode('b'));
    await clock.runFor(20_000);
    expect(changes).toEqual(['added a']);
    line.comeBack();
    await clock.runFor(60_000);
    expect(changes).toEqual(['added a', 'deleted a', 'added b']);
    const lists = line.requests.filter(({ path }) => !path.includes('watch=true'));
    expect(lists).toHaveLength(1);
  });

  test('when the history is gone it lists again and reports deletes that it missed', async () => {
    const { clock, direct, informer, line, changes, lines, stop } = setUp({}, 2);
    await direct.create(nodes, aNode('a'));
    informer.start(stop.signal);
    await clock.runFor(1_000);
    line.goDown();
    await direct.delete(nodes, { name: 'a' });
    for (const name of ['b', 'c', 'd', 'e']) await direct.create(nodes, aNode(name));
    await direct.delete(nodes, { name: 'b' });
    await clock.runFor(20_000);
    line.comeBack();
    await clock.runFor(60_000);
    expect(changes).toEqual(['added a', 'deleted a', 'added c', 'added d', 'added e']);
    expect(lines).toEqual([]);
  });

  test('bookmarks carry a quiet watch over a history that others have filled', async () => {
    const { clock, direct, informer, line, stop } = setUp({ labelSelector: 'mine=yes' }, 2);
    informer.start(stop.signal);
    await clock.runFor(1_000);
    for (const name of ['b', 'c', 'd', 'e']) await direct.create(nodes, aNode(name));
    await clock.runFor(70_000);
    line.goDown();
    await clock.runFor(1_000);
    line.comeBack();
    await clock.runFor(60_000);
    const lists = line.requests.filter(({ path }) => !path.includes('watch=true'));
    expect(lists).toHaveLength(1);
  });

  test('a server that is away is tried again with growing pauses, and the log says what to check', async () => {
    const { clock, informer, line, lines, stop } = setUp();
    line.goDown();
    informer.start(stop.signal);
    await clock.runFor(300_000);
    expect(informer.isSynced()).toBe(false);
    expect(informer.state().kind).toMatch(/listing|backing-off/);
    // Every try of the informer is a few requests of the client; without pauses there were thousands.
    expect(line.requests.length).toBeLessThan(120);
    expect(lines[0]).toMatchObject({
      message: 'listing failed, trying again',
      resource: 'nodes',
      remedy: expect.stringContaining('check the address of the API server'),
    });
    line.comeBack();
    await clock.runFor(60_000);
    expect(informer.isSynced()).toBe(true);
  });

  test('a forbidden list names the rule that is missing', async () => {
    const clock = createVirtualClock();
    const lines: string[] = [];
    const log = createJsonLog({ clock, level: 'error', write: (line) => lines.push(line) });
    const status = { kind: 'Status', code: 403, reason: 'Forbidden', message: 'no' };
    const send = async () => ({ status: 403, headers: {}, body: JSON.stringify(status) });
    const client = createKubeClient({ send, clock });
    const stop = new AbortController();
    createInformer({ client, resource: pods, clock, log }).start(stop.signal);
    await clock.runFor(1);
    expect(lines[0]).toContain('allow get, list and watch on pods (apiGroups: [\\"\\"])');
    stop.abort();
  });

  test('what one can do without counts as empty while it is forbidden, and is seen once it is allowed', async () => {
    const { clock, direct, informer, line, lines, stop } = setUp({ canDoWithout: true });
    await direct.create(nodes, aNode('a'));
    line.forbid();
    informer.start(stop.signal);
    await clock.runFor(1);
    expect([informer.isSynced(), informer.list()]).toEqual([true, []]);
    await clock.runFor(500_000);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      message: 'listing is forbidden, going on without',
      resource: 'nodes',
      remedy: expect.stringContaining('allow get, list and watch on nodes'),
    });
    line.comeBack();
    await clock.runFor(200_000);
    expect(informer.list()).toHaveLength(1);
  });

  test('objects are projected before they are kept', async () => {
    const project = ({ metadata, spec }: NodeObject): NodeObject => ({
      metadata: { ...metadata, annotations: {} },
      ...(spec === undefined ? {} : { spec }),
    });
    const { clock, direct, informer, stop } = setUp({ project });
    informer.start(stop.signal);
    await direct.create(nodes, { metadata: { name: 'a', annotations: { big: 'x' } } });
    await clock.runFor(1);
    expect(informer.get('a')?.metadata.annotations).toEqual({});
    expect(informer.get('a')?.status).toBeUndefined();
  });

  test('one listener that throws is logged and keeps nobody else from hearing', async () => {
    const { clock, direct, informer, lines, stop } = setUp();
    const heard: string[] = [];
    informer.onChange(() => {
      throw new Error('deaf');
    });
    informer.onChange(({ object }) => heard.push(object.metadata.name));
    informer.start(stop.signal);
    await direct.create(nodes, aNode('a'));
    await clock.runFor(1);
    expect(heard).toEqual(['a']);
    expect(lines[0]).toMatchObject({ message: 'telling a listener failed', error: 'deaf' });
  });
});

describe('what a writer feeds back', () => {
  test('is seen at once, and the watch does not tell it a second time', async () => {
    const { clock, direct, informer, changes, stop } = setUp();
    informer.start(stop.signal);
    await clock.runFor(1);
    informer.apply(await direct.create(nodes, aNode('a')));
    expect(informer.get('a')).toBeDefined();
    await clock.runFor(60_000);
    expect(changes).toEqual(['added a']);
  });

  test('never takes the place of something newer', async () => {
    const { clock, direct, informer, changes, stop } = setUp();
    informer.start(stop.signal);
    const old = await direct.create(nodes, aNode('a'));
    const newer = await direct.update(nodes, { ...old, spec: { unschedulable: true } });
    await clock.runFor(1);
    informer.apply(old);
    expect(informer.get('a')?.metadata.resourceVersion).toBe(newer.metadata.resourceVersion);
    await direct.delete(nodes, { name: 'a' });
    await clock.runFor(1);
    informer.apply(newer);
    expect(informer.get('a')).toBeUndefined();
    expect(changes.at(-1)).toBe('deleted a');
  });

  test('ends an object whose last finalizer it removed', async () => {
    const { clock, direct, informer, changes, stop } = setUp();
    informer.start(stop.signal);
    await direct.create(nodes, { metadata: { name: 'a', finalizers: ['example.com/hold'] } });
    await direct.delete(nodes, { name: 'a' });
    await clock.runFor(1);
    const body = { metadata: { finalizers: null } };
    informer.apply(await direct.patch(nodes, { name: 'a' }, { type: 'merge', body }));
    await clock.runFor(1);
    expect(informer.get('a')).toBeUndefined();
    expect(changes).toEqual(['added a', 'updated a', 'deleted a']);
  });
});

test('while a long list is taken in, the first as well as a later one, others have their turn', async () => {
  const count = 3_000;
  let version = 1;
  let turns = 0;
  let sinceTurn = 0;
  let most = 0;
  // Every look at the clock costs more than a slice may take.
  let nowMs = 0;
  const clock = {
    nowMs: () => {
      nowMs += 6;
      return nowMs;
    },
    schedule: () => () => {},
    breathe: () => {
      turns++;
      sinceTurn = 0;
      return Promise.resolve();
    },
  };
  const done = (): void => {
    most = Math.max(most, ++sinceTurn);
  };
  const send: HttpHandler = async ({ path, signal }) => {
    if (path.includes('watch=true') && version > 1)
      return new Promise((_, reject) => signal?.addEventListener('abort', reject, { once: true }));
    if (path.includes('watch=true')) {
      version = 3;
      const told = { type: 'BOOKMARK', object: { metadata: { resourceVersion: '2' } } };
      const lost = { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } };
      const body = `${JSON.stringify(told)}\n${JSON.stringify(lost)}\n`;
      return { status: 200, headers: {}, body };
    }
    const resourceVersion = String(version);
    const items = Array.from({ length: count }, (_, index) => ({
      metadata: { name: `node-${index}`, uid: `${index}`, resourceVersion },
    }));
    const body = JSON.stringify({ metadata: { resourceVersion }, items });
    return { status: 200, headers: {}, body };
  };
  const log = createJsonLog({ clock, level: 'error', write: () => {} });
  const project = (node: NodeObject): NodeObject => {
    done();
    return node;
  };
  const client = createKubeClient({ send, clock });
  const informer = createInformer({ client, resource: nodes, clock, log, project });
  let updates = 0;
  const isListedAgain = new Promise<void>((resolve) => {
    informer.onChange(({ type }) => {
      done();
      if (type === 'updated' && ++updates === count) resolve();
    });
  });
  const stop = new AbortController();
  informer.start(stop.signal);
  await informer.synced;
  expect(informer.list()).toHaveLength(count);
  await isListedAgain;
  stop.abort();
  expect(turns).toBeGreaterThan(4 * (count / 64));
  expect(most).toBeLessThanOrEqual(64);
});

test('whoever is told to stop does not take a long list in to its end', async () => {
  const clock = createVirtualClock();
  const lines: string[] = [];
  const log = createJsonLog({ clock, level: 'error', write: (line) => lines.push(line) });
  const items = Array.from({ length: 10_000 }, (_, index) => ({
    metadata: { name: `node-${index}`, uid: `${index}`, resourceVersion: '1' },
  }));
  const body = JSON.stringify({ metadata: { resourceVersion: '1' }, items });
  const client = createKubeClient({
    send: async () => ({ status: 200, headers: {}, body }),
    clock,
  });
  const informer = createInformer({ client, resource: nodes, clock, log });
  const stop = new AbortController();
  let seen = 0;
  informer.onChange(() => {
    if (++seen === 100) stop.abort();
  });
  informer.start(stop.signal);
  await clock.runFor(1);
  expect(seen).toBeGreaterThanOrEqual(100);
  expect(seen).toBeLessThan(items.length);
  expect([informer.state(), informer.isSynced(), lines]).toEqual([{ kind: 'stopped' }, false, []]);
});
