import { afterEach, expect, test } from 'vitest';
import { createTestWorld, type TestWorld } from './harness.ts';
import { withPodSpec } from './pod-spec.ts';

let world: TestWorld;

afterEach(() => world.close());

const minuteMs = 60_000;
/** Long enough for everything that is looked at now and then to be looked at again. */
const restMs = 20 * minuteMs;

const oneToANode = withPodSpec({
  containers: [
    { name: 'c', image: 'i', ports: [{ containerPort: 80, hostPort: 80, protocol: 'TCP' }] },
  ],
});

/** What the cloud was asked, and how often, while so many nodes were at rest. */
async function askedAtRest(nodes: number): Promise<ReadonlyMap<string, number>> {
  world = await createTestWorld({ isBare: true, hasFewTypes: true });
  await world.applyPoolOfOneType('one');
  world.startKarpenter();
  await world.applyDeployment('web', nodes, oneToANode);
  await world.untilRunning(nodes);
  // At first it looks more often, lest something was left behind.
  await world.runFor(5 * minuteMs);
  const asked = new Map<string, number>();
  world.meddleAws = (request, handle) => {
    const action = /^Action=(\w+)/.exec(String(request.body))?.[1];
    const name = action ?? request.headers['x-amz-target'] ?? request.path;
    asked.set(name, (asked.get(name) ?? 0) + 1);
    return handle(request);
  };
  await world.runFor(restMs);
  expect(world.nodes()).toHaveLength(nodes);
  return asked;
}

test('at rest the cloud is asked as often about many nodes as about few', async () => {
  const few = await askedAtRest(2);
  await world.close();
  const many = await askedAtRest(10);
  for (const [action, times] of many)
    expect([action, times <= (few.get(action) ?? 0) + 2]).toEqual([action, true]);
  // Every two minutes all machines are listed.
  expect(many.get('DescribeInstances')).toBeLessThan(14);
});

test('a process that has stopped leaves no timer behind, in itself or in the servers it watched', async () => {
  world = await createTestWorld({ isBare: true, hasFewTypes: true });
  await world.applyStoryPools();
  await world.applyDeployment('never', 3, withPodSpec({ nodeSelector: { nowhere: 'x' } }));
  await world.runFor(2 * minuteMs);
  const before = world.clock.pendingTimers();
  for (let life = 0; life < 3; life++) {
    world.startKarpenter();
    await world.runFor(minuteMs);
    expect(world.clock.pendingTimers()).toBeGreaterThan(before + 20);
    await world.stopKarpenter();
  }
  // Requests to the cloud that were on their way end with their own deadlines.
  await world.runFor(minuteMs);
  expect(world.clock.pendingTimers()).toBeLessThanOrEqual(before);
});
