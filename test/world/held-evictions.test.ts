import { afterEach, expect, test } from 'vitest';
import { nodeClaims } from '../../src/api/karpenter/node-claim.ts';
import { podDisruptionBudgets, pods } from '../../src/api/kubernetes/core.ts';
import { createTestWorld, type TestWorld } from './harness.ts';

let world: TestWorld;
/** When an eviction was asked for. */
let asked: number[];

afterEach(() => world.close());

const ofWeb = { selector: { matchLabels: { app: 'web' } } };
const none = { maxUnavailable: 0, ...ofWeb };

/** Three pods on a node that is to go, and time for the first refusals. */
async function leavingNode(
  budgets: Readonly<Record<string, { readonly [field: string]: unknown }>>,
): Promise<void> {
  asked = [];
  world = await createTestWorld({ isBare: true, hasFewTypes: true });
  await world.applyPoolOfOneType('pool');
  world.startKarpenter();
  world.meddleKube = (request, handle) => {
    if (request.path.includes('/eviction')) asked.push(world.clock.nowMs());
    return handle(request);
  };
  await world.applyDeployment('web', 3);
  await world.untilRunning(3);
  for (const [name, spec] of Object.entries(budgets)) await world.applyBudget(name, spec);
  await world.runFor(10_000);
  const [claim] = world.claims();
  await world.kube.delete(nodeClaims, { name: claim?.metadata.name ?? '' });
  await world.runFor(60_000);
}

/** So many pods are on their way, or gone, within two seconds. */
async function expectPromptEvictions(count: number): Promise<void> {
  const before = new Set(world.workloadPods().map(({ metadata }) => metadata.uid));
  await world.runFor(2_000);
  const left = world
    .workloadPods()
    .filter(({ metadata }) => before.has(metadata.uid) && metadata.deletionTimestamp === undefined);
  expect(before.size - left.length).toBe(count);
}

test('a pod that its budget holds is not asked for until the budget gives way, and then at once', async () => {
  await leavingNode({ web: none });
  const first = asked.length;
  expect(first).toBeGreaterThanOrEqual(3);
  await world.runFor(1_800_000);
  expect(asked.slice(first)).toEqual([]);

  const body = { spec: { maxUnavailable: 1 } };
  await world.kube.patch(
    podDisruptionBudgets,
    { namespace: 'default', name: 'web' },
    { type: 'merge', body },
  );
  await expectPromptEvictions(1);
  await world.until('the old node is gone', () =>
    world.claims().every(({ metadata }) => metadata.deletionTimestamp === undefined),
  );
  await world.untilRunning(3);
});

test('two budgets on one pod hold it, and once one is gone the other decides', async () => {
  await leavingNode({ one: { maxUnavailable: 3, ...ofWeb }, two: { maxUnavailable: 3, ...ofWeb } });
  const first = asked.length;
  await world.runFor(1_800_000);
  expect(asked.slice(first)).toEqual([]);
  await world.kube.delete(podDisruptionBudgets, { namespace: 'default', name: 'two' });
  await expectPromptEvictions(3);
});

test('a held pod that is taken out of its budget goes at once', async () => {
  await leavingNode({ web: none });
  const [pod] = world.workloadPods();
  await world.kube.patch(
    pods,
    { namespace: 'default', name: pod?.metadata.name ?? '' },
    { type: 'merge', body: { metadata: { labels: { app: 'other' } } } },
  );
  await expectPromptEvictions(1);
});
