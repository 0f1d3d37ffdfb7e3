import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resourceListOf } from '../../src/api/decode/resources.ts';
import { namespaces, nodes, type PodObject, pods } from '../../src/api/kubernetes/core.ts';
import { csiNodes, volumeClaims, volumes } from '../../src/api/kubernetes/volume.ts';
import { conditionOf, type KubeObject, type Resource } from '../../src/api/resource.ts';
import type { Pod } from '../../src/core/cluster/pod.ts';
import type { Node, Snapshot } from '../../src/core/cluster/snapshot.ts';
import { labels } from '../../src/core/requirements/well-known.ts';
import { solve } from '../../src/core/scheduling/solve.ts';
import { sleep } from '../../src/ports/clock.ts';
import { type Case, randomCaseWithAllRules } from '../validator/random-cluster.ts';
import { type JudgingCluster, startJudgingCluster } from './judging-cluster.ts';
import { isWritable, manifestOf } from './pod-manifest.ts';
import { csiNodeOf, volumesOf } from './volume-manifests.ts';

/** Labels in which nodes differ, in turn; undefined takes one away. */
const varieties: readonly Readonly<Record<string, string | undefined>>[] = [
  {},
  { [labels.zone]: undefined },
  { team: undefined, [labels.capacityType]: 'spot' },
  { team: 'blue', [labels.arch]: 'arm64' },
  { level: '5', [labels.capacityType]: 'on-demand' },
  { [labels.zone]: 'c', [labels.arch]: 'amd64' },
];

/** The nodes of the case alone, all of them there: who finds a place there is not left to chance. */
function nodesOf({ snapshot }: Case, index: number): readonly Node[] {
  return snapshot.nodes.map((node, place) => {
    const variety = varieties[(index + place * 5) % varieties.length];
    const own = Object.entries({ ...node.labels, ...variety }).flatMap(([key, value]) =>
      value === undefined ? [] : [[key, value] as const],
    );
    const name = `case-${index}-${place}`;
    return {
      ...node,
      name,
      labels: { ...Object.fromEntries(own), [labels.hostname]: name },
      pods: node.pods.map((pod, index) => withOwnVolumes(pod, `${name}-${index}`)),
      stage: 'initialized',
      isLeaving: false,
      reservedFor: [],
    };
  });
}

/** The pod with volumes that nobody else has. */
function withOwnVolumes(pod: Pod, prefix: string): Pod {
  if (pod.volumes === undefined) return pod;
  const { alternatives, attachments } = pod.volumes;
  const own = Object.entries(attachments).map(
    ([driver, names]) => [driver, names.map((name) => `${prefix}-${name}`)] as const,
  );
  return { ...pod, volumes: { alternatives, attachments: Object.fromEntries(own) } };
}

/** Whether an API server takes it, and it keeps to what we place by. */
function isComparable(pod: Pod): boolean {
  return isWritable(pod) && pod.unsupported.length === 0;
}

/** Spread over hosts counts from nought in our plans: a new node would have none of its pods. */
function isStricterWithUs(pod: Pod): boolean {
  return pod.spread?.some((one) => one.isHard && one.topologyKey === labels.hostname) === true;
}

/** A pod of every workload of the case, one by one; none where the API server would not take them. */
function questionOf(one: Case, index: number): Case & { readonly samples: readonly Pod[] } {
  const all = nodesOf(one, index);
  const samples = one.pods.filter(({ name }) => name.endsWith('-0')).filter(isComparable);
  const isAsked =
    samples.length > 0 && all.length >= 2 && all.every((node) => node.pods.every(isWritable));
  const snapshot: Snapshot = {
    ...one.snapshot,
    nodes: isAsked ? all : [],
    pools: [],
    daemons: [],
  };
  return { snapshot, pods: one.pods, samples: isAsked ? samples : [] };
}

describe('the real kube-scheduler', () => {
  let cluster: JudgingCluster;

  beforeAll(async () => {
    cluster = await startJudgingCluster();
    await create(namespaces, { metadata: { name: 'other', labels: { team: 'x' } } });
  });
  afterAll(() => cluster?.stop());

  /** Creates the object, and answers how to take it away again. */
  async function create<T extends KubeObject>(
    kind: Resource<T>,
    object: T,
  ): Promise<() => Promise<unknown>> {
    await cluster.client.create(kind, object);
    const { name, namespace } = object.metadata;
    return () => cluster.client.delete(kind, { name, namespace }, { gracePeriodSeconds: 0 });
  }

  async function setUp(node: Node): Promise<readonly (() => Promise<unknown>)[]> {
    const amounts = resourceListOf(node.allocatable);
    const conditions = [{ type: 'Ready', status: 'True', reason: 'Judged', message: '' }];
    const status = { capacity: amounts, allocatable: amounts, conditions };
    const metadata = { name: node.name, labels: node.labels };
    const object: KubeObject & { status: object } = { metadata, status };
    const undo = [await create(nodes, { ...object, spec: { taints: node.taints } } as KubeObject)];
    for (const [index, pod] of node.pods.entries()) {
      const name = `${node.name}-${index}`;
      const bound = manifestOf(pod, name);
      const { undo: others, named } = await setUpVolumes(pod, `${name}-of`);
      const spec = { ...bound.spec, nodeName: node.name, volumes: named };
      undo.push(...others, await create(pods, { ...bound, spec }));
    }
    const csiNode = csiNodeOf(node);
    if (csiNode !== undefined) undo.push(await create(csiNodes, csiNode));
    return undo;
  }

  /** The volumes of the pod, and how its manifest names them. */
  async function setUpVolumes(pod: Pod, prefix: string) {
    const undo: (() => Promise<unknown>)[] = [];
    const named: NonNullable<PodObject['spec']['volumes']>[number][] = [];
    for (const { claim, volume } of volumesOf(pod, prefix)) {
      undo.push(await create(volumes, volume), await create(volumeClaims, claim));
      const { name } = claim.metadata;
      named.push({ name, persistentVolumeClaim: { claimName: name } });
    }
    return { undo, named };
  }

  /** Whether it is bound; a pod that we would place is given a moment more to be. */
  async function isBound(pod: Pod, isExpected: boolean, prefix: string): Promise<boolean> {
    const key = { name: `of-${pod.name}`, namespace: pod.namespace };
    const manifest = manifestOf(pod, key.name);
    const { undo, named } = await setUpVolumes(pod, `${prefix}-${pod.name}`);
    const spec = { ...manifest.spec, volumes: named };
    undo.push(await create(pods, { ...manifest, spec }));
    let answer: boolean | undefined;
    for (let tries = 0; tries < 500 && answer === undefined; tries++) {
      const seen = await cluster.client.get(pods, key);
      const why = seen === undefined ? undefined : conditionOf(seen, 'PodScheduled');
      if (seen?.spec.nodeName !== undefined) answer = true;
      else if (why?.reason === 'Unschedulable' && (!isExpected || tries > 50)) answer = false;
      else await sleep(cluster.clock, 10);
    }
    for (const one of undo.reverse()) await one();
    expect(answer, `a word on ${pod.name}`).toBeDefined();
    return answer === true;
  }

  test('binds a pod among random nodes exactly where we would place it', async () => {
    const cases = fc.sample(randomCaseWithAllRules, { numRuns: 400, seed: 1 });
    const bound = { yes: 0, no: 0, withVolumes: 0 };
    for (const [index, one] of cases.entries()) {
      const { snapshot, samples } = questionOf(one, index);
      const undo = (await Promise.all(snapshot.nodes.map(setUp))).flat();
      for (const pod of samples) {
        const isPlaced = solve(snapshot, [pod]).placements.length > 0;
        const isTaken = await isBound(pod, isPlaced, `case-${index}`);
        if (isTaken && isStricterWithUs(pod)) continue;
        expect([index, pod.name, isTaken]).toEqual([index, pod.name, isPlaced]);
        bound[isPlaced ? 'yes' : 'no'] += 1;
        if (pod.volumes !== undefined) bound.withVolumes += 1;
      }
      await Promise.all(undo.reverse().map((one) => one()));
    }
    expect(bound.yes).toBeGreaterThan(50);
    expect(bound.no).toBeGreaterThan(50);
    expect(bound.withVolumes).toBeGreaterThan(20);
  });
});
