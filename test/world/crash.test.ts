import { afterEach, expect, test } from 'vitest';
import { createTestWorld, type TestWorld } from './harness.ts';

let world: TestWorld | undefined;

afterEach(() => world?.close());

const replicas = 150;

/** Plays the story; after so many requests the controller is killed, and started again later. */
async function storyWithCrashes(requestsPerLife: readonly number[]): Promise<TestWorld> {
  const played = await createTestWorld({ isBare: true });
  world = played;
  const lives = [...requestsPerLife];
  const startNext = (): void => {
    played.startKarpenter();
    const requests = lives.shift();
    if (requests !== undefined) played.crashAfterRequests(requests);
  };
  await played.applyStoryPools();
  startNext();
  await played.applyDeployment('web', replicas);
  const isRunning = (): boolean => played.runningPods() === replicas;
  await untilWithRestarts(played, { startNext, isDone: isRunning });
  await played.deleteDeployment('web');
  const isGone = (): boolean => played.claims().length === 0 && played.nodes().length === 0;
  await untilWithRestarts(played, { startNext, isDone: isGone });
  if (!played.isAlive()) startNext();
  await played.runFor(180_000);
  return played;
}

async function untilWithRestarts(
  played: TestWorld,
  parts: { readonly startNext: () => void; readonly isDone: () => boolean },
): Promise<void> {
  for (let restarts = 0; restarts < 100; restarts++) {
    await played.until(
      'it is done or the controller is dead',
      () => parts.isDone() || !played.isAlive(),
    );
    if (parts.isDone()) return;
    await played.runFor(3_000);
    parts.startNext();
  }
  throw new Error(`the story does not end\n${played.picture()}`);
}

async function expectClean(played: TestWorld): Promise<void> {
  expect(played.claims()).toEqual([]);
  expect(played.nodes()).toEqual([]);
  expect(await played.cloud.instances()).toEqual([]);
  expect(await played.cloud.launchTemplates()).toEqual([]);
}

test('a story without a crash needs so many machines', async () => {
  const played = await storyWithCrashes([]);
  await expectClean(played);
  expect(await played.cloud.instancesEver()).toBe(2);
});

test.each(Array.from({ length: 24 }, (_, i) => 3 + i * 7))(
  'killed after %i requests, it leaves nothing and buys nothing twice',
  async (requests) => {
    const played = await storyWithCrashes([requests]);
    await expectClean(played);
    expect(await played.cloud.instancesEver()).toBe(2);
  },
);

test.each([11, 23, 37])(
  'killed again and again after %i requests, it comes to the same end',
  async (requests) => {
    const played = await storyWithCrashes(Array.from({ length: 12 }, () => requests));
    await expectClean(played);
    expect(await played.cloud.instancesEver()).toBe(2);
  },
);
