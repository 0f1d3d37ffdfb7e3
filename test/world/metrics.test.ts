import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
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
