import { afterEach, expect, test } from 'vitest';
import { nodeClaims } from '../../src/api/karpenter/node-claim.ts';
import { nodePools } from '../../src/api/karpenter/node-pool.ts';
import { nodes, podDisruptionBudgets } from '../../src/api/kubernetes/core.ts';
import { createTestWorld, type TestWorld } from './harness.ts';
import { withPodSpec } from './pod-spec.ts';

let world: TestWorld;

afterEach(() => world.close());

function capacityTypes(): readonly string[] {
  const found = world
    .nodes()
    .map(({ metadata }) => metadata.labels?.['karpenter.sh/capacity-type']);
  return [...new Set(found.map(String))].sort();
}

async function runningWorld(replicas: number): Promise<void> {
  world = await createTestWorld({ hasFewTypes: true });
  await world.applyStoryPools();
  world.startKarpenter();
  await world.applyDeployment('web', replicas);
  await world.untilRunning(replicas);
}

test('when spot has run out, the pods get on-demand machines', async () => {
  world = await createTestWorld({ hasFewTypes: true });
  world.aws.market.setShortage({ capacityType: 'spot' });
  await world.applyStoryPools();
  world.startKarpenter();
  await world.applyDeployment('web', 60);
  await world.untilRunning(60);
  expect(capacityTypes()).toEqual(['on-demand']);
  expect(world.sentences('LaunchRefused').length).toBeGreaterThan(0);
  await world.runFor(120_000);
  expect(world.claims()).toHaveLength(world.nodes().length);
  expect(await world.cloud.instances()).toHaveLength(world.nodes().length);
});

test('a pod beyond the limit of its pool stays pending, and is told so', async () => {
  world = await createTestWorld({ hasFewTypes: true });
  await world.applyPool('small', (spec) => ({ ...spec, limits: { cpu: '4' } }));
  const karpenter = world.startKarpenter();
  const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu: '1500m' } } }];
  await world.applyDeployment('big', 5, withPodSpec({ containers }));
  await world.until('the refusal is told', () => world.sentences('PodRefused').length > 0);
  await world.runFor(120_000);
  const pending = karpenter.observation.pending();
  expect(pending.length).toBeGreaterThan(0);
  for (const { refusal } of pending) expect(refusal?.code).toBe('limit-reached');
  expect(world.sentences('PodRefused').join()).toMatch(/limit/);
  const cpus = world.nodes().map(({ status }) => Number(status?.capacity?.cpu ?? 0));
  expect(cpus.reduce((sum, cpu) => sum + cpu, 0)).toBeLessThanOrEqual(4);
});

test('a node annotated do-not-disrupt stays though it is empty, until the annotation is gone', async () => {
  await runningWorld(10);
  const [node] = world.nodes();
  const name = node?.metadata.name ?? '';
  const annotate = (value: string | null): object => ({
    metadata: { annotations: { 'karpenter.sh/do-not-disrupt': value } },
  });
  await world.kube.patch(nodes, { name }, { type: 'merge', body: annotate('true') });
  await world.deleteDeployment('web');
  await world.runFor(600_000);
  expect(world.nodes().map(({ metadata }) => metadata.name)).toEqual([name]);
  expect(world.sentences('DisruptionRefused')).toEqual([
    `Node ${name} stays: it is annotated do-not-disrupt.`,
  ]);
  await world.kube.patch(nodes, { name }, { type: 'merge', body: annotate(null) });
  await world.untilNothingIsLeft();
});

test('a disruption budget that allows nothing blocks the drain and is named', async () => {
  await runningWorld(10);
  await world.applyBudget('web', { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } });
  const [claim] = world.claims();
  await world.kube.delete(nodeClaims, { name: claim?.metadata.name ?? '' });
  await world.runFor(300_000);
  expect(world.claims().map(({ metadata }) => metadata.name)).toContain(claim?.metadata.name);
  const told = world.sentences('DrainBlocked');
  expect(told[0]).toMatch(
    /^Node \S+ cannot be drained yet: pod default\/web-\S+ stays: PodDisruptionBudget default\/web of Deployment web can never allow a disruption \(maxUnavailable 0\)\.$/,
  );
  expect(told.length).toBe(10);
  expect(world.workloadPods()).toHaveLength(10);

  await world.kube.delete(podDisruptionBudgets, { namespace: 'default', name: 'web' });
  await world.until('the claim is gone', () =>
    world.claims().every((c) => c.metadata.uid !== claim?.metadata.uid),
  );
  await world.untilRunning(10);
});

test('deleting a NodePool drains its nodes, and the pods move to the other pool', async () => {
  await runningWorld(20);
  expect(capacityTypes()).toEqual(['spot']);
  await world.kube.delete(nodePools, { name: 'spot-pool' });
  await world.until('no spot node is left', () => !capacityTypes().includes('spot'));
  await world.untilRunning(20);
  expect(capacityTypes()).toEqual(['on-demand']);
  expect(await world.cloud.instances()).toHaveLength(world.nodes().length);
});

test('deleting a Node by hand ends its claim and its machine', async () => {
  await runningWorld(10);
  const [node] = world.nodes();
  const before = await world.cloud.instances();
  await world.kube.delete(nodes, { name: node?.metadata.name ?? '' });
  await world.until('the node is gone', () =>
    world.nodes().every((n) => n.metadata.uid !== node?.metadata.uid),
  );
  await world.untilRunning(10);
  await world.runFor(60_000);
  expect(world.claims()).toHaveLength(1);
  const after = await world.cloud.instances();
  expect(after.filter((id) => before.includes(id))).toEqual([]);
});

test('a spot machine that is taken back is drained and replaced', async () => {
  await runningWorld(10);
  const [instance = ''] = await world.cloud.instances();
  world.aws.market.interrupt(instance);
  await world.until('it is told', () => world.sentences('NodeInterrupted').length > 0, 60_000);
  await world.runFor(300_000);
  await world.untilRunning(10);
  expect(await world.cloud.instances()).not.toContain(instance);
  expect(world.claims()).toHaveLength(1);
});

test('a claim that has reached its age is replaced', async () => {
  world = await createTestWorld({ hasFewTypes: true });
  await world.applyPool('mayfly', (spec) => ({
    ...spec,
    template: { ...spec.template, spec: { ...spec.template.spec, expireAfter: '10m' } },
  }));
  world.startKarpenter();
  await world.applyDeployment('web', 10);
  await world.untilRunning(10);
  const [first] = world.claims();
  await world.until(
    'the first claim is gone',
    () => world.claims().every((c) => c.metadata.uid !== first?.metadata.uid),
    1_200_000,
  );
  await world.untilRunning(10);
  expect(world.sentences('NodeExpired')).toHaveLength(1);
});
