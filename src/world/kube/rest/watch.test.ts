import { describe, expect, test } from 'vitest';
import { aConfigMap, aPod, configMaps, pods, startApi } from '../../../../test/kube/api.ts';

describe('what a watch begins with', () => {
  test('without a version it tells what is there, then what changes', async () => {
    const api = startApi();
    await api.post(configMaps, aConfigMap('a'));
    const watch = await api.watch(configMaps);
    await api.post(configMaps, aConfigMap('b'));
    await api.merge(`${configMaps}/a`, { data: { x: '1' } });
    await api.delete(`${configMaps}/b`);
    expect(await watch.lines()).toEqual(['ADDED a', 'ADDED b', 'MODIFIED a', 'DELETED b']);
  });

  test('from a version it tells what changed since', async () => {
    const api = startApi();
    await api.post(configMaps, aConfigMap('a'));
    const { resourceVersion } = (await api.get(configMaps)).body.metadata;
    await api.post(configMaps, aConfigMap('b'));
    const watch = await api.watch(`${configMaps}?resourceVersion=${resourceVersion}`);
    await api.delete(`${configMaps}/a`);
    expect(await watch.lines()).toEqual(['ADDED b', 'DELETED a']);
  });

  test('from a forgotten version it says so and ends', async () => {
    const api = startApi({ historyLength: 2 });
    for (const name of ['a', 'b', 'c', 'd']) await api.post(configMaps, aConfigMap(name));
    const watch = await api.watch(`${configMaps}?resourceVersion=1`);
    expect(await watch.events()).toMatchObject([
      { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } },
    ]);
    expect(await watch.isEnded()).toBe(true);
  });

  test('initial events end with a marked bookmark', async () => {
    const api = startApi();
    await api.post(configMaps, aConfigMap('a'));
    const query =
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const watch = await api.watch(`${configMaps}?${query}`);
    const [first, second] = await watch.events();
    expect(first).toMatchObject({ type: 'ADDED', object: { kind: 'ConfigMap' } });
    expect(second).toMatchObject({
      type: 'BOOKMARK',
      object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
    });
  });
});

test('an object that starts or stops to match comes and goes', async () => {
  const api = startApi();
  await api.post(pods, aPod('a', { labels: { app: 'x' } }));
  const { resourceVersion } = (await api.get(pods)).body.metadata;
  const watch = await api.watch(`${pods}?labelSelector=app%3Dx&resourceVersion=${resourceVersion}`);
  await api.merge(`${pods}/a`, { metadata: { labels: { app: 'y' } } });
  await api.merge(`${pods}/a`, { metadata: { labels: { app: 'z' } } });
  await api.merge(`${pods}/a`, { metadata: { labels: { app: 'x' } } });
  expect(await watch.lines()).toEqual(['DELETED a', 'ADDED a']);
  const [gone] = await watch.events();
  expect(gone?.object.metadata.labels).toEqual({ app: 'x' });
});

test('bookmarks come every minute and name the newest version', async () => {
  const api = startApi();
  const watch = await api.watch(`${configMaps}?allowWatchBookmarks=true`);
  await api.post(pods, aPod('a'));
  await api.clock.runFor(150_000);
  const events = await watch.events();
  expect(events.map(({ type }) => type)).toEqual(['BOOKMARK', 'BOOKMARK']);
  const { resourceVersion } = (await api.get(configMaps)).body.metadata;
  expect(events[0]?.object.metadata.resourceVersion).toBe(resourceVersion);
});

test('a watch ends after its timeout and leaves no timer behind', async () => {
  const api = startApi();
  const watch = await api.watch(`${configMaps}?timeoutSeconds=10&allowWatchBookmarks=true`);
  await api.clock.runFor(9_000);
  expect(await watch.isEnded()).toBe(false);
  await api.clock.runFor(2_000);
  expect(await watch.isEnded()).toBe(true);
  expect(api.clock.pendingTimers()).toBe(0);
});

test('a watch ends when the client goes away', async () => {
  const api = startApi();
  const watch = await api.watch(configMaps);
  watch.stop();
  expect(await watch.isEnded()).toBe(true);
  expect(api.clock.pendingTimers()).toBe(0);
});
