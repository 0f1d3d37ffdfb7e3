import { afterEach, expect, test } from 'vitest';
import { solve } from '../../src/core/scheduling/solve.ts';
import type { Question } from '../../src/ports/observation.ts';
import { createTestWorld, type TestWorld } from './harness.ts';
import { withPodSpec } from './pod-spec.ts';

let world: TestWorld;

afterEach(() => world?.close());

/** Asks, and lets the world go on until it is answered. */
async function asked(): Promise<Question> {
  let answer: Question | undefined;
  const asking = world.karpenter.observation.question().then((question) => {
    answer = question;
  });
  await world.until('it is answered', () => answer !== undefined);
  await asking;
  if (answer === undefined) throw new Error('there is no answer');
  return answer;
}

function waiting(): number {
  return world.karpenter.observation.pending().filter(({ pod }) => pod.isUnschedulable).length;
}

test('whoever asks the engine what the controller would be asked gets what the controller orders', async () => {
  world = await createTestWorld({ hasFewTypes: true });
  await world.applyPool('pool', (spec) => spec);
  world.startKarpenter({ scheduling: { caution: 3 } });
  await world.until('the class is ready', () => world.sentences('NodeClassReady').length === 1);
  const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu: '700m' } } }];
  await world.applyDeployment('web', 90, withPodSpec({ containers }));
  await world.until('all have been tried', () => waiting() === 90);
  expect(world.claims()).toEqual([]);

  const { snapshot, pods, settings } = await asked();
  const { newNodes } = solve(snapshot, pods, settings);
  await world.until('it is ordered', () => world.claims().length > 0);
  const orders = world.decisions.filter(({ code }) => code === 'NodeOrdered');
  const types = orders.map(
    ({ because }) => because.find(({ name }) => name === 'instanceType')?.value,
  );
  expect(types.sort()).toEqual(newNodes.map(({ cheapest }) => cheapest.instanceType).sort());
  expect(solve(snapshot, pods).newNodes.length).toBeLessThan(newNodes.length);

  // Their places are on the way, and are kept for them as long as they are named.
  const later = await asked();
  expect(later.pods).toHaveLength(90);
  const plan = solve(later.snapshot, later.pods, later.settings);
  expect([plan.newNodes, plan.unplaced, plan.placements.length]).toEqual([[], [], 90]);
  await world.untilRunning(90);
  expect((await asked()).pods).toEqual([]);
});
