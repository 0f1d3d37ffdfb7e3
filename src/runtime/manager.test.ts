import { describe, expect, test } from 'vitest';
import { createKubeClient } from '../adapters/kube/client.ts';
import { createJsonLog } from '../adapters/system/json-log.ts';
import { fork } from '../adapters/system/seeded-random.ts';
import { createVirtualClock } from '../adapters/system/virtual-clock.ts';
import { nodes, pods } from '../api/kubernetes/core.ts';
import { sleep } from '../ports/clock.ts';
import { createKubeServer } from '../world/kube/server.ts';
import { runController } from './controller.ts';
import { createInformer } from './informer.ts';
import { createManager } from './manager.ts';
import { onChange } from './reconcile.ts';

function setUp() {
  const clock = createVirtualClock();
  const startMs = clock.nowMs();
  const log = createJsonLog({ clock, level: 'error', write: () => {} });
  const server = createKubeServer({ clock, random: fork(1, 'server') });
  const client = createKubeClient({ send: server.handle, clock });
  const trace: string[] = [];
  const note = (text: string): number => trace.push(`${(clock.nowMs() - startMs) / 1_000} ${text}`);

  /** A replica with one loop that reconciles nodes and takes a second to end. */
  function replica(identity: string) {
    const lease = { namespace: 'kube-system', name: 'leader', identity };
    const random = { fraction: () => 0 };
    const manager = createManager({ log, election: { client, clock, random, ...lease } });
    const informer = manager.addInformer(createInformer({ client, resource: nodes, clock, log }));
    manager.addInformer(createInformer({ client, resource: pods, clock, log }));
    manager.addLoop('nodes', (signal) => {
      note(`${identity} loop started, synced ${manager.isSynced()}`);
      const reconcile = async (key: string) => {
        note(`${identity} reconciled ${key}`);
        return onChange;
      };
      const controller = runController({ name: 'nodes', clock, log, reconcile }, signal);
      for (const node of informer.list()) controller.enqueue(node.metadata.name);
      const stopListening = informer.onChange(({ object }) =>
        controller.enqueue(object.metadata.name),
      );
      const done = controller.done.then(async () => {
        stopListening();
        await sleep(clock, 1_000);
        note(`${identity} loop ended, informer ${informer.state().kind}`);
      });
      return { done };
    });
    const stop = new AbortController();
    return { manager, informer, stop, done: manager.run(stop.signal) };
  }
  return { clock, client, trace, replica };
}

describe('a manager', () => {
  test('syncs, leads, hands over in order, and the successor is warm', async () => {
    const { clock, client, trace, replica } = setUp();
    await client.create(nodes, { metadata: { name: 'a' } });
    const first = replica('one');
    await clock.runFor(1_000);
    const second = replica('two');
    await clock.runFor(1_000);
    expect([first.manager.isLeading(), second.manager.isLeading()]).toEqual([true, false]);
    expect(second.informer.list()).toHaveLength(1);
    await client.create(nodes, { metadata: { name: 'b' } });
    await clock.runFor(1_000);
    first.stop.abort();
    await clock.runFor(10_000);
    await first.done;
    expect(trace).toEqual([
      '0 one loop started, synced true',
      '0 one reconciled a',
      '2 one reconciled b',
      '4 one loop ended, informer watching',
      '5 two loop started, synced true',
      '5 two reconciled a',
      '5 two reconciled b',
    ]);
    expect(first.informer.state()).toEqual({ kind: 'stopped' });
    second.stop.abort();
    await clock.runFor(10_000);
    await second.done;
    expect(clock.pendingTimers()).toBe(0);
  });

  test('stopping before the informers are in sync ends at once', async () => {
    const clock = createVirtualClock();
    const log = createJsonLog({ clock, level: 'error', write: () => {} });
    const send = () => Promise.reject(new Error('nobody there'));
    const client = createKubeClient({ send, clock });
    const manager = createManager({ log });
    manager.addInformer(createInformer({ client, resource: nodes, clock, log }));
    const stop = new AbortController();
    const running = manager.run(stop.signal);
    await clock.runFor(10_000);
    expect(manager.isSynced()).toBe(false);
    stop.abort();
    await running;
    await clock.runFor(10_000);
    expect(clock.pendingTimers()).toBe(0);
  });

  test('prepares after every election, before the loops start, and starts none if stopped meanwhile', async () => {
    const { clock, trace, replica } = setUp();
    const first = replica('one');
    first.manager.addPreparation(async () => {
      trace.push(`prepared, synced ${first.manager.isSynced()}`);
      await sleep(clock, 2_000);
    });
    await clock.runFor(1_000);
    expect(trace).toEqual(['prepared, synced true']);
    await clock.runFor(1_500);
    expect(trace.at(-1)).toBe('2 one loop started, synced true');
    first.stop.abort();
    await clock.runFor(10_000);
    await first.done;
    trace.length = 0;
    const second = replica('two');
    second.manager.addPreparation(() => sleep(clock, 2_000));
    await clock.runFor(1_000);
    second.stop.abort();
    await clock.runFor(10_000);
    await second.done;
    expect(trace).toEqual([]);
    expect(second.manager.isLeading()).toBe(false);
  });

  test('a loop that fails ends the others and the run, and is named', async () => {
    const clock = createVirtualClock();
    const log = createJsonLog({ clock, level: 'error', write: () => {} });
    const manager = createManager({ log });
    let isOtherStopped = false;
    manager.addLoop('broken', () => ({ done: sleep(clock, 5).then(() => fail()) }));
    manager.addLoop('other', (signal) => ({
      done: new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          isOtherStopped = true;
          resolve();
        });
      }),
    }));
    const running = manager.run(new AbortController().signal);
    const outcome = expect(running).rejects.toThrow('running the loop broken');
    await clock.runFor(10);
    await outcome;
    expect(isOtherStopped).toBe(true);
  });
});

function fail(): never {
  throw new Error('a mistake');
}
