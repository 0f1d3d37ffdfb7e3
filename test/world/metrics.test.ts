import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { nodePools } from '../../src/api/karpenter/node-pool.ts';
import { createTestWorld, type TestWorld } from './harness.ts';

let world: TestWorld;

afterEach(() => world.close());

interface Described {
  readonly type: string;
  readonly labels: readonly string[];
}

/** The rows of the manual's tables, which may name several metrics each. */
function documented(): ReadonlyMap<string, Described> {
  const page = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  return new Map(
    rows.flatMap((row) => {
      const [, names = '', type = '', labels = ''] = row.split('|').map((cell) => cell.trim());
      const described = { type, labels: labels.split(', ').filter(Boolean).sort() };
      return [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, described] as const);
    }),
  );
}

/** What a scrape shows of each metric: its type, and the labels of its series where there is one. */
function exposed(text: string): ReadonlyMap<string, Described> {
  const families = new Map<string, { type: string; labels: string[] }>();
  for (const [, name = '', type = ''] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm))
    families.set(name, { type, labels: [] });
  for (const [, series = '', labels = ''] of text.matchAll(/^(\w+)\{(.*)\} /gm)) {
    const family = families.get(series) ?? families.get(series.replace(/_(bucket|sum|count)$/, ''));
    const names = [...labels.matchAll(/(\w+)="/g)].map(([, name = '']) => name);
    if (family !== undefined) family.labels = names.filter((name) => name !== 'le').sort();
  }
  return families;
}

test('the manual has every metric that is exported, with its type and labels, and no other', async () => {
  world = await createTestWorld();
  await world.applyStoryPools();
  world.startKarpenter();
  await world.applyDeployment('web', 3);
  await world.untilRunning(3);
  const manual = documented();
  const scrape = exposed(world.metrics());
  expect(scrape.size).toBeGreaterThan(30);
  expect([...manual.keys()].sort()).toEqual([...scrape.keys()].sort());
  for (const [name, { type, labels }] of scrape) {
    expect([name, manual.get(name)?.type]).toEqual([name, type]);
    if (labels.length > 0) expect([name, manual.get(name)?.labels]).toEqual([name, labels]);
  }
});

const linesWith = (text: string): readonly string[] =>
  world
    .metrics()
    .split('\n')
    .filter((line) => line.includes(text));

test('a limit that was lifted is no longer shown', async () => {
  world = await createTestWorld({ isBare: true });
  await world.applyStoryPools();
  world.startKarpenter();
  await world.runFor(10_000);
  const limits = 'karpenter_nodepools_limit{resource_type=';
  expect(linesWith(limits)).toHaveLength(4);
  const body = { spec: { limits: { memory: null } } };
  await world.kube.patch(nodePools, { name: 'spot-pool' }, { type: 'merge', body });
  await world.runFor(10_000);
  expect(linesWith(limits)).toHaveLength(3);
});

test('of a pool that is gone nothing is shown an hour later, and of one that came back all', async () => {
  world = await createTestWorld({ isBare: true });
  await world.applyStoryPools();
  world.startKarpenter();
  await world.applyDeployment('web', 3);
  await world.untilRunning(3);
  const ofPool = 'nodepool="spot-pool"';
  const counted = [...linesWith(ofPool)].filter((line) => line.includes('_total'));
  expect(counted.length).toBeGreaterThan(1);
  const pool = await world.kube.get(nodePools, { name: 'spot-pool' });
  await world.deleteDeployment('web');
  await world.kube.delete(nodePools, { name: 'spot-pool' });
  await world.untilNothingIsLeft();
  await world.runFor(50 * 60_000);
  expect(linesWith(ofPool).filter((line) => !line.includes('_total'))).toEqual([]);
  expect(linesWith(ofPool)).toEqual(expect.arrayContaining(counted));
  if (pool !== undefined)
    await world.kube.create(nodePools, { metadata: { name: 'spot-pool' }, spec: pool.spec });
  await world.runFor(20 * 60_000);
  expect(linesWith(ofPool)).toEqual(expect.arrayContaining(counted));
  await world.kube.delete(nodePools, { name: 'spot-pool' });
  await world.runFor(61 * 60_000);
  expect(linesWith(ofPool)).toEqual([]);
});
