import { afterEach, expect, test } from 'vitest';
import { createTestWorld, type TestWorld } from './harness.ts';
import { withPodSpec } from './pod-spec.ts';

let world: TestWorld | undefined;

afterEach(() => world?.close());

const replicas = 3;

const zones = {
  key: 'topology.kubernetes.io/zone',
  operator: 'In',
  values: ['us-east-1b', 'us-east-1c'],
} as const;

/**
 * No two of them fit on one node, so that each needs a machine of its own; and an order that is not
 * launched yet does not tell whether it meets their choice of zones.
 */
const demanding = withPodSpec({
  containers: [
    { name: 'c', image: 'i', ports: [{ containerPort: 80, hostPort: 8080, protocol: 'TCP' }] },
  ],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [zones] }],
      },
    },
  },
});

/** Plays the story; after so many effects the controller is killed, and started again later. */
async function storyWithCrashes(effectsPerLife: readonly number[]): Promise<TestWorld> {
  const played = await createTestWorld({ isBare: true, hasFewTypes: true });
  world = played;
  const lives = [...effectsPerLife];
  const startNext = (): void => {
    played.startKarpenter();
    const effects = lives.shift();
    if (effects !== undefined) played.crashAfterEffects(effects);
  };
  await played.applyStoryPools();
  startNext();
  await played.applyDeployment('web', replicas, demanding);
  await untilWithRestarts(played, {
    startNext,
    isDone: () => played.runningPods() === replicas,
  });
  await played.deleteDeployment('web');
  await untilWithRestarts(played, {
    startNext,
    isDone: () => played.claims().length === 0 && played.nodes().length === 0,
  });
  if (!played.isAlive()) startNext();
  await played.runFor(180_000);
  return played;
}

async function untilWithRestarts(
  played: TestWorld,
  parts: { readonly startNext: () => void; readonly isDone: () => boolean },
): Promise<void> {
  for (let restarts = 0; restarts < 100; restarts++) {
    await played.until('it is done or dead', () => parts.isDone() || !played.isAlive());
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

/** A story without a crash has about a hundred effects; from the eighth to the thirtieth it buys. */
const momentsOfDeath = [
  ...Array.from({ length: 22 }, (_, i) => 8 + i),
  ...Array.from({ length: 12 }, (_, i) => 33 + i * 6),
];

test.each(momentsOfDeath)(
  'killed after %i effects, it leaves nothing and buys nothing twice',
  async (effects) => {
    const played = await storyWithCrashes([effects]);
    await expectClean(played);
    expect(await played.cloud.instancesEver()).toBe(replicas);
  },
);

test.each([5, 11])(
  'killed again and again after %i effects, it comes to the same end',
  async (effects) => {
    const played = await storyWithCrashes(Array.from({ length: 10 }, () => effects));
    await expectClean(played);
    expect(await played.cloud.instancesEver()).toBe(replicas);
  },
);
