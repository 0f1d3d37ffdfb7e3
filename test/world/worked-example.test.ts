import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type PodObject, pods } from '../../src/api/kubernetes/core.ts';
import { type DeploymentObject, deployments } from '../../src/api/kubernetes/workload.ts';
import type { KubeObject, NewObject, Resource } from '../../src/api/resource.ts';
import { createTestWorld, type TestWorld } from './harness.ts';

let world: TestWorld;

afterEach(() => world.close());

/** What the manual's example has its readers apply. */
function manifests(): readonly NewObject<KubeObject>[] {
  const manual = readFileSync(new URL('../../docs/scheduling.md', import.meta.url), 'utf8');
  const [, example = ''] = /## A worked example[\s\S]*?<<'EOF'\n([\s\S]*?)\nEOF/.exec(manual) ?? [];
  return parseAllDocuments(example).map((document) => document.toJS());
}

async function applyAll(): Promise<void> {
  for (const { metadata, ...rest } of manifests()) {
    const object = { ...rest, metadata: { namespace: 'default', ...metadata } };
    if (object.kind === 'Deployment') await create(deployments, object as DeploymentObject);
    else await create(pods, object as PodObject);
  }
}

function create<T extends KubeObject>(resource: Resource<T>, object: NewObject<T>): Promise<T> {
  return world.kube.create(resource, object);
}

/** The label of the node that each of the pods runs on. */
function labelOfNodes(app: string, label: string): readonly (string | undefined)[] {
  return world
    .workloadPods()
    .filter(({ metadata }) => metadata.name.startsWith(app))
    .map(({ spec }) => world.nodes().find(({ metadata }) => metadata.name === spec.nodeName))
    .map((node) => node?.metadata.labels?.[label])
    .sort();
}

test('the worked example of the manual comes out as the manual says', async () => {
  world = await createTestWorld();
  await world.applyStoryPools();
  world.startKarpenter();
  await world.runFor(15_000);
  await applyAll();
  await world.untilRunning(7);
  const zones = labelOfNodes('shop', 'topology.kubernetes.io/zone');
  expect([0, 2, 4].map((first) => zones[first] === zones[first + 1])).toEqual([true, true, true]);
  expect(new Set(zones).size).toBe(3);
  expect(new Set(labelOfNodes('shop', 'karpenter.sh/nodepool'))).toEqual(new Set(['spot-pool']));
  expect(labelOfNodes('ledger', 'karpenter.sh/nodepool')).toEqual(['ondemand-pool']);
  expect(labelOfNodes('ledger', 'karpenter.sh/capacity-type')).toEqual(['on-demand']);
  // Two small machines per zone, and one for the ledger alone.
  expect(world.claims()).toHaveLength(7);
  expect(world.sentences('PodRefused')).toEqual([
    expect.stringMatching(/dreamer.*topology\.kubernetes\.io\/zone In \[us-west-2z\]/),
  ]);
  expect(world.sentences('NodeOrdered')[0]).toMatch(
    /^Ordered an? \S+ \S+ in \S+ for \d+ pods? of default\/\S+ at \$[\d.]+\/h from NodePool \S+: the cheapest of \d+ types that hold/,
  );
});
