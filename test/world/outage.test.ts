import { afterEach, describe, expect, test } from 'vitest';
import { events } from '../../src/api/kubernetes/core.ts';
import { createTestWorld, type TestWorld } from './harness.ts';
import { withPodSpec } from './pod-spec.ts';

let world: TestWorld;

afterEach(() => world.close());

async function quietWorld(): Promise<void> {
  world = await createTestWorld({ isBare: true });
  await world.applyStoryPools();
  world.startKarpenter();
  await world.runFor(30_000);
}

/** How long, from the order of the pods, until all of them run. */
async function timeToRun(pods: number): Promise<number> {
  const startedMs = world.clock.nowMs();
  await world.applyDeployment('web', pods);
  await world.untilRunning(pods);
  return world.clock.nowMs() - startedMs;
}

function capacityTypes(): readonly string[] {
  const found = world.nodes().map(({ metadata: { labels } }) => labels?.[capacityTypeLabel]);
  return [...new Set(found.map(String))].sort();
}

const claimIn = (sentence: string): string => /claim (\S+?):?\s/.exec(sentence)?.[1] ?? sentence;
const capacityTypeLabel = 'karpenter.sh/capacity-type';
const poolOf = (node: { metadata: { labels?: Readonly<Record<string, string>> } }): string =>
  node.metadata.labels?.['karpenter.sh/nodepool'] ?? '';

describe('when all spot machines are gone', () => {
  test('the pods run on on-demand machines a few seconds later than otherwise', async () => {
    await quietWorld();
    const usualMs = await timeToRun(60);
    await world.close();
    await quietWorld();
    world.aws.market.setShortage({ capacityType: 'spot' });
    expect(await timeToRun(60)).toBeLessThan(usualMs + 5_000);
    expect(capacityTypes()).toEqual(['on-demand']);
    const refusals = world.sentences('LaunchRefused');
    expect(refusals.length).toBeGreaterThan(0);
    expect(new Set(refusals.map(claimIn)).size).toBe(refusals.length);
  });

  test('the spot pool is asked again half a minute later', async () => {
    await quietWorld();
    world.aws.market.setShortage({ capacityType: 'spot' });
    await timeToRun(60);
    world.aws.market.clearShortage();
    await world.runFor(30_000);
    await world.applyDeployment('more', 60);
    await world.untilRunning(120);
    expect(world.nodes().map(poolOf).sort()).toContain('spot-pool');
  });

  test('pods that accept nothing else go on trying spot, and get it as soon as there is some', async () => {
    await quietWorld();
    world.aws.market.setShortage({ capacityType: 'spot' });
    const nodeSelector = { [capacityTypeLabel]: 'spot' };
    await world.applyDeployment('web', 3, withPodSpec({ nodeSelector }));
    await world.runFor(5_000);
    expect(world.sentences('LaunchRefused').length).toBeGreaterThan(2);
    world.aws.market.clearShortage();
    await world.untilRunning(3, 15_000);
    expect(capacityTypes()).toEqual(['spot']);
  });
});

test('when nothing at all is to be had, orders become rare, and pods are told now and then', async () => {
  await quietWorld();
  world.aws.market.setShortage({});
  await world.applyDeployment('web', 5);
  await world.runFor(120_000);
  const before = { orders: world.sentences('NodeOrdered').length, events: await eventCount() };
  await world.runFor(180_000);
  expect(world.sentences('NodeOrdered').length - before.orders).toBeLessThan(40);
  expect((await eventCount()) - before.events).toBeLessThan(70);
  world.aws.market.clearShortage();
  await world.untilRunning(5, 90_000);
});

async function eventCount(): Promise<number> {
  const { items } = await world.kube.list(events);
  return items.filter(({ source }) => source?.component === 'karpenter').length;
}

const partial: readonly { readonly what: string; readonly types: readonly string[] }[] = [
  { what: 'one type', types: ['c8in.large'] },
  { what: 'a few families', types: ['c8*', 'm8*', 'c4*'] },
];

test.each(partial)('when $what has run out, spot is still bought', async ({ types }) => {
  await quietWorld();
  for (const instanceType of types)
    world.aws.market.setShortage({ capacityType: 'spot', instanceType });
  await timeToRun(60);
  expect(capacityTypes()).toEqual(['spot']);
});

test('when one zone has run out of spot, it is bought in another', async () => {
  await quietWorld();
  world.aws.market.setShortage({ capacityType: 'spot', zone: 'us-east-1b' });
  await timeToRun(60);
  expect(capacityTypes()).toEqual(['spot']);
});
