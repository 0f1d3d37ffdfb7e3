import { expect, test } from 'vitest';
import { startApi } from '../../../../test/kube/api.ts';

const events = '/api/v1/namespaces/default/events';
const minuteMs = 60_000;

function anEvent(name: string) {
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name, namespace: 'default' },
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
    reason: 'Tested',
    message: 'said',
    type: 'Normal',
  };
}

async function namesOf(api: ReturnType<typeof startApi>): Promise<readonly string[]> {
  const { body } = await api.get(events);
  return body.items.map((item: { metadata: { name: string } }) => item.metadata.name);
}

test('an event is forgotten an hour after it was last written', async () => {
  const api = startApi();
  await api.post(events, anEvent('once'));
  await api.post(events, anEvent('repeated'));
  await api.post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'kept' } });
  await api.clock.runFor(30 * minuteMs);
  await api.merge(`${events}/repeated`, { count: 2 });
  // What changes nothing is not written, and prolongs nothing.
  await api.merge(`${events}/once`, { reason: 'Tested' });
  expect(await namesOf(api)).toEqual(['once', 'repeated']);
  await api.clock.runFor(30 * minuteMs);
  expect(await namesOf(api)).toEqual(['repeated']);
  await api.clock.runFor(30 * minuteMs);
  expect(await namesOf(api)).toEqual([]);
  expect((await api.get('/api/v1/namespaces/default/configmaps/kept')).status).toBe(200);
});

test('a watch is told of it with the last state and a new version, though nobody asks for anything', async () => {
  const api = startApi();
  const { body } = await api.post(events, anEvent('once'));
  const watch = await api.watch(`${events}?timeoutSeconds=7200`);
  await api.clock.runFor(62 * minuteMs);
  const [added, deleted] = await watch.events();
  expect(added?.type).toBe('ADDED');
  expect(deleted).toMatchObject({ type: 'DELETED', object: { reason: 'Tested' } });
  expect(deleted?.object.metadata.deletionTimestamp).toBeUndefined();
  expect(Number(deleted?.object.metadata.resourceVersion)).toBeGreaterThan(
    Number(body.metadata.resourceVersion),
  );
  watch.stop();
  await watch.isEnded();
  expect(api.clock.pendingTimers()).toBe(0);
});
