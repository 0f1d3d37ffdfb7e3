import { afterEach, expect, test } from 'vitest';
import { decodeResources } from '../../src/api/decode/resources.ts';
import { labels } from '../../src/core/requirements/well-known.ts';
import { createTestWorld, type TestWorld } from './harness.ts';

let world: TestWorld;

afterEach(() => world.close());

const memoryOf = (list: Parameters<typeof decodeResources>[0]): number =>
  decodeResources(list, 'memory').resources.memory ?? 0;

/** By claim: the memory that was expected of its machine, and the memory that its Node has. */
function memoryByClaim(): ReadonlyMap<
  string,
  { readonly expected: number; readonly real: number }
> {
  const nodes = new Map(world.nodes().map((node) => [node.metadata.name, node]));
  return new Map(
    world.claims().map(({ metadata, status }) => {
      const node = nodes.get(status?.nodeName ?? '');
      const expected = memoryOf(status?.capacity);
      return [metadata.name, { expected, real: memoryOf(node?.status?.capacity) }];
    }),
  );
}

test('what nodes have shown of their memory is expected of later machines, even after a restart', async () => {
  world = await createTestWorld();
  await world.applyPool('one-type', (spec) => ({
    ...spec,
    template: {
      ...spec.template,
      spec: {
        ...spec.template.spec,
        requirements: [{ key: labels.instanceType, operator: 'In', values: ['m5.large'] }],
      },
    },
  }));
  world.startKarpenter();
  await world.applyDeployment('first', 25);
  await world.untilRunning(25);
  const first = memoryByClaim();
  expect(first.size).toBeGreaterThan(0);
  for (const { expected, real } of first.values()) expect(expected).toBeLessThan(real);
  world.crash();
  world.startKarpenter();
  await world.runFor(5_000);
  await world.applyDeployment('second', 25);
  await world.untilRunning(50);
  const later = [...memoryByClaim()].filter(([name]) => !first.has(name));
  expect(later.length).toBeGreaterThan(0);
  for (const [, { expected, real }] of later) expect(expected).toBe(real);
});
