import { afterEach, expect, test } from 'vitest';
import { ec2NodeClasses } from '../../src/api/karpenter/ec2-node-class.ts';
import { nodePools } from '../../src/api/karpenter/node-pool.ts';
import { conditionOf } from '../../src/api/resource.ts';
import { labels } from '../../src/core/requirements/well-known.ts';
import { createTestWorld, type TestWorld } from './harness.ts';

let world: TestWorld;

afterEach(() => world.close());

function drifts(): readonly string[] {
  return world.claims().map((claim) => conditionOf(claim, 'Drifted')?.reason ?? 'none');
}

async function changeClass(spec: object): Promise<void> {
  const body = { spec };
  await world.kube.patch(ec2NodeClasses, { name: 'default' }, { type: 'merge', body });
}

test('a claim says that it has drifted as soon as its class asks for another image, and why', async () => {
  world = await createTestWorld();
  await world.applyStoryPools();
  world.startKarpenter();
  await world.applyDeployment('web', 3);
  await world.untilRunning(3);
  await world.runFor(60_000);
  expect(drifts()).toEqual(['none']);
  await changeClass({ amiSelectorTerms: [{ alias: 'al2023@v20261009' }] });
  await world.until('the claim has drifted', () => drifts()[0] === 'AMIDrift', 120_000);
  await changeClass({ amiSelectorTerms: [{ alias: 'al2023@latest' }] });
  await world.until('it has not drifted any more', () => drifts()[0] === 'none', 120_000);
  await changeClass({ userData: 'echo hello' });
  await world.until('its class is another', () => drifts()[0] === 'NodeClassDrift', 120_000);
});

test('a claim says that its pool asks for something else', async () => {
  world = await createTestWorld();
  await world.applyStoryPools();
  world.startKarpenter();
  await world.applyDeployment('web', 3);
  await world.untilRunning(3);
  const name = world.claims()[0]?.metadata.labels?.[labels.nodePool] ?? '';
  const body = { spec: { template: { metadata: { labels: { team: 'web' } } } } };
  await world.kube.patch(nodePools, { name }, { type: 'merge', body });
  await world.until('the claim has drifted', () => drifts()[0] === 'NodePoolDrifted', 120_000);
});
