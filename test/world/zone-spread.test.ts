import { afterEach, expect, test } from 'vitest';
import { nodeClaims } from '../../src/api/karpenter/node-claim.ts';
import type { PodSpec } from '../../src/api/kubernetes/core.ts';
import { deployments } from '../../src/api/kubernetes/workload.ts';
import { createTestWorld, type TestWorld } from './harness.ts';

let world: TestWorld;

afterEach(() => world.close());

const zone = 'topology.kubernetes.io/zone';

/** Pods that must be spread evenly over zones and may not be moved. */
async function applyWeb(replicas: number, more: Partial<PodSpec> = {}): Promise<void> {
  await world.applyDeployment('web', replicas, (object) => {
    const { template } = object.spec;
    const spec: PodSpec = {
      ...template.spec,
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: zone,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'web' } },
        },
      ],
      ...more,
    };
    const annotations = { 'karpenter.sh/do-not-disrupt': 'true' };
    const metadata = { ...template.metadata, annotations };
    return { ...object, spec: { ...object.spec, template: { metadata, spec } } };
  });
}

test('pods that are held on a node that leaves count for those that come', async () => {
  world = await createTestWorld({ isBare: true, hasFewTypes: true });
  await world.applyPoolOfOneType('pool');
  world.startKarpenter({ isNominationDisabled: true });
  // Three fill a machine.
  const requests = { cpu: '1200m', memory: '64Mi' };
  await applyWeb(9, { containers: [{ name: 'main', image: 'x', resources: { requests } }] });
  await world.untilRunning(9);
  const [leaving] = world.claims();
  await world.kube.delete(nodeClaims, { name: leaving?.metadata.name ?? '' });
  await world.runFor(30_000);
  const body = { spec: { replicas: 12 } };
  const key = { namespace: 'default', name: 'web' };
  await world.kube.patch(deployments, key, { type: 'merge', body });
  await world.untilRunning(12, 300_000);
  expect(world.claims()).toHaveLength(6);
});

/** A machine in each zone has room for three pods, and no more are bought. */
test.each(['PreemptLowerPriority', 'Never'])(
  'pods with the same place do not keep each other out by what they are told (%s)',
  async (preemptionPolicy) => {
    world = await createTestWorld({ isBare: true, hasFewTypes: true });
    await world.applyPoolOfOneType('pool');
    world.startKarpenter();
    await applyWeb(9, { preemptionPolicy });
    await world.untilRunning(9, 60_000);
    expect(world.claims()).toHaveLength(3);
  },
);

test('whoever has a machine for itself is told', async () => {
  world = await createTestWorld({ isBare: true, hasFewTypes: true });
  await world.applyPoolOfOneType('pool');
  world.startKarpenter();
  const requests = { cpu: '3' };
  await applyWeb(3, { containers: [{ name: 'main', image: 'x', resources: { requests } }] });
  const told = (): number =>
    world.workloadPods().filter(({ status }) => (status?.nominatedNodeName ?? '') !== '').length;
  await world.until('all are told', () => told() === 3, 60_000);
  await world.untilRunning(3, 60_000);
});
