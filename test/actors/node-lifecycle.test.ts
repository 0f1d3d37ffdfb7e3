import { expect, test } from 'vitest';
import { leases, nodes } from '../../src/api/kubernetes/core.ts';
import { deployments } from '../../src/api/kubernetes/workload.ts';
import { conditionOf, isTrue } from '../../src/api/resource.ts';
import { aWorld } from './small-world.ts';
import { web } from './web-deployment.ts';

test('a machine registers its node, not ready first, and makes it ready', async () => {
  const world = aWorld();
  const machine = world.startMachine({
    labels: 'karpenter.sh/nodepool=web',
    taints: 'karpenter.sh/unregistered:NoExecute',
  });
  while ((await world.nodes()).length === 0) await world.clock.runFor(500);
  const [young] = await world.nodes();
  if (young === undefined) throw new Error('there is no node');
  expect(isTrue(young, 'Ready')).toBe(false);
  expect(young.spec?.taints?.map(({ key, effect }) => `${key}:${effect}`)).toEqual(
    expect.arrayContaining([
      'karpenter.sh/unregistered:NoExecute',
      'node.kubernetes.io/not-ready:NoSchedule',
    ]),
  );
  await world.clock.runFor(20_000);
  const [node] = await world.nodes();
  expect(node).toMatchObject({
    metadata: {
      name: machine.privateDnsName,
      labels: {
        'karpenter.sh/nodepool': 'web',
        'kubernetes.io/hostname': machine.privateDnsName,
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/os': 'linux',
        'node.kubernetes.io/instance-type': 'm5.xlarge',
        'topology.kubernetes.io/zone': 'us-east-1a',
        'topology.kubernetes.io/region': 'us-east-1',
        'topology.k8s.aws/zone-id': 'use1-az1',
      },
    },
    spec: { providerID: `aws:///us-east-1a/${machine.instanceId}` },
    status: { capacity: { cpu: '4', pods: '58' }, allocatable: { cpu: '3920m', pods: '58' } },
  });
  expect(node?.spec?.taints).toEqual([{ key: 'karpenter.sh/unregistered', effect: 'NoExecute' }]);
  expect(node !== undefined && isTrue(node, 'Ready')).toBe(true);
  const lease = await world.during(
    world.kube.get(leases, { name: machine.privateDnsName, namespace: 'kube-node-lease' }),
  );
  const renewedMs = Date.parse(lease?.spec?.renewTime ?? '');
  expect(world.clock.nowMs() - renewedMs).toBeLessThanOrEqual(10_500);
  expect(world.errors).toEqual([]);
});

test('the pods of a machine that stops are made anew elsewhere', async () => {
  const world = aWorld();
  const lost = world.startMachine();
  await world.create(deployments, web(3));
  await world.clock.runFor(30_000);
  const other = world.startMachine();
  await world.clock.runFor(30_000);
  world.stopMachine(lost);
  await world.clock.runFor(20_000);
  expect((await world.nodes()).filter((node) => isTrue(node, 'Ready'))).toHaveLength(2);
  await world.clock.runFor(180_000);
  expect((await world.nodes()).map((node) => node.metadata.name)).toEqual([other.privateDnsName]);
  const pods = await world.pods();
  expect(pods.map((pod) => pod.spec.nodeName)).toEqual(Array(3).fill(other.privateDnsName));
  expect(pods.every((pod) => isTrue(pod, 'Ready'))).toBe(true);
  const left = (await world.during(world.kube.list(leases, { namespace: 'kube-node-lease' })))
    .items;
  expect(left.map((lease) => lease.metadata.name)).toEqual([other.privateDnsName]);
  expect(world.errors).toEqual([]);
});

test('a node whose kubelet falls silent becomes unreachable', async () => {
  const world = aWorld();
  const machine = world.startMachine();
  await world.clock.runFor(30_000);
  world.stopMachine(machine);
  const name = machine.privateDnsName;
  // Its Node is held, so that the cloud controller cannot take it away before we have looked.
  const body = { metadata: { finalizers: ['story.test/hold'] } };
  await world.during(world.kube.patch(nodes, { name }, { type: 'merge', body }));
  await world.clock.runFor(70_000);
  const node = await world.during(world.kube.get(nodes, { name }));
  if (node === undefined) throw new Error('there is no node');
  expect(conditionOf(node, 'Ready')).toMatchObject({
    status: 'Unknown',
    reason: 'NodeStatusUnknown',
  });
  const taints = node.spec?.taints?.map(({ key, effect }) => `${key}:${effect}`);
  expect(taints).toEqual(
    expect.arrayContaining([
      'node.kubernetes.io/unreachable:NoSchedule',
      'node.kubernetes.io/unreachable:NoExecute',
    ]),
  );
});

test('a NoExecute taint evicts at once those who do not tolerate it, and others in their time', async () => {
  const world = aWorld();
  const machine = world.startMachine();
  await world.clock.runFor(30_000);
  await world.create(deployments, web(2));
  const patient = { tolerations: [{ key: 'leave', operator: 'Exists', tolerationSeconds: 60 }] };
  const second = web(1, { pod: patient });
  const labels = { app: 'patient' };
  await world.create(deployments, {
    metadata: { name: 'patient', namespace: 'default' },
    spec: {
      ...second.spec,
      selector: { matchLabels: labels },
      template: { ...second.spec.template, metadata: { labels } },
    },
  });
  await world.clock.runFor(10_000);
  const body = { spec: { taints: [{ key: 'leave', effect: 'NoExecute' }] } };
  await world.during(
    world.kube.patch(nodes, { name: machine.privateDnsName }, { type: 'merge', body }),
  );
  await world.clock.runFor(5_000);
  const onNode = async (): Promise<readonly (string | undefined)[]> =>
    (await world.pods()).filter((pod) => pod.spec.nodeName).map((pod) => pod.metadata.labels?.app);
  expect(await onNode()).toEqual(['patient']);
  await world.clock.runFor(50_000);
  expect(await onNode()).toEqual(['patient']);
  await world.clock.runFor(10_000);
  // Its successor tolerates the taint as well and comes back to the only node.
  const [pod] = (await world.pods()).filter((candidate) => candidate.spec.nodeName);
  expect(Date.parse(pod?.metadata.creationTimestamp ?? '')).toBeGreaterThan(
    world.clock.nowMs() - 20_000,
  );
  expect(world.errors).toEqual([]);
});
