import { afterEach, expect, test } from 'vitest';
import { type CapacityBuffer, capacityBuffers } from '../../src/api/karpenter/capacity-buffer.ts';
import { type NodeOverlaySpec, nodeOverlays } from '../../src/api/karpenter/node-overlay.ts';
import { podTemplates } from '../../src/api/kubernetes/workload.ts';
import { conditionOf } from '../../src/api/resource.ts';
import { createTestWorld, type TestWorld } from './harness.ts';
import { withPodSpec } from './pod-spec.ts';

let world: TestWorld;

afterEach(() => world.close());

async function start(): Promise<void> {
  world = await createTestWorld();
  await world.applyStoryPools();
  world.startKarpenter({ featureGates: { nodeOverlay: true, capacityBuffer: true } });
}

async function applyOverlay(name: string, spec: NodeOverlaySpec): Promise<void> {
  await world.kube.create(nodeOverlays, { metadata: { name }, spec });
}

async function verdictOf(name: string): Promise<string> {
  const overlay = await world.kube.get(nodeOverlays, { name });
  const { status, reason = '' } = (overlay && conditionOf(overlay, 'ValidationSucceeded')) ?? {};
  return `${status} ${reason}`;
}

const only = (type: string): NodeOverlaySpec['requirements'] => [
  { key: 'node.kubernetes.io/instance-type', operator: 'In', values: [type] },
];

test('a price that an overlay sets decides what is bought, and the claim says so', async () => {
  await start();
  await applyOverlay('discount', { requirements: only('m6i.4xlarge'), price: '0.0001' });
  await applyOverlay('argument', { requirements: only('m6i.4xlarge'), price: '0.0002' });
  await world.applyDeployment('nginx', 10);
  await world.until('something is ordered', () => world.sentences('NodeOrdered').length > 0);
  expect(world.sentences('NodeOrdered')[0]).toContain('m6i.4xlarge');
  expect(world.claims()[0]?.metadata.annotations).toMatchObject({
    'karpenter.sh/price-overlay-applied': 'true',
  });
  await world.runFor(5_000);
  expect(await verdictOf('discount')).toBe('True ValidationSucceeded');
  expect(await verdictOf('argument')).toBe('False Conflict');
});

test('a resource that only an overlay knows is bought once, and waited for', async () => {
  await start();
  await applyOverlay('fuse', {
    requirements: only('c6i.large'),
    capacity: { 'smarter-devices/fuse': '10' },
  });
  const resources = { requests: { cpu: '10m', 'smarter-devices/fuse': '1' } };
  const containers = [{ name: 'main', image: 'x', resources }];
  await world.applyDeployment('mounts', 5, withPodSpec({ containers }));
  await world.until('something is ordered', () => world.claims().length > 0);
  await world.until('the node has joined', () => world.nodes().length > 0);
  await world.runFor(60_000);
  expect(world.claims()).toHaveLength(1);
  expect(world.claims()[0]?.metadata.annotations).toMatchObject({
    'karpenter.sh/capacity-overlay-applied': 'true',
  });
});

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'main', image: 'x', resources: { requests: { cpu: '500m' } } }] },
};

async function buffer(): Promise<CapacityBuffer | undefined> {
  return world.kube.get(capacityBuffers, { namespace: 'default', name: 'spare' });
}

function statement(object: CapacityBuffer | undefined, type: string): string {
  const { status, reason } = (object && conditionOf(object, type)) ?? {};
  return `${status} ${reason}`;
}

test('a buffer has its room before pods come, keeps it, and has it again afterwards', async () => {
  await start();
  await world.kube.create(podTemplates, {
    metadata: { name: 'web', namespace: 'default' },
    template,
  });
  await world.kube.create(capacityBuffers, {
    metadata: { name: 'spare', namespace: 'default' },
    spec: { podTemplateRef: { name: 'web' }, replicas: 3 },
  });
  await world.until('a node stands by', () =>
    world.sentences('NodeInitialized').some((sentence) => sentence !== ''),
  );
  const standby = world.claims().length;
  await world.runFor(600_000);
  expect(world.claims()).toHaveLength(standby);
  const kept = await buffer();
  expect(kept?.status?.replicas).toBe(3);
  expect(statement(kept, 'ReadyForProvisioning')).toBe('True Resolved');
  expect(statement(kept, 'Provisioning')).toBe('True FitsExistingCapacity');

  await world.applyDeployment('web', 3, (object) => ({
    ...object,
    spec: {
      ...object.spec,
      template: { ...template, metadata: object.spec.template.metadata ?? {} },
    },
  }));
  // Far less than a machine takes to boot: the room was there.
  await world.untilRunning(3, 5_000);
  await world.until('room is ordered again', () => world.claims().length > standby, 60_000);

  await world.kube.delete(capacityBuffers, { namespace: 'default', name: 'spare' });
  await world.deleteDeployment('web');
  await world.untilNothingIsLeft();
});

test('a buffer of a workload that does not exist says so', async () => {
  await start();
  await world.kube.create(capacityBuffers, {
    metadata: { name: 'spare', namespace: 'default' },
    spec: { scalableRef: { apiGroup: 'apps', kind: 'Deployment', name: 'web' }, percentage: 20 },
  });
  await world.runFor(5_000);
  expect(statement(await buffer(), 'ReadyForProvisioning')).toBe('False ScalableRefNotFound');
  expect(statement(await buffer(), 'Provisioning')).toBe('False NotReadyForProvisioning');
  expect(world.claims()).toEqual([]);
});
