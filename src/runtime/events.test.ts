import { describe, expect, test } from 'vitest';
import { createKubeClient } from '../adapters/kube/client.ts';
import { createJsonLog } from '../adapters/system/json-log.ts';
import { fork } from '../adapters/system/seeded-random.ts';
import { createVirtualClock } from '../adapters/system/virtual-clock.ts';
import { events, nodes, pods } from '../api/kubernetes/core.ts';
import type { HttpHandler } from '../ports/http.ts';
import type { EventDraft } from '../ports/recorder.ts';
import { createKubeServer } from '../world/kube/server.ts';
import { createEventPublisher } from './events.ts';

function setUp() {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const lines: string[] = [];
  const log = createJsonLog({ clock, level: 'error', write: (line) => lines.push(line) });
  const server = createKubeServer({ clock, random: fork(1, 'server') });
  let isDown = false;
  const send: HttpHandler = async (request) => {
    if (isDown) throw new Error('nobody there');
    return server.handle(request);
  };
  const kube = createKubeClient({ send, clock });
  const random = fork(1, 'events');
  const publisher = createEventPublisher({ kube, clock, log, random, component: 'karpenter' });
  const goDown = (): void => {
    isDown = true;
  };
  const published = async () =>
    (await createKubeClient({ send: server.handle, clock }).list(events)).items;
  return { clock, publisher, published, lines, goDown };
}

const about = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'web', uid: 'uid-of-web' } };
const nodeNumber = (index: number) => ({
  ...about,
  metadata: { name: `n${index}`, uid: `u${index}` },
});
const draft: EventDraft = { about, type: 'Normal', reason: 'DisruptionBlocked', message: 'a pod' };

describe('events', () => {
  test('an event about an object without a namespace is kept in default', async () => {
    const { clock, publisher, published } = setUp();
    publisher.publish(draft);
    await clock.runFor(1);
    expect(await published()).toMatchObject([
      {
        metadata: { namespace: 'default', name: expect.stringMatching(/^web\.[0-9a-f]{16}$/) },
        involvedObject: { apiVersion: 'v1', kind: nodes.kind, name: 'web', uid: 'uid-of-web' },
        type: 'Normal',
        reason: 'DisruptionBlocked',
        message: 'a pod',
        count: 1,
        firstTimestamp: '2026-01-01T00:00:00Z',
        lastTimestamp: '2026-01-01T00:00:00Z',
        source: { component: 'karpenter' },
      },
    ]);
  });

  test('an event about a pod is kept beside it', async () => {
    const { clock, publisher, published } = setUp();
    const metadata = { name: 'p', namespace: 'kube-system', uid: 'u' };
    publisher.publish({ ...draft, about: { kind: pods.kind, apiVersion: 'v1', metadata } });
    await clock.runFor(1);
    expect((await published()).map((event) => event.metadata.namespace)).toEqual(['kube-system']);
  });

  test('repeats within two minutes are counted, and told with the next one after them', async () => {
    const { clock, publisher, published } = setUp();
    publisher.publish(draft);
    await clock.runFor(30_000);
    publisher.publish(draft);
    publisher.publish({ ...draft, message: 'another pod' });
    await clock.runFor(60_000);
    publisher.publish(draft);
    expect((await published()).map(({ count }) => count)).toEqual([1, 1]);
    await clock.runFor(60_000);
    publisher.publish(draft);
    await clock.runFor(1);
    const counts = Object.fromEntries(
      (await published()).map(({ message, count }) => [message, count]),
    );
    expect(counts).toEqual({ 'a pod': 4, 'another pod': 1 });
    const repeated = (await published()).find(({ count }) => count === 4);
    expect(repeated?.lastTimestamp).toBe('2026-01-01T00:02:30Z');
  });

  test('a storm of one reason is held back, and another reason still gets through', async () => {
    const { clock, publisher, published } = setUp();
    let told = 0;
    for (let index = 0; index < 500; index++)
      if (publisher.publish({ ...draft, about: nodeNumber(index) })) told++;
    expect(told).toBe(50);
    publisher.publish({ ...draft, reason: 'FailedDraining', message: 'once' });
    await clock.runFor(1_000);
    const reasons = (await published()).map(({ reason }) => reason);
    expect(reasons.filter((reason) => reason === 'DisruptionBlocked')).toHaveLength(50);
    expect(reasons).toContain('FailedDraining');
  });

  test('an object of which the same is told in ever other words hears of it ten times, then every two minutes', async () => {
    const { clock, publisher, published } = setUp();
    const tellFor = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second++) {
        publisher.publish({ ...draft, message: `claim ${clock.nowMs()}` });
        await clock.runFor(1_000);
      }
    };
    await tellFor(60);
    expect(await published()).toHaveLength(10);
    publisher.publish({ ...draft, about: nodeNumber(2) });
    await tellFor(600);
    expect(await published()).toHaveLength(16);
  });

  test('a server that is away costs nothing but a line in the log', async () => {
    const { clock, publisher, lines, goDown } = setUp();
    goDown();
    publisher.publish(draft);
    await clock.runFor(60_000);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('publishing an event failed');
  });
});
