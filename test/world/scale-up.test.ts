import { afterEach, expect, test } from 'vitest';
import { type NodeClaim, nodeClaims } from '../../src/api/karpenter/node-claim.ts';
import { createTestWorld, type TestWorld } from './harness.ts';
import { withPodSpec } from './pod-spec.ts';

let world: TestWorld;
let calls: Map<string, { count: number; refused: number }>;

afterEach(() => world.close());

/** A world whose EC2 refuses what is beyond its real limits; every call to it is counted. */
async function countingWorld(): Promise<void> {
  world = await createTestWorld({ isBare: true, speed: 1 });
  calls = new Map();
  world.meddleAws = async (request, handle) => {
    const action = /^Action=(\w+)/.exec(String(request.body))?.[1] ?? 'other';
    const answer = await handle(request);
    const known = calls.get(action) ?? { count: 0, refused: 0 };
    known.count++;
    if (answer.status === 503) known.refused++;
    calls.set(action, known);
    return answer;
  };
}

/** No two of these pods fit on one node. */
const oneByOne = withPodSpec({
  containers: [
    { name: 'c', image: 'i', ports: [{ containerPort: 80, hostPort: 8080, protocol: 'TCP' }] },
  ],
});

function isGone({ metadata }: NodeClaim): boolean {
  return world.claims().every((claim) => claim.metadata.uid !== metadata.uid);
}

function launched(): number {
  return world.claims().filter((claim) => claim.status?.providerID !== undefined).length;
}

function count(action: string): number {
  return calls.get(action)?.count ?? 0;
}

test('a thousand machines are bought within half a minute, at the real limits of EC2', async () => {
  await countingWorld();
  await world.applyStoryPools();
  world.startKarpenter();
  await world.runFor(5_000);
  await world.applyDeployment('few', 20, oneByOne);
  await world.untilRunning(20);
  const startedMs = world.clock.nowMs();
  await world.applyDeployment('many', 1_000, oneByOne);
  await world.until('half of them are ordered', () => launched() > 500, 120_000);
  // In the middle of it machines must go: that may not wait until all others have come.
  const leaving = world.claims().slice(0, 20);
  for (const { metadata } of leaving) await world.kube.delete(nodeClaims, { name: metadata.name });
  await world.until('all are launched', () => launched() >= 1_000, 120_000);
  const tookMs = world.clock.nowMs() - startedMs;
  await world.until('those that must go are gone', () => leaving.every(isGone), 30_000);
  expect(world.errors).toEqual([]);
  expect([...calls].filter(([, { refused }]) => refused > 0)).toEqual([]);
  expect(tookMs).toBeLessThan(30_000);
  // One call for each would take more than three minutes.
  expect(count('CreateFleet')).toBeLessThan(100);
}, 600_000);
