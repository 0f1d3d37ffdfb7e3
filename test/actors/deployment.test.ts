import { describe, expect, test } from 'vitest';
import type { PodObject } from '../../src/api/kubernetes/core.ts';
import {
  type DeploymentObject,
  deployments,
  replicaSets,
} from '../../src/api/kubernetes/workload.ts';
import { isTrue } from '../../src/api/resource.ts';
import { aWorld, type SmallWorld } from './small-world.ts';
import { web } from './web-deployment.ts';

function running(pods: readonly PodObject[]): readonly PodObject[] {
  return pods.filter(
    (pod) => pod.status?.phase === 'Running' && pod.metadata.deletionTimestamp === undefined,
  );
}

async function status(world: SmallWorld): Promise<DeploymentObject> {
  const found = await world.during(
    world.kube.get(deployments, { name: 'web', namespace: 'default' }),
  );
  if (found === undefined) throw new Error('there is no deployment');
  return found;
}

function change(world: SmallWorld, spec: object): Promise<DeploymentObject> {
  const key = { name: 'web', namespace: 'default' };
  return world.during(world.kube.patch(deployments, key, { type: 'merge', body: { spec } }));
}

describe('a deployment', () => {
  test('of five pods runs on one machine', async () => {
    const world = aWorld();
    const machine = world.startMachine();
    await world.create(deployments, web(5));
    await world.clock.runFor(30_000);
    const pods = await world.pods();
    expect(running(pods)).toHaveLength(5);
    expect(new Set(pods.map((pod) => pod.spec.nodeName))).toEqual(
      new Set([machine.privateDnsName]),
    );
    expect(new Set(pods.map((pod) => pod.status?.podIP)).size).toBe(5);
    const deployment = await status(world);
    expect(deployment.status).toMatchObject({
      replicas: 5,
      updatedReplicas: 5,
      readyReplicas: 5,
      availableReplicas: 5,
      observedGeneration: deployment.metadata.generation,
    });
    expect(isTrue(deployment, 'Available')).toBe(true);
    expect(deployment.status?.conditions?.find((c) => c.type === 'Progressing')?.reason).toBe(
      'NewReplicaSetAvailable',
    );
    expect(world.errors).toEqual([]);
  });

  test('grows and shrinks with its replicas', async () => {
    const world = aWorld();
    world.startMachine();
    await world.create(deployments, web(2));
    await world.clock.runFor(30_000);
    await change(world, { replicas: 7 });
    await world.clock.runFor(10_000);
    expect(running(await world.pods())).toHaveLength(7);
    await change(world, { replicas: 1 });
    await world.clock.runFor(10_000);
    expect(await world.pods()).toHaveLength(1);
    expect((await status(world)).status).toMatchObject({ replicas: 1, availableReplicas: 1 });
  });

  test('rolls over to a new template without going below its availability', async () => {
    const world = aWorld();
    world.startMachine();
    await world.create(
      deployments,
      web(4, { deployment: { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } } }),
    );
    await world.clock.runFor(30_000);
    const template = web(4).spec.template;
    const containers = [{ ...template.spec.containers[0], image: 'web:2' }];
    await change(world, { template: { ...template, spec: { containers } } });
    let least = 4;
    let most = 0;
    for (let step = 0; step < 60; step++) {
      await world.clock.runFor(500);
      const pods = await world.pods();
      least = Math.min(least, running(pods).length);
      most = Math.max(
        most,
        pods.filter((pod) => pod.metadata.deletionTimestamp === undefined).length,
      );
    }
    const pods = await world.pods();
    expect(pods.map((pod) => pod.spec.containers[0]?.image)).toEqual(Array(4).fill('web:2'));
    expect(least).toBeGreaterThanOrEqual(3);
    expect(most).toBeLessThanOrEqual(5);
    const sets = (await world.during(world.kube.list(replicaSets))).items;
    const revisions = sets.map(
      (set) => set.metadata.annotations?.['deployment.kubernetes.io/revision'],
    );
    expect(revisions.sort()).toEqual(['1', '2']);
    expect(world.errors).toEqual([]);
  });

  test('with strategy Recreate never runs old and new pods together', async () => {
    const world = aWorld();
    world.startMachine();
    await world.create(deployments, web(3, { deployment: { strategy: { type: 'Recreate' } } }));
    await world.clock.runFor(30_000);
    const template = web(3).spec.template;
    const containers = [{ ...template.spec.containers[0], image: 'web:2' }];
    await change(world, { template: { ...template, spec: { containers } } });
    for (let step = 0; step < 40; step++) {
      await world.clock.runFor(250);
      const images = new Set((await world.pods()).map((pod) => pod.spec.containers[0]?.image));
      expect(images.size).toBeLessThanOrEqual(1);
    }
    expect(running(await world.pods())).toHaveLength(3);
  });

  test('that is paused scales but does not roll', async () => {
    const world = aWorld();
    world.startMachine();
    await world.create(deployments, web(2));
    await world.clock.runFor(30_000);
    const template = web(2).spec.template;
    const containers = [{ ...template.spec.containers[0], image: 'web:2' }];
    await change(world, {
      paused: true,
      replicas: 3,
      template: { ...template, spec: { containers } },
    });
    await world.clock.runFor(10_000);
    expect((await world.pods()).map((pod) => pod.spec.containers[0]?.image)).toEqual(
      Array(3).fill('web:1'),
    );
    await change(world, { paused: false });
    await world.clock.runFor(30_000);
    expect((await world.pods()).map((pod) => pod.spec.containers[0]?.image)).toEqual(
      Array(3).fill('web:2'),
    );
  });

  test('takes its replica sets and pods with it when it is deleted', async () => {
    const world = aWorld();
    world.startMachine();
    await world.create(deployments, web(3));
    await world.clock.runFor(30_000);
    const key = { name: 'web', namespace: 'default' };
    await world.during(world.kube.delete(deployments, key, { propagation: 'Background' }));
    await world.clock.runFor(10_000);
    expect(await world.pods()).toEqual([]);
    expect((await world.during(world.kube.list(replicaSets))).items).toEqual([]);
    expect(world.errors).toEqual([]);
  });

  test('deleted in the foreground goes last', async () => {
    const world = aWorld();
    world.startMachine();
    await world.create(deployments, web(2));
    await world.clock.runFor(30_000);
    const key = { name: 'web', namespace: 'default' };
    await world.during(world.kube.delete(deployments, key, { propagation: 'Foreground' }));
    expect(await world.during(world.kube.get(deployments, key))).toBeDefined();
    await world.clock.runFor(10_000);
    expect(await world.during(world.kube.get(deployments, key))).toBeUndefined();
    expect(await world.pods()).toEqual([]);
  });

  test('deleted as an orphan leaves its replica set behind', async () => {
    const world = aWorld();
    world.startMachine();
    await world.create(deployments, web(2));
    await world.clock.runFor(30_000);
    const key = { name: 'web', namespace: 'default' };
    await world.during(world.kube.delete(deployments, key, { propagation: 'Orphan' }));
    await world.clock.runFor(10_000);
    expect(await world.during(world.kube.get(deployments, key))).toBeUndefined();
    const sets = (await world.during(world.kube.list(replicaSets))).items;
    expect(sets.map((set) => set.metadata.ownerReferences ?? [])).toEqual([[]]);
    expect(await world.pods()).toHaveLength(2);
  });
});
