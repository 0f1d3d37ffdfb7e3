import { TerminateInstancesCommand } from '@aws-sdk/client-ec2';
import { afterEach, describe, expect, test } from 'vitest';
import { ec2NodeClasses } from '../../src/api/karpenter/ec2-node-class.ts';
import { nodeClaims } from '../../src/api/karpenter/node-claim.ts';
import { nodes, volumeAttachments } from '../../src/api/kubernetes/core.ts';
import { conditionOf, isTrue } from '../../src/api/resource.ts';
import { createTestWorld, type TestWorld } from './harness.ts';

let world: TestWorld;

afterEach(() => world.close());

async function runningWorld(replicas: number): Promise<void> {
  world = await createTestWorld({ isBare: true, hasFewTypes: true });
  await world.applyStoryPools();
  world.startKarpenter();
  await world.applyDeployment('web', replicas);
  await world.untilRunning(replicas);
}

describe('what the cloud has and what was claimed', () => {
  test('a machine that vanished is replaced, and its claim and Node are removed', async () => {
    await runningWorld(5);
    const [lost = ''] = await world.cloud.instances();
    await world.ec2.send(new TerminateInstancesCommand({ InstanceIds: [lost] }));
    await world.runFor(300_000);
    await world.untilRunning(5);
    expect(await world.cloud.instances()).toHaveLength(1);
    expect(world.claims()).toHaveLength(1);
    expect(world.nodes()).toHaveLength(1);
  });

  test('a machine whose claim was torn away before it joined is terminated', async () => {
    world = await createTestWorld({ isBare: true, hasFewTypes: true });
    await world.applyStoryPools();
    world.startKarpenter();
    await world.applyDeployment('web', 5);
    await world.until('it is launched', () => world.sentences('NodeLaunched').length === 1);
    world.crash();
    const [orphan = ''] = await world.cloud.instances();
    const [claim] = world.claims();
    const name = claim?.metadata.name ?? '';
    const body = { metadata: { finalizers: [] } };
    await world.kube.patch(nodeClaims, { name }, { type: 'merge', body });
    await world.kube.delete(nodeClaims, { name });
    world.startKarpenter();
    await world.runFor(180_000);
    expect(await world.cloud.instances()).not.toContain(orphan);
    expect(world.sentences('InstanceCollected')).toEqual([
      `Terminated instance ${orphan}: no NodeClaim stands behind it any more.`,
    ]);
    await world.untilRunning(5);
    expect(world.nodes()).toHaveLength(1);
  });
});

test('a claim whose Node was torn away ends with its machine, and its pods get another', async () => {
  await runningWorld(5);
  const [machine = ''] = await world.cloud.instances();
  const name = world.nodes()[0]?.metadata.name ?? '';
  await world.kube.patch(
    nodes,
    { name },
    { type: 'merge', body: { metadata: { finalizers: null } } },
  );
  await world.kube.delete(nodes, { name });
  await world.runFor(300_000);
  await world.untilRunning(5);
  expect(world.sentences('ClaimCollected')[0]).toMatch(
    `its Node ${name} was removed, and ${machine} is idle.`,
  );
  expect(await world.cloud.instances()).not.toContain(machine);
  expect(world.claims()).toHaveLength(1);
});

describe('a drain', () => {
  test('waits for a do-not-disrupt pod until the grace period of its node ends', async () => {
    world = await createTestWorld({ isBare: true, hasFewTypes: true });
    await world.applyPool('patient', (spec) => ({
      ...spec,
      template: { ...spec.template, spec: { ...spec.template.spec, terminationGracePeriod: '5m' } },
    }));
    world.startKarpenter();
    await world.applyDeployment('web', 1, (object) => ({
      ...object,
      spec: {
        ...object.spec,
        template: {
          metadata: {
            ...object.spec.template.metadata,
            annotations: { 'karpenter.sh/do-not-disrupt': 'true' },
          },
          spec: { ...object.spec.template.spec, terminationGracePeriodSeconds: 60 },
        },
      },
    }));
    await world.untilRunning(1);
    const [claim] = world.claims();
    await world.kube.delete(nodeClaims, { name: claim?.metadata.name ?? '' });
    await world.runFor(230_000);
    expect(world.runningPods()).toBe(1);
    expect(world.sentences('DrainBlocked')).toHaveLength(1);
    await world.runFor(90_000);
    expect(world.claims().some(({ metadata }) => metadata.uid === claim?.metadata.uid)).toBe(false);
    await world.untilRunning(1);
  });
});

test('a node waits for its volumes to be detached before its machine goes', async () => {
  await runningWorld(2);
  const [claim] = world.claims();
  const name = claim?.metadata.name ?? '';
  await world.kube.create(volumeAttachments, {
    metadata: { name: 'attached' },
    spec: {
      attacher: 'ebs.csi.aws.com',
      nodeName: claim?.status?.nodeName ?? '',
      source: { persistentVolumeName: 'pv-1' },
    },
  });
  await world.kube.delete(nodeClaims, { name });
  await world.runFor(120_000);
  const waiting = world.claims().find(({ metadata }) => metadata.uid === claim?.metadata.uid);
  expect(conditionOf(waiting ?? {}, 'Drained')?.status).toBe('True');
  expect(conditionOf(waiting ?? {}, 'VolumesDetached')?.reason).toBe('AwaitingVolumeDetachment');
  await world.kube.delete(volumeAttachments, { name: 'attached' });
  await world.until('the claim is gone', () =>
    world.claims().every((c) => c.metadata.uid !== claim?.metadata.uid),
  );
});

test('the node that Karpenter itself runs on is never disrupted', async () => {
  await runningWorld(2);
  await world.stopKarpenter();
  const [node] = world.nodes();
  world.startKarpenter({ ownNodeName: node?.metadata.name });
  await world.deleteDeployment('web');
  await world.runFor(300_000);
  expect(world.nodes().map(({ metadata }) => metadata.uid)).toEqual([node?.metadata.uid]);
});

describe('a young node', () => {
  test('is initialized only after somebody has taken its startup taint off', async () => {
    world = await createTestWorld({ isBare: true, hasFewTypes: true });
    const startupTaints = [{ key: 'example.com/agent', effect: 'NoSchedule' as const }];
    await world.applyPool('agent', (spec) => ({
      ...spec,
      template: { ...spec.template, spec: { ...spec.template.spec, startupTaints } },
    }));
    world.startKarpenter();
    await world.applyDeployment('web', 3);
    await world.until('a node joined', () => world.sentences('NodeRegistered').length === 1);
    await world.runFor(300_000);
    expect(world.claims().map((claim) => isTrue(claim, 'Initialized'))).toEqual([false]);
    expect(world.runningPods()).toBe(0);
    const [node] = world.nodes();
    const taints = (node?.spec?.taints ?? []).filter(({ key }) => key !== 'example.com/agent');
    const name = node?.metadata.name ?? '';
    await world.kube.patch(nodes, { name }, { type: 'merge', body: { spec: { taints } } });
    await world.untilRunning(3);
    expect(world.claims().map((claim) => isTrue(claim, 'Initialized'))).toEqual([true]);
  });

  test('whose machine never joins is given up after a quarter of an hour', async () => {
    world = await createTestWorld({ isBare: true, hasFewTypes: true });
    // The image of a custom family is started with the user data as it is, which here is none.
    await world.kube.patch(
      ec2NodeClasses,
      { name: 'default' },
      {
        type: 'merge',
        body: {
          spec: {
            amiFamily: 'Custom',
            amiSelectorTerms: [
              { name: 'amazon-eks-node-al2023-x86_64-standard-1.36-*', owner: 'amazon' },
            ],
          },
        },
      },
    );
    await world.applyStoryPools();
    world.startKarpenter();
    await world.applyDeployment('web', 1);
    await world.until('it is given up', () => world.sentences('NodeGivenUp').length > 0, 1_200_000);
    expect(world.sentences('NodeGivenUp')[0]).toMatch(/did not join the cluster within 15 minutes/);
    const [first] = world.decisions.filter(({ code }) => code === 'NodeLaunched');
    const instance = first?.because.find(({ name }) => name === 'instanceId')?.value;
    await world.runFor(60_000);
    expect(await world.cloud.instances()).not.toContain(instance);
  });
});

test('an EC2NodeClass is released only after its last claim', async () => {
  await runningWorld(5);
  await world.kube.delete(ec2NodeClasses, { name: 'default' });
  await world.runFor(60_000);
  expect(await world.kube.get(ec2NodeClasses, { name: 'default' })).toBeDefined();
  await world.deleteDeployment('web');
  await world.untilNothingIsLeft();
  await world.runFor(10_000);
  expect(await world.kube.get(ec2NodeClasses, { name: 'default' })).toBeUndefined();
  expect(await world.cloud.launchTemplates()).toEqual([]);
});

test('of two replicas one acts, and the other takes over without replacing a node', async () => {
  world = await createTestWorld({ isBare: true, hasFewTypes: true });
  await world.applyStoryPools();
  const first = world.startReplica('first');
  await world.until('the first leads', () => first.karpenter.isLeader());
  const second = world.startReplica('second');
  await world.applyDeployment('web', 5);
  await world.untilRunning(5);
  expect(second.karpenter.isReady()).toBe(true);
  expect(second.karpenter.isLeader()).toBe(false);
  first.kill();
  await world.until('the second leads', () => second.karpenter.isLeader(), 60_000);
  await world.runFor(120_000);
  expect(await world.cloud.instancesEver()).toBe(1);
  await world.deleteDeployment('web');
  await world.untilNothingIsLeft();
  expect(await world.cloud.instances()).toEqual([]);
  second.kill();
});
