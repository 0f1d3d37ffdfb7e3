import { afterEach, describe, expect, test } from 'vitest';
import { ec2NodeClasses } from '../../src/api/karpenter/ec2-node-class.ts';
import { nodeClaims } from '../../src/api/karpenter/node-claim.ts';
import { pods } from '../../src/api/kubernetes/core.ts';
import { deployments } from '../../src/api/kubernetes/workload.ts';
import type { HttpRequest, HttpResponse } from '../../src/ports/http.ts';
import { createTestWorld, type TestWorld } from './harness.ts';
import { withPodSpec } from './pod-spec.ts';

let world: TestWorld;

afterEach(() => world.close());

const replicas = 5;

async function worldWithPods(count = replicas): Promise<void> {
  world = await createTestWorld({ isBare: true, hasFewTypes: true });
  await world.applyStoryPools();
  world.startKarpenter();
  await world.runFor(5_000);
  await world.applyDeployment('web', count);
}

/** Ends the story, and looks whether anything was left behind. */
async function expectCleanEnd(): Promise<void> {
  await world.deleteDeployment('web');
  await world.untilNothingIsLeft();
  await world.runFor(60_000);
  expect(await world.cloud.instances()).toEqual([]);
}

function failure(status: number): HttpResponse {
  const body = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: status, message: 'no' };
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function isAction(request: HttpRequest, action: string): boolean {
  return String(request.body).startsWith(`Action=${action}&`);
}

describe('one machine is bought, and it goes away again,', () => {
  test.each([500, 429])(
    'though the API server answers nothing but %i for a minute',
    async (code) => {
      await worldWithPods();
      const untilMs = world.clock.nowMs() + 60_000;
      world.meddleKube = async (request, handle) =>
        world.clock.nowMs() < untilMs ? failure(code) : handle(request);
      await world.untilRunning(replicas);
      expect(await world.cloud.instancesEver()).toBe(1);
      await expectCleanEnd();
    },
  );

  test('though for a minute every write is done and answered with 500', async () => {
    await worldWithPods();
    const untilMs = world.clock.nowMs() + 60_000;
    world.meddleKube = async (request, handle) => {
      const answer = await handle(request);
      const isLost = request.method !== 'GET' && world.clock.nowMs() < untilMs;
      return isLost ? failure(500) : answer;
    };
    await world.untilRunning(replicas);
    expect(await world.cloud.instancesEver()).toBe(1);
    await expectCleanEnd();
  });

  test('though for a minute every answer of CreateFleet is lost', async () => {
    await worldWithPods();
    const untilMs = world.clock.nowMs() + 60_000;
    world.meddleAws = async (request, handle) => {
      const answer = await handle(request);
      if (isAction(request, 'CreateFleet') && world.clock.nowMs() < untilMs)
        throw new Error('lost');
      return answer;
    };
    await world.untilRunning(replicas);
    expect(await world.cloud.instancesEver()).toBe(1);
    await expectCleanEnd();
  });

  test('though every watch breaks after three seconds', async () => {
    world = await createTestWorld({ isBare: true, hasFewTypes: true });
    await world.applyStoryPools();
    world.meddleKube = async (request, handle) => {
      const answer = await handle(request);
      return typeof answer.body === 'string'
        ? answer
        : { ...answer, body: brokenAfter(answer.body, 3_000) };
    };
    world.startKarpenter();
    await world.applyDeployment('web', replicas);
    await world.untilRunning(replicas);
    expect(await world.cloud.instancesEver()).toBe(1);
    await expectCleanEnd();
  });
});

async function* brokenAfter(body: AsyncIterable<string>, ms: number): AsyncIterable<string> {
  const untilMs = world.clock.nowMs() + ms;
  for await (const piece of body) {
    if (world.clock.nowMs() > untilMs) throw new Error('the connection broke');
    yield piece;
  }
}

describe('while a machine boots', () => {
  async function bootingWorld(): Promise<void> {
    await worldWithPods();
    await world.until('it is launched', () => world.sentences('NodeLaunched').length > 0);
  }

  test('pods that are replaced take over the places of those before them', async () => {
    await bootingWorld();
    for (const { metadata } of world.workloadPods())
      await world.kube.delete(pods, { namespace: 'default', name: metadata.name });
    await world.untilRunning(replicas);
    expect(await world.cloud.instancesEver()).toBe(1);
  });

  test('pods that are no longer wanted leave nothing behind', async () => {
    await bootingWorld();
    const body = { spec: { replicas: 0 } };
    const name = { namespace: 'default', name: 'web' };
    await world.kube.patch(deployments, name, { type: 'merge', body });
    await world.untilNothingIsLeft();
    expect(await world.cloud.instances()).toEqual([]);
  });

  test('an interruption buys exactly one other machine', async () => {
    await bootingWorld();
    world.aws.market.interrupt((await world.cloud.instances())[0] ?? '');
    await world.untilRunning(replicas);
    expect(await world.cloud.instancesEver()).toBe(2);
    await expectCleanEnd();
  });

  test('the deletion of its EC2NodeClass waits, and its pods run', async () => {
    await bootingWorld();
    await world.kube.delete(ec2NodeClasses, { name: 'default' });
    await world.untilRunning(replicas);
    await expectCleanEnd();
    expect(await world.kube.get(ec2NodeClasses, { name: 'default' })).toBeUndefined();
  });
});

test('a throttled EC2 delays launches, and none is made twice', async () => {
  world = await createTestWorld({ isBare: true, hasFewTypes: true });
  await world.applyStoryPools();
  world.startKarpenter();
  world.aws.market.setRateLimit('CreateFleet', { perSecond: 0.2, burst: 1 });
  const ports = [{ containerPort: 80, hostPort: 8080, protocol: 'TCP' }] as const;
  const containers = [{ name: 'c', image: 'i', ports }];
  await world.applyDeployment('web', 8, withPodSpec({ containers }));
  await world.untilRunning(8);
  expect(await world.cloud.instancesEver()).toBe(8);
  await expectCleanEnd();
});

test('a node that was opened to pods is drained, though its claim does not say that it registered', async () => {
  await worldWithPods();
  world.meddleKube = async (request, handle) =>
    request.path.includes('/nodeclaims/') && String(request.body).includes('nodeName')
      ? failure(500)
      : handle(request);
  await world.untilRunning(replicas);
  const machines = await world.cloud.instances();
  await world.applyBudget('web', { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } });
  await world.kube.delete(nodeClaims, { name: world.claims()[0]?.metadata.name ?? '' });
  await world.runFor(120_000);
  expect(await world.cloud.instances()).toEqual(machines);
  expect(world.runningPods()).toBe(replicas);
  expect(world.sentences('DrainBlocked')).toHaveLength(replicas);
});
