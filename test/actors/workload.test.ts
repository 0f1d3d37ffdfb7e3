import { describe, expect, test } from 'vitest';
import {
  daemonSets,
  namespaces,
  type PodObject,
  podDisruptionBudgets,
  pods,
  resource,
} from '../../src/api/kubernetes/core.ts';
import {
  deployments,
  jobs,
  serviceAccounts,
  statefulSets,
} from '../../src/api/kubernetes/workload.ts';
import { isTrue } from '../../src/api/resource.ts';
import { aWorld } from './small-world.ts';

const labels = { app: 'web' };
const selector = { matchLabels: labels };
const key = { name: 'web', namespace: 'default' };

function template(image = 'web:1', more: object = {}) {
  const containers = [{ name: 'main', image, resources: { requests: { cpu: '100m' } } }];
  return { metadata: { labels }, spec: { containers, ...more } };
}

function workload(spec: object) {
  return { metadata: key, spec };
}

function names(list: readonly PodObject[]): readonly string[] {
  return list.map((pod) => pod.metadata.name).sort();
}

describe('a daemon set', () => {
  test('has one pod on every node it tolerates, new nodes included', async () => {
    const world = aWorld();
    world.startMachine();
    world.startMachine({ taints: 'dedicated=x:NoSchedule' });
    await world.create(daemonSets, workload({ selector, template: template() }));
    await world.clock.runFor(30_000);
    expect(await world.pods()).toHaveLength(1);
    world.startMachine();
    await world.clock.runFor(30_000);
    const list = await world.pods();
    expect(new Set(list.map((pod) => pod.spec.nodeName)).size).toBe(2);
    const set = await world.during(world.kube.get(daemonSets, key));
    expect(set?.status).toMatchObject({
      desiredNumberScheduled: 2,
      currentNumberScheduled: 2,
      numberReady: 2,
      numberAvailable: 2,
      updatedNumberScheduled: 2,
      numberUnavailable: 0,
      numberMisscheduled: 0,
    });
    expect(world.errors).toEqual([]);
  });

  test('replaces its pods one by one after a change', async () => {
    const world = aWorld();
    for (let count = 0; count < 3; count++) world.startMachine();
    await world.create(daemonSets, workload({ selector, template: template() }));
    await world.clock.runFor(30_000);
    const body = { spec: { template: template('web:2') } };
    await world.during(world.kube.patch(daemonSets, key, { type: 'merge', body }));
    for (let step = 0; step < 40; step++) {
      await world.clock.runFor(500);
      const up = (await world.pods()).filter(
        (pod) => isTrue(pod, 'Ready') && pod.metadata.deletionTimestamp === undefined,
      );
      expect(up.length).toBeGreaterThanOrEqual(2);
    }
    const images = (await world.pods()).map((pod) => pod.spec.containers[0]?.image);
    expect(images).toEqual(['web:2', 'web:2', 'web:2']);
  });
});

describe('a stateful set', () => {
  test('starts its pods in order and stops them in reverse', async () => {
    const world = aWorld();
    world.startMachine();
    await world.clock.runFor(30_000);
    await world.create(
      statefulSets,
      workload({ replicas: 3, serviceName: 'web', selector, template: template() }),
    );
    await world.clock.runFor(500);
    expect(names(await world.pods())).toEqual(['web-0']);
    await world.clock.runFor(10_000);
    expect(names(await world.pods())).toEqual(['web-0', 'web-1', 'web-2']);
    const body = { spec: { replicas: 1 } };
    await world.during(world.kube.patch(statefulSets, key, { type: 'merge', body }));
    await world.clock.runFor(10_000);
    expect(names(await world.pods())).toEqual(['web-0']);
    const set = await world.during(world.kube.get(statefulSets, key));
    expect(set?.status).toMatchObject({ replicas: 1, readyReplicas: 1, updatedReplicas: 1 });
  });

  test('with parallel management starts all at once', async () => {
    const world = aWorld();
    world.startMachine();
    await world.clock.runFor(30_000);
    await world.create(
      statefulSets,
      workload({
        replicas: 3,
        podManagementPolicy: 'Parallel',
        serviceName: 'web',
        selector,
        template: template(),
      }),
    );
    await world.clock.runFor(500);
    expect(names(await world.pods())).toEqual(['web-0', 'web-1', 'web-2']);
  });

  test('rolls from the highest number down', async () => {
    const world = aWorld();
    world.startMachine();
    await world.create(
      statefulSets,
      workload({ replicas: 2, serviceName: 'web', selector, template: template() }),
    );
    await world.clock.runFor(30_000);
    const body = { spec: { template: template('web:2') } };
    await world.during(world.kube.patch(statefulSets, key, { type: 'merge', body }));
    await world.clock.runFor(1_500);
    const first = await world.during(world.kube.get(pods, { name: 'web-0', namespace: 'default' }));
    expect(first?.spec.containers[0]?.image).toBe('web:1');
    await world.clock.runFor(20_000);
    const images = (await world.pods()).map((pod) => pod.spec.containers[0]?.image);
    expect(images).toEqual(['web:2', 'web:2']);
  });
});

describe('a job', () => {
  const run = (command: string) => ({
    spec: {
      restartPolicy: 'Never',
      containers: [{ name: 'main', image: 'x', command: ['sh', '-c', command] }],
    },
  });

  test('runs until enough pods have succeeded, some at a time', async () => {
    const world = aWorld();
    world.startMachine();
    await world.clock.runFor(30_000);
    await world.create(
      jobs,
      workload({ completions: 5, parallelism: 2, template: run('sleep 5') }),
    );
    let most = 0;
    for (let step = 0; step < 60; step++) {
      await world.clock.runFor(1_000);
      const active = (await world.pods()).filter((pod) => pod.status?.phase === 'Running').length;
      most = Math.max(most, active);
    }
    expect(most).toBe(2);
    const job = await world.during(world.kube.get(jobs, key));
    expect(job?.status).toMatchObject({ succeeded: 5, active: 0 });
    expect(job !== undefined && isTrue(job, 'Complete')).toBe(true);
    expect((await world.pods()).every((pod) => (pod.metadata.finalizers ?? []).length === 0)).toBe(
      true,
    );
    expect(world.errors).toEqual([]);
  });

  test('gives up after too many failures', async () => {
    const world = aWorld();
    world.startMachine();
    await world.clock.runFor(30_000);
    await world.create(jobs, workload({ backoffLimit: 2, template: run('sleep 1; exit 3') }));
    await world.clock.runFor(60_000);
    const job = await world.during(world.kube.get(jobs, key));
    expect(job?.status).toMatchObject({ failed: 3 });
    expect(job !== undefined && isTrue(job, 'Failed')).toBe(true);
    expect(await world.pods()).toHaveLength(3);
  });

  test('keeps its count when the node of a finished pod goes away', async () => {
    const world = aWorld();
    const machine = world.startMachine();
    await world.clock.runFor(30_000);
    await world.create(
      jobs,
      workload({ completions: 2, parallelism: 1, template: run('sleep 10') }),
    );
    await world.clock.runFor(14_000);
    world.stopMachine(machine);
    world.startMachine();
    await world.clock.runFor(600_000);
    const job = await world.during(world.kube.get(jobs, key));
    expect(job?.status).toMatchObject({ succeeded: 2 });
    expect(job !== undefined && isTrue(job, 'Complete')).toBe(true);
  });

  test('that is deleted while its pods run takes them with it', async () => {
    const world = aWorld();
    world.startMachine();
    await world.create(jobs, workload({ template: run('sleep 600') }));
    await world.clock.runFor(20_000);
    expect(await world.pods()).toHaveLength(1);
    await world.during(world.kube.delete(jobs, key, { propagation: 'Background' }));
    await world.clock.runFor(120_000);
    expect(await world.pods()).toEqual([]);
  });
});

test('a disruption budget refuses the eviction that it forbids and allows it later', async () => {
  const world = aWorld();
  await world.create(deployments, workload({ replicas: 2, selector, template: template() }));
  await world.create(podDisruptionBudgets, workload({ minAvailable: 2, selector }));
  await world.clock.runFor(1_000);
  const early = await world.during(world.kube.get(podDisruptionBudgets, key));
  expect(early?.status).toMatchObject({
    expectedPods: 2,
    currentHealthy: 0,
    disruptionsAllowed: 0,
  });
  world.startMachine();
  await world.clock.runFor(30_000);
  const [victim] = await world.pods();
  const pod = { name: victim?.metadata.name ?? '', namespace: 'default' };
  await expect(world.during(world.kube.evict(pod))).rejects.toMatchObject({
    kind: 'too-many-requests',
  });
  const body = { spec: { replicas: 3 } };
  await world.during(world.kube.patch(deployments, key, { type: 'merge', body }));
  await world.clock.runFor(10_000);
  const budget = await world.during(world.kube.get(podDisruptionBudgets, key));
  expect(budget?.status).toMatchObject({
    currentHealthy: 3,
    desiredHealthy: 2,
    expectedPods: 3,
    disruptionsAllowed: 1,
  });
  await world.during(world.kube.evict(pod));
  await world.clock.runFor(10_000);
  const after = await world.during(world.kube.get(podDisruptionBudgets, key));
  expect(after?.status).toMatchObject({ currentHealthy: 3, disruptionsAllowed: 1 });
  expect(names(await world.pods())).not.toContain(pod.name);
});

test('a namespace has a service account, and takes everything in it with it', async () => {
  const world = aWorld();
  world.startMachine();
  await world.clock.runFor(30_000);
  await world.create(namespaces, { metadata: { name: 'shop' } });
  const configMaps = resource('/v1/configmaps', 'ConfigMap', 'namespaced');
  await world.create(configMaps, { metadata: { name: 'settings', namespace: 'shop' } });
  const inShop = {
    ...workload({ replicas: 2, selector, template: template() }),
    metadata: { name: 'web', namespace: 'shop' },
  };
  await world.create(deployments, inShop);
  await world.clock.runFor(10_000);
  const account = await world.during(
    world.kube.get(serviceAccounts, { name: 'default', namespace: 'shop' }),
  );
  expect(account).toBeDefined();
  await world.during(world.kube.delete(namespaces, { name: 'shop' }));
  await world.clock.runFor(20_000);
  expect(await world.during(world.kube.get(namespaces, { name: 'shop' }))).toBeUndefined();
  expect(await world.pods()).toEqual([]);
  expect(world.errors).toEqual([]);
});
