import { describe, expect, test } from 'vitest';
import { events, pods, resource } from '../../src/api/kubernetes/core.ts';
import { deployments } from '../../src/api/kubernetes/workload.ts';
import { conditionOf } from '../../src/api/resource.ts';
import { aWorld, type SmallWorld } from './small-world.ts';
import { web } from './web-deployment.ts';

function aPod(name: string, spec: object = {}, labels: object = {}) {
  const containers = [{ name: 'main', image: 'x', resources: { requests: { cpu: '1' } } }];
  return { metadata: { name, namespace: 'default', labels }, spec: { containers, ...spec } };
}

async function nodesUsed(world: SmallWorld): Promise<readonly string[]> {
  return (await world.pods()).map((pod) => pod.spec.nodeName ?? '').sort();
}

describe('the scheduler', () => {
  test('tells a pod that fits nowhere why, and binds it once a node comes', async () => {
    const world = aWorld();
    world.startMachine({ taints: 'CriticalAddonsOnly=true:NoSchedule' });
    world.startMachine({ maxPods: 0 });
    await world.clock.runFor(30_000);
    await world.create(pods, aPod('one'));
    await world.clock.runFor(1_000);
    const [waiting] = await world.pods();
    if (waiting === undefined) throw new Error('there is no pod');
    const message =
      '0/2 nodes are available: 1 Too many pods, 1 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.';
    expect(conditionOf(waiting, 'PodScheduled')).toMatchObject({
      status: 'False',
      reason: 'Unschedulable',
      message,
    });
    const told = (await world.during(world.kube.list(events))).items.filter(
      (event) => event.reason === 'FailedScheduling',
    );
    expect(told.map((event) => [event.type, event.message, event.involvedObject.name])).toEqual([
      ['Warning', message, 'one'],
    ]);
    const machine = world.startMachine();
    await world.clock.runFor(30_000);
    const [pod] = await world.pods();
    expect(pod?.spec.nodeName).toBe(machine.privateDnsName);
    expect(pod?.status?.phase).toBe('Running');
    expect(world.errors).toEqual([]);
  });

  test('spreads over zones where it must', async () => {
    const world = aWorld();
    for (const zone of ['us-east-1a', 'us-east-1b', 'us-east-1c'])
      for (let count = 0; count < 2; count++) world.startMachine({ zone });
    await world.clock.runFor(30_000);
    const key = 'topology.kubernetes.io/zone';
    const spread = {
      maxSkew: 1,
      topologyKey: key,
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
    };
    await world.create(deployments, web(9, { pod: { topologySpreadConstraints: [spread] } }));
    await world.clock.runFor(10_000);
    const zoneOf = new Map(
      (await world.nodes()).map((node) => [node.metadata.name, node.metadata.labels?.[key]]),
    );
    const zones = (await nodesUsed(world)).map((name) => zoneOf.get(name));
    const counts = ['a', 'b', 'c'].map((z) => zones.filter((zone) => zone?.endsWith(z)).length);
    expect(counts).toEqual([3, 3, 3]);
  });

  test('keeps pods apart that avoid each other, and leaves the surplus waiting', async () => {
    const world = aWorld();
    for (let count = 0; count < 3; count++) world.startMachine();
    await world.clock.runFor(30_000);
    const term = {
      topologyKey: 'kubernetes.io/hostname',
      labelSelector: { matchLabels: { app: 'web' } },
    };
    const affinity = {
      podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] },
    };
    await world.create(deployments, web(4, { pod: { affinity } }));
    await world.clock.runFor(10_000);
    const used = await nodesUsed(world);
    expect(used.filter((name) => name === '')).toHaveLength(1);
    expect(new Set(used).size).toBe(4);
  });

  test('serves the more urgent first', async () => {
    const world = aWorld();
    const priorityClasses = resource(
      'scheduling.k8s.io/v1/priorityclasses',
      'PriorityClass',
      'cluster',
    );
    await world.create(priorityClasses, { metadata: { name: 'urgent' }, value: 1000 });
    for (const name of ['a', 'b', 'c', 'd']) await world.create(pods, aPod(name));
    await world.create(pods, aPod('z', { priorityClassName: 'urgent' }));
    world.startMachine({ cpuCount: 4 });
    await world.clock.runFor(30_000);
    const bound = (await world.pods()).filter((pod) => pod.spec.nodeName !== undefined);
    expect(bound.map((pod) => pod.metadata.name)).toEqual(['a', 'b', 'z']);
  });

  test('leaves pods with scheduling gates, and those of other schedulers, alone', async () => {
    const world = aWorld();
    world.startMachine();
    await world.clock.runFor(30_000);
    await world.create(pods, aPod('gated', { schedulingGates: [{ name: 'wait' }] }));
    await world.create(pods, aPod('foreign', { schedulerName: 'other' }));
    await world.clock.runFor(5_000);
    expect(await nodesUsed(world)).toEqual(['', '']);
    const key = { name: 'gated', namespace: 'default' };
    const body = { spec: { schedulingGates: [] } };
    await world.during(world.kube.patch(pods, key, { type: 'merge', body }));
    await world.clock.runFor(5_000);
    const gated = await world.during(world.kube.get(pods, key));
    expect(gated?.spec.nodeName).toBeDefined();
  });

  test('places a hundred and fifty pods on fifteen nodes, each within capacity', async () => {
    const world = aWorld();
    for (let count = 0; count < 15; count++) world.startMachine({ maxPods: 12 });
    await world.create(deployments, web(150));
    await world.clock.runFor(60_000);
    const used = await nodesUsed(world);
    const counts = new Map<string, number>();
    for (const name of used) counts.set(name, (counts.get(name) ?? 0) + 1);
    expect(counts.has('')).toBe(false);
    expect([...counts.values()].every((count) => count <= 12)).toBe(true);
    expect((await world.pods()).every((pod) => pod.status?.phase === 'Running')).toBe(true);
    expect(world.errors).toEqual([]);
  });
});
