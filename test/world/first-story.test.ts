import { afterEach, expect, test } from 'vitest';
import { createTestWorld, type TestWorld } from './harness.ts';

let world: TestWorld;

afterEach(() => world.close());

test('200 pods without requests become nodes and go away again, and nothing is left', async () => {
  world = await createTestWorld();
  await world.applyStoryPools();
  world.startKarpenter();
  await world.applyDeployment('nginx', 200);
  await world.untilRunning(200);
  expect(await world.cloud.instances()).toHaveLength(world.nodes().length);

  await world.deleteDeployment('nginx');
  await world.untilNothingIsLeft();
  expect(await world.cloud.instances()).toEqual([]);
  await world.runFor(180_000);
  expect(await world.cloud.launchTemplates()).toEqual([]);
  expect(world.errors).toEqual([]);
});

test('the whole story can be told from the decisions', async () => {
  world = await createTestWorld();
  await world.applyStoryPools();
  world.startKarpenter();
  await world.applyDeployment('nginx', 10);
  await world.untilRunning(10);
  await world.deleteDeployment('nginx');
  await world.untilNothingIsLeft();
  expect(world.decisions.map(({ code }) => code)).toEqual([
    'NodeClassReady',
    'NodeOrdered',
    'NodeLaunched',
    'NodeRegistered',
    'NodeInitialized',
    'NodeEmpty',
    'NodeDraining',
    'NodeRemoved',
  ]);
});

test('a cluster in which nothing happens is not written to', async () => {
  world = await createTestWorld();
  await world.applyStoryPools();
  world.startKarpenter();
  await world.applyDeployment('nginx', 30);
  await world.untilRunning(30);
  await world.runFor(60_000);
  const before = world.writes.length;
  await world.runFor(3_600_000);
  expect(world.writes.slice(before)).toEqual([]);
  expect(world.nodes()).toHaveLength(1);
});
