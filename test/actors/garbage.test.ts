import { expect, test } from 'vitest';
import { resource } from '../../src/api/kubernetes/core.ts';
import type { KubeObject } from '../../src/api/resource.ts';
import { aWorld, type SmallWorld } from './small-world.ts';

const definitions = resource(
  'apiextensions.k8s.io/v1/customresourcedefinitions',
  'CustomResourceDefinition',
  'cluster',
);
const pools = resource('story.test/v1/pools', 'Pool', 'cluster');
const configMaps = resource('/v1/configmaps', 'ConfigMap', 'namespaced');

async function aWorldWithPools(): Promise<SmallWorld> {
  const world = aWorld();
  const schema = {
    openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  };
  await world.create(definitions, {
    metadata: { name: 'pools.story.test' },
    spec: {
      group: 'story.test',
      scope: 'Cluster',
      names: { plural: 'pools', singular: 'pool', kind: 'Pool', listKind: 'PoolList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  await world.clock.runFor(5_000);
  return world;
}

function ownedBy(...owners: readonly KubeObject[]) {
  return owners.map(({ metadata }) => ({
    apiVersion: 'story.test/v1',
    kind: 'Pool',
    name: metadata.name,
    uid: metadata.uid,
    blockOwnerDeletion: true,
  }));
}

async function find(world: SmallWorld, name: string): Promise<KubeObject | undefined> {
  return world.during(world.kube.get(configMaps, { name, namespace: 'default' }));
}

test('what a custom resource owns goes with it, and what somebody else owns too stays', async () => {
  const world = await aWorldWithPools();
  const one = await world.create(pools, { metadata: { name: 'one' } });
  const two = await world.create(pools, { metadata: { name: 'two' } });
  const owned = { name: 'owned', namespace: 'default', ownerReferences: ownedBy(one) };
  const shared = { name: 'shared', namespace: 'default', ownerReferences: ownedBy(one, two) };
  await world.create(configMaps, { metadata: owned });
  await world.create(configMaps, { metadata: shared });
  await world.during(world.kube.delete(pools, { name: 'one' }));
  await world.clock.runFor(5_000);
  expect(await find(world, 'owned')).toBeUndefined();
  const left = (await find(world, 'shared'))?.metadata.ownerReferences ?? [];
  expect(left.map((owner) => owner.name)).toEqual(['two']);
  expect(world.errors).toEqual([]);
});

test('an owner deleted in the foreground waits for a dependent that is held', async () => {
  const world = await aWorldWithPools();
  const one = await world.create(pools, { metadata: { name: 'one' } });
  const finalizers = ['story.test/hold'];
  const owned = { name: 'owned', namespace: 'default', ownerReferences: ownedBy(one), finalizers };
  await world.create(configMaps, { metadata: owned });
  await world.during(world.kube.delete(pools, { name: 'one' }, { propagation: 'Foreground' }));
  await world.clock.runFor(5_000);
  expect((await find(world, 'owned'))?.metadata.deletionTimestamp).toBeDefined();
  expect(await world.during(world.kube.get(pools, { name: 'one' }))).toBeDefined();
  const body = { metadata: { finalizers: [] } };
  const key = { name: 'owned', namespace: 'default' };
  await world.during(world.kube.patch(configMaps, key, { type: 'merge', body }));
  await world.clock.runFor(5_000);
  expect(await world.during(world.kube.get(pools, { name: 'one' }))).toBeUndefined();
});
