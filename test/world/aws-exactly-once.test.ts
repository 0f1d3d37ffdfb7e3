import { RunInstancesCommand } from '@aws-sdk/client-ec2';
import { afterEach, describe, expect, test } from 'vitest';
import { launchGroupAnnotation } from '../../src/api/karpenter/launch-group.ts';
import { nodeClaims } from '../../src/api/karpenter/node-claim.ts';
import { sleep } from '../../src/ports/clock.ts';
import type { HttpRequest, HttpResponse } from '../../src/ports/http.ts';
import { createTestWorld, type TestWorld } from './harness.ts';
import { withPodSpec } from './pod-spec.ts';

let world: TestWorld;

afterEach(() => world.close());

const replicas = 6;

/** No two of these pods fit on one node, so that as many equal machines are ordered together. */
const oneByOne = withPodSpec({
  containers: [
    { name: 'c', image: 'i', ports: [{ containerPort: 80, hostPort: 8080, protocol: 'TCP' }] },
  ],
});

async function emptyWorld(): Promise<void> {
  world = await createTestWorld({ isBare: true, hasFewTypes: true });
  await world.applyStoryPools();
}

function isAction(request: HttpRequest, action: string): boolean {
  return String(request.body).startsWith(`Action=${action}&`);
}

function failure(status: number): HttpResponse {
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: status, message: 'no' };
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** Each claim has a machine of its own, and there is no other. */
async function expectOneEach(): Promise<void> {
  const ids = world.claims().map(({ status }) => status?.providerID?.split('/').at(-1) ?? '');
  expect([...ids].sort()).toEqual(await world.cloud.instances());
  expect(await world.cloud.instancesEver()).toBe(replicas);
}

describe('machines of a group are bought once,', () => {
  test('in one call, and each claim has its own', async () => {
    await emptyWorld();
    let calls = 0;
    world.meddleAws = async (request, handle) => {
      // The rehearsal for the EC2NodeClass buys nothing.
      const isRehearsal = String(request.body).includes('DryRun=true');
      if (isAction(request, 'CreateFleet') && !isRehearsal) calls++;
      return handle(request);
    };
    world.startKarpenter();
    await world.applyDeployment('web', replicas, oneByOne);
    await world.untilRunning(replicas);
    expect(calls).toBe(1);
    const groups = world
      .claims()
      .map((claim) => claim.metadata.annotations?.[launchGroupAnnotation]);
    expect(new Set(groups).size).toBe(replicas);
    await expectOneEach();
  });

  test('though for a minute every answer is lost', async () => {
    await emptyWorld();
    world.startKarpenter();
    const untilMs = world.clock.nowMs() + 60_000;
    world.meddleAws = async (request, handle) => {
      const answer = await handle(request);
      if (isAction(request, 'CreateFleet') && world.clock.nowMs() < untilMs)
        throw new Error('lost');
      return answer;
    };
    await world.applyDeployment('web', replicas, oneByOne);
    await world.untilRunning(replicas);
    await expectOneEach();
  });

  test('though the buyer dies when some claims know their machine and others do not', async () => {
    await emptyWorld();
    world.startKarpenter();
    let told = 0;
    world.meddleKube = async (request, handle) => {
      const answer = await handle(request);
      const isTelling =
        request.path.includes('/nodeclaims/') && String(request.body).includes('providerID');
      if (isTelling && ++told === 2) world.crash();
      return answer;
    };
    await world.applyDeployment('web', replicas, oneByOne);
    await world.until('it is dead', () => !world.isAlive());
    // Prices have moved since, so that the new life asks for something else.
    world.aws.market.setSpotDrift(0.3);
    await world.runFor(3_000);
    world.startKarpenter();
    await world.untilRunning(replicas);
    await expectOneEach();
  });

  test('though their buyer has lost the lease to another one that buys too', async () => {
    await emptyWorld();
    const first = world.startReplica('first');
    await world.until('the first leads', () => first.karpenter.isLeader());
    const second = world.startReplica('second');
    let isCut = false;
    world.meddleKube = async (request, handle, life) =>
      isCut && life === 1 ? failure(500) : handle(request);
    world.meddleAws = async (request, handle, life) => {
      if (life === 1 && isAction(request, 'CreateFleet')) {
        isCut = true;
        await sleep(world.clock, 40_000);
      }
      return handle(request);
    };
    await world.applyDeployment('web', replicas, oneByOne);
    await world.until('the second leads', () => second.karpenter.isLeader(), 60_000);
    expect(first.karpenter.isLeader()).toBe(false);
    await world.untilRunning(replicas);
    await world.runFor(60_000);
    await expectOneEach();
    await world.deleteDeployment('web');
    await world.untilNothingIsLeft();
    await world.runFor(60_000);
    expect(await world.cloud.instances()).toEqual([]);
    first.kill();
    second.kill();
  });

  test('and what a shortage left open is bought on demand, once', async () => {
    await emptyWorld();
    await world.applyPool('both', (spec) => ({ ...spec, weight: 100 }));
    world.aws.market.setShortage({ capacityType: 'spot', remaining: 0 });
    world.startKarpenter();
    await world.applyDeployment('web', replicas, oneByOne);
    await world.untilRunning(replicas);
    await world.runFor(60_000);
    await expectOneEach();
  });
});

test('a machine of a group whose claim was deleted before it knew of it is ended', async () => {
  await emptyWorld();
  world.startKarpenter();
  let isHeld = true;
  world.meddleAws = async (request, handle) => {
    const answer = await handle(request);
    if (isAction(request, 'CreateFleet') && isHeld) await sleep(world.clock, 5_000);
    return answer;
  };
  await world.applyDeployment('web', replicas, oneByOne);
  await world.until('they are ordered', () => world.claims().length === replicas);
  await world.runFor(2_000);
  isHeld = false;
  await world.kube.delete(nodeClaims, { name: world.claims()[0]?.metadata.name ?? '' });
  await world.untilRunning(replicas);
  await world.runFor(180_000);
  const ids = world.claims().map(({ status }) => status?.providerID?.split('/').at(-1) ?? '');
  expect([...ids].sort()).toEqual(await world.cloud.instances());
});

test('a machine that carries our tags and that no claim knows is ended after a while', async () => {
  await emptyWorld();
  world.startKarpenter();
  await world.applyDeployment('web', 1);
  await world.untilRunning(1);
  const [template = ''] = await world.cloud.launchTemplates();
  await world.ec2.send(
    new RunInstancesCommand({
      MinCount: 1,
      MaxCount: 1,
      InstanceType: 'm5.large',
      LaunchTemplate: { LaunchTemplateName: template, Version: '$Latest' },
      TagSpecifications: [
        {
          ResourceType: 'instance',
          Tags: [
            { Key: 'karpenter.sh/nodepool', Value: 'spot-pool' },
            { Key: 'karpenter.k8s.aws/ec2nodeclass', Value: 'default' },
            { Key: 'eks:eks-cluster-name', Value: 'test' },
          ],
        },
      ],
    }),
  );
  expect(await world.cloud.instances()).toHaveLength(2);
  await world.runFor(300_000);
  expect(await world.cloud.instances()).toHaveLength(1);
  expect(world.runningPods()).toBe(1);
});
