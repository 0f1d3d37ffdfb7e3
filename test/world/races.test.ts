import { afterEach, expect, test } from 'vitest';
import { createSeededRandom } from '../../src/adapters/system/seeded-random.ts';
import { pods } from '../../src/api/kubernetes/core.ts';
import { parseAmount } from '../../src/core/quantity/quantity.ts';
import { sleep } from '../../src/ports/clock.ts';
import { integerBelow, type Random } from '../../src/ports/random.ts';
import { createTestWorld, type Meddler, type TestWorld } from './harness.ts';
import { withPodSpec } from './pod-spec.ts';

let world: TestWorld;

afterEach(() => world.close());

const cpuMillis = 600;
const racesPerWorld = 20;

/**
 * Equal pods and one type of machine: so many pods need exactly so many machines, whoever is
 * faster. Any other count is one machine too many, or pods without a place.
 */
async function applyPool(): Promise<void> {
  await world.applyPoolOfOneType('one');
}

async function applyPods(name: string, replicas: number): Promise<void> {
  const resources = { requests: { cpu: `${cpuMillis}m` } };
  const containers = [{ name: 'main', image: 'x', resources }];
  await world.applyDeployment(name, replicas, withPodSpec({ containers }));
}

/** Every request of Karpenter, and every word of its watches, comes late by chance. */
function latecomer(random: Random, longestMs: number): Meddler {
  return async (request, handle) => {
    await sleep(world.clock, integerBelow(random, longestMs));
    const answer = await handle(request);
    if (typeof answer.body === 'string') return answer;
    return { ...answer, body: late(answer.body, random, longestMs) };
  };
}

async function* late(
  body: AsyncIterable<string>,
  random: Random,
  longestMs: number,
): AsyncIterable<string> {
  for await (const piece of body) {
    if (integerBelow(random, 3) === 0) await sleep(world.clock, integerBelow(random, longestMs));
    yield piece;
  }
}

/** Pods come in several bursts, and now and then one of those that wait is replaced. */
async function race(random: Random, name: string): Promise<number> {
  world.meddleKube = latecomer(random, 50 + integerBelow(random, 1_500));
  let count = 0;
  for (let burst = 0; burst <= integerBelow(random, 3); burst++) {
    const replicas = 1 + integerBelow(random, 7);
    count += replicas;
    await applyPods(`${name}-${burst}`, replicas);
    await world.runFor(integerBelow(random, 15_000));
    if (integerBelow(random, 3) === 0) await replaceOne(random);
  }
  return count;
}

async function replaceOne(random: Random): Promise<void> {
  const waiting = world.workloadPods().filter((pod) => pod.status?.phase === 'Pending');
  const pod = waiting[integerBelow(random, Math.max(1, waiting.length))];
  if (pod === undefined) return;
  const { namespace, name } = pod.metadata;
  await world.kube.delete(pods, { namespace, name }, { gracePeriodSeconds: 0 });
}

function podsPerNode(): number {
  const [node] = world.nodes();
  const cpu = parseAmount('cpu', node?.status?.allocatable?.cpu ?? '0');
  return typeof cpu === 'number' ? Math.floor(cpu / cpuMillis) : 0;
}

test.each([1, 2, 3, 4, 5])(
  'scheduler, kubelets and we race for places, and no machine is bought too many (seed %i)',
  async (seed) => {
    const random = createSeededRandom(seed);
    world = await createTestWorld({
      seed,
      isBare: true,
      hasFewTypes: true,
      speed: 1 + integerBelow(random, 10),
    });
    await applyPool();
    world.startKarpenter();
    let total = 0;
    for (let round = 0; round < racesPerWorld; round++) {
      total += await race(random, `race-${round}`);
      await world.untilRunning(total);
      await world.runFor(integerBelow(random, 30_000));
      const needed = Math.ceil(total / podsPerNode());
      expect(await world.cloud.instancesEver(), `after race ${round}`).toBe(needed);
    }
  },
  240_000,
);
