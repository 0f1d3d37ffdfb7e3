import { afterEach, describe, expect, test } from 'vitest';
import { conditionOf } from '../../src/api/resource.ts';
import { createTestWorld, type TestWorld } from './harness.ts';

let world: TestWorld;

afterEach(() => world.close());

const capacityTypeLabel = 'karpenter.sh/capacity-type';

/** A world with one pool that buys in the given ways, quiet and ready. */
async function worldWithPool(ways: readonly string[]): Promise<void> {
  world = await createTestWorld({ isBare: true });
  await world.applyPool('mixed', (spec) => {
    const { template } = spec;
    const others = template.spec.requirements.filter(({ key }) => key !== capacityTypeLabel);
    const requirements = [
      ...others,
      { key: capacityTypeLabel, operator: 'In' as const, values: [...ways] },
    ];
    return { ...spec, template: { ...template, spec: { ...template.spec, requirements } } };
  });
  world.startKarpenter();
  await world.runFor(30_000);
}

function capacityTypes(): readonly string[] {
  const found = world.nodes().map(({ metadata }) => metadata.labels?.[capacityTypeLabel]);
  return [...new Set(found.map(String))].sort();
}

async function timeToRun(pods: number): Promise<number> {
  const startedMs = world.clock.nowMs();
  await world.applyDeployment('web', pods);
  await world.untilRunning(pods);
  return world.clock.nowMs() - startedMs;
}

test('with all spot empty, a pool of both ways has 100 pods running within five seconds more', async () => {
  await worldWithPool(['spot', 'on-demand']);
  const usualMs = await timeToRun(100);
  expect(capacityTypes()).toEqual(['spot']);
  await world.close();
  await worldWithPool(['spot', 'on-demand']);
  world.aws.market.setShortage({ capacityType: 'spot' });
  expect(await timeToRun(100)).toBeLessThan(usualMs + 5_000);
  expect(capacityTypes()).toEqual(['on-demand']);
  // The orders named spot alone, as promised; they are given up and planned anew, no more than once each.
  const refused = world.sentences('LaunchRefused');
  expect(refused.length).toBeLessThanOrEqual(4);
  expect(refused.filter((sentence) => !/its pods are planned again/.test(sentence))).toEqual([]);
});

describe('a pool of spot alone, while there is none,', () => {
  test('never asks for machines that cost more than on-demand ones would, and goes on asking', async () => {
    await worldWithPool(['spot']);
    world.aws.market.setShortage({ capacityType: 'spot' });
    let calls = 0;
    const prices: number[] = [];
    world.meddleAws = async (request, handle) => {
      const body = String(request.body);
      if (body.startsWith('Action=CreateFleet&')) {
        calls++;
        for (const [, price] of body.matchAll(/Priority=([\d.]+)/g)) prices.push(Number(price));
      }
      return handle(request);
    };
    await world.applyDeployment('web', 3);
    await world.runFor(300_000);
    expect(world.nodes()).toEqual([]);
    // A small machine costs some cents; without the limit the largest are asked for within a minute.
    expect(Math.max(...prices)).toBeLessThan(0.1);
    expect(calls).toBeGreaterThan(20);
    expect(calls).toBeLessThan(150);
    const told = conditionOf(world.claims()[0] ?? {}, 'Launched')?.message ?? '';
    expect(`${told}${world.sentences('LaunchRefused').join()}`).toMatch(
      /the only spot machines left cost more than on-demand ones would/,
    );
    world.aws.market.clearShortage();
    await world.untilRunning(3, 30_000);
  });
});
