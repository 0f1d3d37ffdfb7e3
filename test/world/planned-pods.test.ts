import { afterEach, expect, test } from 'vitest';
import { nodeClaims } from '../../src/api/karpenter/node-claim.ts';
import { plannedPodsAnnotation } from '../../src/api/karpenter/planned-pods.ts';
import type { PodSpec } from '../../src/api/kubernetes/core.ts';
import { createTestWorld, type TestWorld } from './harness.ts';
import { withPodSpec } from './pod-spec.ts';

let world: TestWorld | undefined;

afterEach(() => world?.close());

const taint = { key: 'dedicated', value: 'db', effect: 'NoSchedule' } as const;

/** A machine has room for one such pod. */
async function applyLargePod(name: string, more: Pick<PodSpec, 'tolerations'> = {}): Promise<void> {
  const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu: '3' } } }];
  await world?.applyDeployment(name, 1, withPodSpec({ containers, ...more }));
}

/** A pod that would bear either pool, of which the heavier is tainted, and one that bears the open one. */
async function twoPodsOfTwoPools(tainted: string, open: string): Promise<TestWorld> {
  world = await createTestWorld({ isBare: true, hasFewTypes: true });
  await world.applyPoolOfOneType(open);
  await world.applyPool(tainted, (spec) => ({
    ...spec,
    weight: 100,
    template: { ...spec.template, spec: { ...spec.template.spec, taints: [taint] } },
  }));
  world.startKarpenter();
  await applyLargePod('anywhere', { tolerations: [{ key: taint.key, operator: 'Exists' }] });
  await applyLargePod('open');
  return world;
}

/** Two machines are on their way, a tainted one for a pod that would bear either; then a restart. */
test.each([
  ['a-tainted', 'b-open'],
  ['b-tainted', 'a-open'],
])(
  'a plan outlives the process: after a restart nothing is bought again (%s, %s)',
  async (tainted, open) => {
    world = await twoPodsOfTwoPools(tainted, open);
    await world.until('two are launched', () => launched().length === 2);
    world.crash();
    world.startKarpenter();
    await world.untilRunning(2);
    expect(launched()).toHaveLength(2);
    // Only the claim is anybody's order; the Node is there for all.
    const keys = world.nodes().flatMap(({ metadata }) => Object.keys(metadata.annotations ?? {}));
    expect(keys).not.toContain(plannedPodsAnnotation);
  },
);

test('what nobody waits for any more is not bought', async () => {
  world = await createTestWorld({ isBare: true, hasFewTypes: true });
  await world.applyPoolOfOneType('pool');
  world.startKarpenter();
  await world.until('the class is ready', () => world?.sentences('NodeClassReady').length === 1);
  world.aws.market.setRateLimit('CreateFleet', { perSecond: 0, burst: 0 });
  await applyLargePod('short-lived');
  await world.until('it was tried to buy', () => world?.sentences('LaunchRefused').length === 1);
  await world.deleteDeployment('short-lived');
  await world.until('the pod is gone', () => world?.workloadPods().length === 0);
  // Whatever was under way has failed by then.
  await world.runFor(60_000);
  world.aws.market.clearRateLimits();
  await world.untilNothingIsLeft();
  expect(launched()).toEqual([]);
  expect(world.sentences('NodeGivenUp')).toEqual([
    expect.stringMatching(/^Gave up claim pool-\w+: none of its pods waits for it any more\.$/),
  ]);
});

/** Both pods run, their budgets let neither go, and two more machines are on their way for them. */
test.each([
  ['a-tainted', 'b-open'],
  ['b-tainted', 'a-open'],
])(
  'so does a plan for pods that still run on nodes which are leaving (%s, %s)',
  async (tainted, open) => {
    world = await twoPodsOfTwoPools(tainted, open);
    await world.untilRunning(2);
    await world.applyBudget('both', { minAvailable: 2, selector: {} });
    for (const { metadata } of world.claims())
      await world.kube.delete(nodeClaims, { name: metadata.name });
    await world.until('two more are launched', () => launched().length === 4);
    for (let life = 0; life < 2; life++) {
      world.crash();
      world.startKarpenter();
      await world.runFor(120_000);
    }
    expect(launched()).toHaveLength(4);
    expect(await world.cloud.instances()).toHaveLength(4);
  },
);

test('a machine is not kept for a pod that has come to be held where it is for good', async () => {
  world = await createTestWorld({ isBare: true, hasFewTypes: true });
  await world.applyPoolOfOneType('pool');
  world.startKarpenter();
  await applyLargePod('web');
  await world.untilRunning(1);
  await world.applyBudget('one', { minAvailable: 1, selector: {} });
  const [old] = world.claims();
  await world.kube.delete(nodeClaims, { name: old?.metadata.name ?? '' });
  await world.until('one more is launched', () => launched().length === 2);
  await world.runFor(120_000);
  // No pod of two budgets can be evicted at all.
  await world.applyBudget('two', { minAvailable: 1, selector: {} });
  await world.runFor(900_000);
  expect(world.claims().map(({ metadata }) => metadata.name)).toEqual([old?.metadata.name]);
  expect(launched()).toHaveLength(2);
});

function launched(): readonly string[] {
  return world?.sentences('NodeLaunched') ?? [];
}
