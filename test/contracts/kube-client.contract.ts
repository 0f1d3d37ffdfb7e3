import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  namespaces,
  nodes,
  type PodObject,
  podDisruptionBudgets,
  pods,
  resource,
} from '../../src/api/kubernetes/core.ts';
import type { KubeObject, Resource } from '../../src/api/resource.ts';
import { isKubeError, type KubeClient, type WatchEvent } from '../../src/ports/kube.ts';

/** A server to run the contract against. */
interface KubeUnderTest {
  /** Its watches last for about a minute, the time in which servers send a bookmark. */
  readonly client: KubeClient;
  /** Whether a watch without changes is sure to hear a bookmark before it ends. */
  readonly promisesBookmarks: boolean;
  /** A version of that kind which the server does not remember any more. */
  forgotten(): Promise<{ readonly resource: Resource; readonly resourceVersion: string }>;
  /** Returns when the work has ended, with all the time it takes. */
  during<T>(work: Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

const configMaps = resource<ConfigMap>('/v1/configmaps', 'ConfigMap', 'namespaced');
const serviceAccounts = resource('/v1/serviceaccounts', 'ServiceAccount', 'namespaced');
const widgets = resource('widgets.example.com/v1/widgets', 'Widget', 'cluster');
const namespace = 'kube-client-contract';

/** What every Kubernetes client does with every Kubernetes server, for all that the port promises. */
export function kubeClientContract(name: string, open: () => Promise<KubeUnderTest>): void {
  describe(`the Kubernetes client contract, ${name}`, { timeout: 120_000 }, () => {
    let server: KubeUnderTest;
    let client: KubeClient;

    beforeAll(async () => {
      server = await open();
      client = server.client;
      await ignoring(
        'already-exists',
        client.create(namespaces, { metadata: { name: namespace } }),
      );
      const account = { metadata: { name: 'default', namespace } };
      await ignoring('already-exists', client.create(serviceAccounts, account));
    });
    afterAll(async () => {
      await server.close();
    });

    test('the server tells its version as major and minor number', async () => {
      expect(await client.serverVersion()).toMatch(/^\d+\.\d+$/);
    });

    describe('creating and reading', () => {
      test('a created object has an identity and a version, and is read back the same', async () => {
        const created = await client.create(configMaps, aMap('read-back', { a: '1' }));
        expect(created.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
        expect(created.metadata.resourceVersion).toMatch(/^\d+$/);
        expect(await client.get(configMaps, { name: 'read-back', namespace })).toEqual(created);
      });

      test('a name can be taken once', async () => {
        await client.create(configMaps, aMap('taken'));
        await expectKind('already-exists', client.create(configMaps, aMap('taken')));
      });

      test('a name is generated from its beginning', async () => {
        const metadata = { generateName: 'generated-', namespace };
        const created = await client.create(configMaps, { metadata });
        expect(created.metadata.name).toMatch(/^generated-.+/);
      });

      test('an object that is not there is undefined, and no error', async () => {
        expect(await client.get(configMaps, { name: 'nobody', namespace })).toBeUndefined();
      });

      test('a kind that is not served is an error, and no absence', async () => {
        await expectKind('not-found', client.get(widgets, { name: 'any' }));
        await expectKind('not-found', client.list(widgets));
      });

      test('a name that breaks the rules is refused with the object and the verb', async () => {
        const creating = client.create(configMaps, aMap('Not_A_Name'));
        await expect(creating).rejects.toMatchObject({
          kind: 'invalid',
          message: expect.stringContaining(`creating configmaps ${namespace}/Not_A_Name: `),
        });
      });
    });

    describe('listing', () => {
      const labels = { group: 'listed' };
      const names = Array.from({ length: 7 }, (_, index) => `listed-${index}`);

      beforeAll(async () => {
        for (const name of names) await client.create(configMaps, aMap(name, {}, labels));
      });

      test('pages are put together, each object once and with its type', async () => {
        const options = { namespace, labelSelector: 'group=listed', pageSize: 2 };
        const { items, resourceVersion } = await client.list(configMaps, options);
        expect(items.map((item) => item.metadata.name)).toEqual(names);
        expect(items.map((item) => item.kind)).toEqual(names.map(() => 'ConfigMap'));
        expect(resourceVersion).toMatch(/^\d+$/);
      });

      test('a field selector picks one object out of all namespaces', async () => {
        const { items } = await client.list(configMaps, {
          fieldSelector: 'metadata.name=listed-3',
        });
        expect(items.map((item) => item.metadata.name)).toEqual(['listed-3']);
      });

      test('nothing that matches is an empty list', async () => {
        const { items } = await client.list(configMaps, { namespace, labelSelector: 'group=none' });
        expect(items).toEqual([]);
      });
    });

    describe('changing', () => {
      test('an update with a stale version is a conflict', async () => {
        const first = await client.create(configMaps, aMap('updated', { a: '1' }));
        const second = await client.update(configMaps, { ...first, data: { a: '2' } });
        expect(second.data).toEqual({ a: '2' });
        await expectKind('conflict', client.update(configMaps, { ...first, data: { a: '3' } }));
      });

      test('a merge patch sets fields and removes what is null', async () => {
        await client.create(configMaps, aMap('merged', { a: '1', b: '2' }));
        const key = { name: 'merged', namespace };
        const body = { data: { a: null, c: '3' } };
        const patched = await client.patch(configMaps, key, { type: 'merge', body });
        expect(patched.data).toEqual({ b: '2', c: '3' });
      });

      test('a merge patch with a stale version is a conflict', async () => {
        const { metadata } = await client.create(configMaps, aMap('guarded'));
        const key = { name: 'guarded', namespace };
        const body = { metadata: { resourceVersion: metadata.resourceVersion }, data: { a: '1' } };
        await client.patch(configMaps, key, { type: 'merge', body });
        await expectKind('conflict', client.patch(configMaps, key, { type: 'merge', body }));
      });

      test('a JSON patch tests and then replaces', async () => {
        await client.create(configMaps, aMap('json', { a: '1' }));
        const key = { name: 'json', namespace };
        const body = [
          { op: 'test', path: '/data/a', value: '1' },
          { op: 'replace', path: '/data/a', value: '2' },
        ];
        const patched = await client.patch(configMaps, key, { type: 'json', body });
        expect(patched.data).toEqual({ a: '2' });
        await expectKind('invalid', client.patch(configMaps, key, { type: 'json', body }));
      });

      test('a strategic patch merges a list by its key', async () => {
        const metadata = { name: 'contract-node' };
        await client.create(nodes, { metadata });
        const condition = async (type: string) => {
          const body = { status: { conditions: [{ type, status: 'True' }] } };
          return client.patch(nodes, metadata, { type: 'strategic', body, subresource: 'status' });
        };
        await condition('Ready');
        const { status } = await condition('DiskPressure');
        const types = status?.conditions?.map(({ type }) => type) ?? [];
        expect([...types].sort()).toEqual(['DiskPressure', 'Ready']);
        await client.delete(nodes, metadata);
      });

      test('the status is changed through its own subresource only', async () => {
        const metadata = { name: 'contract-status' };
        await client.create(nodes, { metadata });
        const body = { status: { capacity: { cpu: '4' } } };
        const ignored = await client.patch(nodes, metadata, { type: 'merge', body });
        expect(ignored.status?.capacity).toBeUndefined();
        const patch = { type: 'merge', body, subresource: 'status' } as const;
        const patched = await client.patch(nodes, metadata, patch);
        expect(patched.status?.capacity).toEqual({ cpu: '4' });
        await client.delete(nodes, metadata);
      });

      test('applying creates, changes own fields, and conflicts over the fields of others', async () => {
        const key = { name: 'applied', namespace };
        const body = { metadata: key, data: { a: '1' } };
        const apply = { type: 'apply', fieldManager: 'first' } as const;
        const created = await client.patch(configMaps, key, { ...apply, body });
        expect(created.data).toEqual({ a: '1' });
        const other = { ...apply, fieldManager: 'second', body: { ...body, data: { a: '2' } } };
        await expectKind('conflict', client.patch(configMaps, key, other));
        const forced = await client.patch(configMaps, key, { ...other, force: true });
        expect(forced.data).toEqual({ a: '2' });
      });

      test('a patch of an object that is not there is an error', async () => {
        const patch = { type: 'merge', body: { data: { a: '1' } } } as const;
        await expectKind(
          'not-found',
          client.patch(configMaps, { name: 'nobody', namespace }, patch),
        );
      });
    });

    describe('deleting', () => {
      test('deleting twice is harmless', async () => {
        await client.create(configMaps, aMap('deleted'));
        const key = { name: 'deleted', namespace };
        await client.delete(configMaps, key);
        expect(await client.get(configMaps, key)).toBeUndefined();
        expect(await client.delete(configMaps, key)).toBeUndefined();
      });

      test('an object with a finalizer stays until the finalizer is removed', async () => {
        const key = { name: 'finalized', namespace };
        const finalizers = ['example.com/hold'];
        await client.create(configMaps, { metadata: { ...key, finalizers } });
        const deleting = await client.delete(configMaps, key);
        expect(deleting?.metadata.deletionTimestamp).toBeDefined();
        const body = { metadata: { finalizers: null } };
        await client.patch(configMaps, key, { type: 'merge', body });
        expect(await client.get(configMaps, key)).toBeUndefined();
      });

      test('a deletion meant for another object of that name is a conflict', async () => {
        await client.create(configMaps, aMap('recreated'));
        const uid = '00000000-0000-4000-8000-000000000000';
        const key = { name: 'recreated', namespace };
        await expectKind('conflict', client.delete(configMaps, key, { uid }));
      });
    });

    describe('pods', () => {
      test('a pod is bound through its subresource', async () => {
        await client.create(pods, aPod('bound'));
        const key = { name: 'bound', namespace };
        const target = { apiVersion: 'v1', kind: 'Node', name: 'somewhere' };
        const binding = { apiVersion: 'v1', kind: 'Binding', metadata: key, target };
        await client.createSubresource(pods, key, 'binding', binding);
        expect((await client.get(pods, key))?.spec.nodeName).toBe('somewhere');
        await client.delete(pods, key, { gracePeriodSeconds: 0 });
      });

      test('an eviction against the budget is refused at once, and granted without the budget', async () => {
        const key = { name: 'evicted', namespace };
        const pod = await client.create(pods, aPod('evicted', { app: 'evicted' }));
        const ready = { type: 'Ready', status: 'True' } as const;
        const status = { phase: 'Running', conditions: [ready] } as const;
        await client.patch(pods, key, { type: 'merge', body: { status }, subresource: 'status' });
        await protect(client, 'evicted');
        await expectKind('too-many-requests', client.evict(key));
        await client.delete(podDisruptionBudgets, key);
        await client.evict(key, { uid: pod.metadata.uid });
        expect((await client.get(pods, key))?.metadata.deletionTimestamp).not.toBe('');
        await client.delete(pods, key, { gracePeriodSeconds: 0 });
        await expectKind('not-found', client.evict(key));
      });
    });

    describe('watching', () => {
      test('changes come in order from the version of the list on', async () => {
        const labelSelector = 'group=watched';
        const { resourceVersion } = await client.list(configMaps, { namespace, labelSelector });
        const key = { name: 'watched', namespace };
        await client.create(configMaps, aMap('watched', { a: '1' }, { group: 'watched' }));
        await client.create(configMaps, aMap('unwatched'));
        await client.patch(configMaps, key, { type: 'merge', body: { data: { a: '2' } } });
        await client.delete(configMaps, key);
        const options = { namespace, labelSelector, resourceVersion };
        const seen = await take(client, options, 3);
        expect(seen.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
        expect(seen.map(dataOf)).toEqual([{ a: '1' }, { a: '2' }, { a: '2' }]);
      });

      test('a change that comes later is told while the watch is open', async () => {
        const { resourceVersion } = await client.list(configMaps, { namespace });
        const seen = take(client, { namespace, resourceVersion }, 1);
        await client.create(configMaps, aMap('later'));
        expect((await seen).map(({ type }) => type)).toEqual(['ADDED']);
      });

      test('a quiet watch ends by itself, and tells nothing but how far it came', async () => {
        const selection = { namespace, labelSelector: 'group=quiet' };
        const { resourceVersion } = await client.list(configMaps, selection);
        await client.create(configMaps, aMap('elsewhere'));
        const options = { ...selection, resourceVersion };
        const watching = collect(client.watch(configMaps, options, new AbortController().signal));
        const told = (await server.during(watching)).map(versionOfBookmark);
        // No server promises a bookmark: a real one leaves it out when its cache has not moved.
        if (server.promisesBookmarks) expect(told.length).toBeGreaterThan(0);
        for (const version of told) {
          expect(BigInt(version)).toBeGreaterThanOrEqual(BigInt(resourceVersion));
        }
      });

      test('a version that is forgotten is gone', async () => {
        const { resource, resourceVersion } = await server.forgotten();
        const events = client.watch(resource, { resourceVersion }, new AbortController().signal);
        await expectKind('gone', server.during(collect(events)));
      });

      test('aborting ends the watch like its natural end', async () => {
        const { resourceVersion } = await client.list(configMaps, { namespace });
        const stop = new AbortController();
        const events = client.watch(configMaps, { namespace, resourceVersion }, stop.signal);
        const ended = collect(events);
        await client.create(configMaps, aMap('before-the-end'));
        stop.abort();
        await expect(ended).resolves.toBeDefined();
      });
    });
  });
}

function aMap(
  name: string,
  data: Readonly<Record<string, string>> = {},
  labels: Readonly<Record<string, string>> = {},
): ConfigMap {
  return { metadata: { name, namespace, labels }, data };
}

function aPod(name: string, labels: Readonly<Record<string, string>> = {}): PodObject {
  return {
    metadata: { name, namespace, labels },
    spec: { containers: [{ name: 'main', image: 'example.com/image' }] },
  };
}

function versionOfBookmark(event: WatchEvent<KubeObject>): string {
  expect(event.type).toBe('BOOKMARK');
  return event.type === 'BOOKMARK' ? event.resourceVersion : '';
}

/** A budget that allows nothing, with the status that a disruption controller would give it. */
async function protect(client: KubeClient, app: string): Promise<void> {
  const key = { name: app, namespace };
  const selector = { matchLabels: { app } };
  const budget = await client.create(podDisruptionBudgets, {
    metadata: key,
    spec: { selector, minAvailable: 1 },
  });
  const status = {
    disruptionsAllowed: 0,
    currentHealthy: 1,
    desiredHealthy: 1,
    expectedPods: 1,
    observedGeneration: budget.metadata.generation ?? 1,
  };
  const patch = { type: 'merge', body: { status }, subresource: 'status' } as const;
  await client.patch(podDisruptionBudgets, key, patch);
}

async function take(
  client: KubeClient,
  options: Parameters<KubeClient['watch']>[1],
  count: number,
): Promise<WatchEvent<ConfigMap>[]> {
  const seen: WatchEvent<ConfigMap>[] = [];
  const stop = new AbortController();
  for await (const event of client.watch(configMaps, options, stop.signal)) {
    if (event.type !== 'BOOKMARK') seen.push(event);
    if (seen.length === count) stop.abort();
  }
  return seen;
}

async function collect<T>(events: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const event of events) all.push(event);
  return all;
}

function dataOf(event: WatchEvent<ConfigMap>): ConfigMap['data'] {
  return event.type === 'BOOKMARK' ? undefined : event.object.data;
}

async function expectKind(kind: string, work: Promise<unknown>): Promise<void> {
  await expect(work).rejects.toMatchObject({ name: 'KubeError', kind });
}

async function ignoring(kind: 'already-exists', work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isKubeError(error, kind)) throw error;
  }
}
