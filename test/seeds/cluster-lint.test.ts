import { afterEach, expect, test } from 'vitest';
import { nodePools } from '../../src/api/karpenter/node-pool.ts';
import { events } from '../../src/api/kubernetes/core.ts';
import { createTestWorld, type TestWorld } from '../world/harness.ts';

let world: TestWorld;
afterEach(() => world.close());

async function lintEvents(): Promise<readonly string[]> {
  const { items } = await world.kube.list(events);
  return items
    .filter(({ reason }) => reason === 'Lint')
    .map(({ involvedObject, message, type }) => `${type} ${involvedObject.name}: ${message}`);
}

const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
const onDemand = {
  key: 'karpenter.sh/capacity-type',
  operator: 'In',
  values: ['on-demand'],
} as const;

test('the controller tells what lint finds on the object, once, and again when it changes', async () => {
  world = await createTestWorld({ isBare: true });
  world.startKarpenter();
  await world.kube.create(nodePools, {
    metadata: { name: 'tiny' },
    spec: {
      template: { spec: { requirements: [onDemand], nodeClassRef } },
      limits: { cpu: '1000m' },
    },
  });
  await world.runFor(120_000);
  expect(await lintEvents()).toEqual([
    expect.stringMatching(
      /^Warning tiny: KTS003: limits\.cpu 1000m is 1 core .*docs\/lint\.md#kts003/,
    ),
  ]);

  const budgets = [{ nodes: '0' }];
  const spec = { limits: { cpu: '1000' }, disruption: { consolidateAfter: '0s', budgets } };
  await world.kube.patch(nodePools, { name: 'tiny' }, { type: 'merge', body: { spec } });
  await world.runFor(120_000);
  expect((await lintEvents()).map((text) => /KTS\d+/.exec(text)?.[0])).toEqual([
    'KTS003',
    'KTS005',
  ]);
});
