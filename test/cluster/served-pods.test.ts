import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { creatorOf, servedPods } from '../../bench/cluster/served-pods.ts';
import { typesFrom } from '../../bench/workloads/types.mjs';
import { families, generate } from '../../bench/workloads.mjs';
import type { PodObject } from '../../src/api/kubernetes/core.ts';
import { conditionOf, keyOf } from '../../src/api/resource.ts';
import { fewEc2Types } from '../judges/agreement-cases.ts';
import { eventually, runProgram } from '../processes.ts';

/** Everything in a list that differs from one cluster to the next; a uid stands only for its own pod. */
const unforeseen = ['resourceVersion', 'creationTimestamp', 'time', 'lastTransitionTime'];

function podsOf(list: string): readonly PodObject[] {
  const { items } = JSON.parse(
    list.replaceAll(/"kube-api-access-\w{5}"/g, '"kube-api-access-"'),
    (key, value: unknown) => (unforeseen.includes(key) ? typeof value : value),
  ) as { readonly items: readonly PodObject[] };
  return items.map(withoutChance).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** Field owners are sorted by the second in which they wrote, and then by name. */
function withoutChance(pod: PodObject): PodObject {
  const { managedFields = [], uid, ...rest } = pod.metadata;
  const owners = managedFields.toSorted((a, b) => ((a.manager ?? '') < (b.manager ?? '') ? -1 : 1));
  return { ...pod, metadata: { ...rest, uid: String(uid?.length), managedFields: owners } };
}

function isLookedAt(pod: PodObject): boolean {
  return pod.spec.nodeName !== undefined || conditionOf(pod, 'PodScheduled') !== undefined;
}

describe('the pods whose JSON.parse the benchmark measures', () => {
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-served-'));
  const runFolder = join(folder, 'run');
  const types = typesFrom(fewEc2Types());
  let binaries: string;

  const kubectl = (...args: string[]): Promise<string> =>
    runProgram([join(binaries, 'kubectl'), ...args], { KUBECONFIG: join(runFolder, 'kubeconfig') });
  const list = (): Promise<string> => kubectl('get', '--raw', '/api/v1/pods');

  beforeAll(async () => {
    binaries = (await runProgram(['scripts/cluster/build', '--where'])).trim();
    // All admission plugins that are on by default; the accounts are made here, since nobody else does.
    await runProgram(['scripts/cluster/up', '--without-controller-manager', runFolder]);
    for (const namespace of ['default', 'kube-system'])
      await kubectl('create', 'serviceaccount', 'default', '--namespace', namespace);
  });
  afterAll(async () => {
    await runProgram(['scripts/cluster/down', '--remove', runFolder]);
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(() =>
    kubectl('delete', 'pods', '--all', '--all-namespaces', '--force', '--grace-period=0'),
  );

  async function create(pods: readonly PodObject[]): Promise<void> {
    for (const creator of new Set(pods.map(creatorOf))) {
      const items = pods.filter((pod) => creatorOf(pod) === creator);
      const file = join(folder, 'pods.json');
      writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
      await kubectl('create', '--filename', file, '--field-manager', creator);
    }
  }

  test.each(Object.keys(families))('are those that a real API server sends, %s', async (family) => {
    const { items } = generate({ family, seed: 1, pods: 60, nodes: 6, types });
    const manifests = items.filter((item) => item.kind === 'Pod').map((item) => item as PodObject);
    await create(manifests);
    await eventually('the scheduler has seen every pod', async () =>
      podsOf(await list()).every(isLookedAt),
    );
    const real = await list();
    const ours = servedPods(manifests);
    expect(podsOf(ours)).toEqual(podsOf(real));
    expect(podsOf(real).length).toBeGreaterThanOrEqual(60);
    expect(JSON.stringify(podsOf(ours)).length).toBe(JSON.stringify(podsOf(real)).length);
    expect(Math.abs(ours.length / real.length - 1)).toBeLessThan(0.01);
  });
});
