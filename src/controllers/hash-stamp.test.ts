import { afterEach, expect, test } from 'vitest';
import { createKubeClient } from '../adapters/kube/client.ts';
import { createSeededRandom } from '../adapters/system/seeded-random.ts';
import { createVirtualClock } from '../adapters/system/virtual-clock.ts';
import { customResourceDefinitions } from '../api/crds.ts';
import { type NodeClaim, nodeClaims } from '../api/karpenter/node-claim.ts';
import { type NodePool, nodePools } from '../api/karpenter/node-pool.ts';
import { resource } from '../api/kubernetes/core.ts';
import type { Condition, NewObject } from '../api/resource.ts';
import { createInformer, type Informer } from '../runtime/informer.ts';
import { createKubeServer } from '../world/kube/server.ts';
import { type HashStamp, stampObject } from './hash-stamp.ts';

const definitions = resource(
  'apiextensions.k8s.io/v1/customresourcedefinitions',
  'CustomResourceDefinition',
  'cluster',
);
const silent = { debug: () => {}, info: () => {}, error: () => {}, with: () => silent };
const stamp: HashStamp = { hash: '42', version: 'v3', hashKey: 'x/hash', versionKey: 'x/version' };
const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
let end = (): void => {};
afterEach(() => end());

/** An API server with a pool and claims of it, watched by informers. */
async function pool(annotations: Readonly<Record<string, string>> = {}) {
  const clock = createVirtualClock();
  const random = createSeededRandom(1);
  const kube = createKubeClient({ send: createKubeServer({ clock, random }).handle, clock });
  for (const crd of customResourceDefinitions()) await kube.create(definitions, crd);
  const object = await kube.create(nodePools, {
    metadata: { name: 'web', annotations },
    spec: { template: { spec: { requirements: [], nodeClassRef } } },
  } as NewObject<NodePool>);
  const stop = new AbortController();
  end = () => stop.abort();
  const watched = { client: kube, clock, log: silent, random };
  const claims: Informer<NodeClaim> = createInformer({ ...watched, resource: nodeClaims });
  const informer: Informer<NodePool> = createInformer({ ...watched, resource: nodePools });
  claims.addIndex('pool', ({ metadata }) => [metadata.labels?.['karpenter.sh/nodepool'] ?? '']);
  claims.start(stop.signal);
  informer.start(stop.signal);
  const addClaim = async (
    name: string,
    more: { annotations?: Readonly<Record<string, string>>; conditions?: readonly Condition[] },
  ): Promise<void> => {
    const labels = { 'karpenter.sh/nodepool': 'web' };
    const metadata = { name, labels, annotations: more.annotations ?? {} };
    const spec = { requirements: [], nodeClassRef };
    await kube.create(nodeClaims, { metadata, spec } as NewObject<NodeClaim>);
    const status = { conditions: more.conditions ?? [] };
    await kube.patch(
      nodeClaims,
      { name },
      { type: 'merge', body: { status }, subresource: 'status' },
    );
    await clock.runFor(100);
  };
  const annotationsOf = async (name: string) =>
    (await kube.get(nodeClaims, { name }))?.metadata.annotations ?? {};
  const context = { ports: { kube }, informers: { nodeClaims: claims } };
  const write = () => stampObject({ context, informer, object, claimIndex: 'pool' }, stamp);
  return { kube, write, addClaim, annotationsOf, object };
}

test('a pool gets its hash and the way of hashing, once', async () => {
  const { kube, write } = await pool();
  const written = await write();
  expect(written.metadata.annotations).toEqual({ 'x/hash': '42', 'x/version': 'v3' });
  expect(await kube.get(nodePools, { name: 'web' })).toEqual(written);
});

test('claims hashed in another way get the new hash, unless they have drifted', async () => {
  const { write, addClaim, annotationsOf } = await pool({ 'x/version': 'v2' });
  const old = { 'x/hash': '1', 'x/version': 'v2' };
  const drifted: Condition = {
    type: 'Drifted',
    status: 'True',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  };
  await addClaim('old', { annotations: old });
  await addClaim('drifted', { annotations: old, conditions: [drifted] });
  await addClaim('current', { annotations: { 'x/hash': '7', 'x/version': 'v3' } });
  await write();
  expect(await annotationsOf('old')).toEqual({ 'x/hash': '42', 'x/version': 'v3' });
  expect(await annotationsOf('drifted')).toEqual({ 'x/hash': '1', 'x/version': 'v3' });
  expect(await annotationsOf('current')).toEqual({ 'x/hash': '7', 'x/version': 'v3' });
});

test('a pool of the same version leaves the hashes of its claims alone: they tell the drift', async () => {
  const { write, addClaim, annotationsOf } = await pool({ 'x/hash': '1', 'x/version': 'v3' });
  await addClaim('web-1', { annotations: { 'x/hash': '1', 'x/version': 'v2' } });
  const written = await write();
  expect(written.metadata.annotations).toMatchObject({ 'x/hash': '42' });
  expect(await annotationsOf('web-1')).toEqual({ 'x/hash': '1', 'x/version': 'v2' });
});
