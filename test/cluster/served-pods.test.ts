import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { creatorOf, servedPods } from '../../bench/cluster/served-pods.ts';
import { typesFrom } from '../../bench/workloads/types.mjs';
import { families, generate } from '../../bench/workloads.mjs';
import { loadKubeconfig } from '../../src/adapters/kube/kubeconfig.ts';
import { createTransport, type Transport } from '../../src/adapters/kube/transport.ts';
import { createSystemClock } from '../../src/adapters/system/system-clock.ts';
import type { PodObject } from '../../src/api/kubernetes/core.ts';
import { conditionOf, keyOf } from '../../src/api/resource.ts';
import { readBody } from '../../src/ports/http.ts';
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
  let transport: Transport;

  async function ask(method: string, path: string, body?: object): Promise<string> {
    const headers = { accept: 'application/json', 'content-type': 'application/json' };
    const request = { method, path: `/api/v1${path}`, headers };
    const answer = await transport(body ? { ...request, body: JSON.stringify(body) } : request);
    const text = await readBody(answer);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${text}`);
    return text;
  }
  const pathOf = ({ metadata: { namespace = '' } }: PodObject): string =>
    `/namespaces/${namespace}/pods`;
  const create = (pod: PodObject): Promise<string> =>
    ask('POST', `${pathOf(pod)}?fieldManager=${creatorOf(pod)}`, pod);

  beforeAll(async () => {
    // All admission plugins that are on by default; the accounts are made here, since nobody else does.
    await runProgram(['scripts/cluster/up', '--without-controller-manager', runFolder]);
    const path = join(runFolder, 'kubeconfig');
    transport = createTransport(loadKubeconfig({ path, env: process.env }), createSystemClock());
    for (const namespace of ['default', 'kube-system'])
      await ask('POST', `/namespaces/${namespace}/serviceaccounts`, {
        metadata: { name: 'default' },
      });
  });
  afterAll(async () => {
    transport?.close();
    await runProgram(['scripts/cluster/down', '--remove', runFolder]);
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    for (const namespace of ['default', 'kube-system'])
      await ask('DELETE', `/namespaces/${namespace}/pods?gracePeriodSeconds=0`);
  });

  test.each(Object.keys(families))('are those that a real API server sends, %s', async (family) => {
    const { items } = generate({ family, seed: 1, pods: 60, nodes: 6, types });
    const manifests = items.filter((item) => item.kind === 'Pod').map((item) => item as PodObject);
    await Promise.all(manifests.map(create));
    await eventually('the scheduler has seen every pod', async () =>
      podsOf(await ask('GET', '/pods')).every(isLookedAt),
    );
    const real = await ask('GET', '/pods');
    const ours = servedPods(manifests);
    expect(podsOf(ours)).toEqual(podsOf(real));
    expect(podsOf(real)).toHaveLength(manifests.length);
    expect(JSON.stringify(podsOf(ours))).toHaveLength(JSON.stringify(podsOf(real)).length);
    expect(Math.abs(ours.length / real.length - 1)).toBeLessThan(0.01);
  });
});
