import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resourceListOf } from '../../src/api/decode/resources.ts';
import { namespaces, nodes, pods } from '../../src/api/kubernetes/core.ts';
import { conditionOf, type KubeObject, type Resource } from '../../src/api/resource.ts';
import type { Pod } from '../../src/core/cluster/pod.ts';
import type { Node, Snapshot } from '../../src/core/cluster/snapshot.ts';
import { labels } from '../../src/core/requirements/well-known.ts';
import { solve } from '../../src/core/scheduling/solve.ts';
import { sleep } from '../../src/ports/clock.ts';
import { type Case, randomCaseWithAllRules } from '../validator/random-cluster.ts';
import { type JudgingCluster, startJudgingCluster } from './judging-cluster.ts';
import { isWritable, manifestOf } from './pod-manifest.ts';

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
      stage: 'initialized',
      isLeaving: false,
      reservedFor: [],
    };
  });
}

/** Spread over hosts counts from nought in our plans, and volumes need more than a scheduler. */
function isComparable(pod: Pod): boolean {
  const isOverHosts = pod.spread?.some((one) => one.isHard && one.topologyKey === labels.hostname);
  return (
    isWritable(pod) &&
    pod.unsupported.length === 0 &&
    pod.volumes === undefined &&
    isOverHosts !== true
  );
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
      const bound = manifestOf(pod, `${node.name}-${index}`);
      undo.push(await create(pods, { ...bound, spec: { ...bound.spec, nodeName: node.name } }));
    }
    return undo;
  }

  /** Whether it is bound; a pod that we would place is given a moment more to be. */
  async function isBound(pod: Pod, isExpected: boolean): Promise<boolean> {
    const key = { name: `of-${pod.name}`, namespace: pod.namespace };
    const undo = await create(pods, manifestOf(pod, key.name));
    let answer: boolean | undefined;
    for (let tries = 0; tries < 500 && answer === undefined; tries++) {
      const seen = await cluster.client.get(pods, key);
      const why = seen === undefined ? undefined : conditionOf(seen, 'PodScheduled');
      if (seen?.spec.nodeName !== undefined) answer = true;
      else if (why?.reason === 'Unschedulable' && (!isExpected || tries > 50)) answer = false;
      else await sleep(cluster.clock, 10);
    }
    await undo();
    expect(answer, `a word on ${pod.name}`).toBeDefined();
    return answer === true;
  }

  test('binds a pod among random nodes exactly where we would place it', async () => {
    const cases = fc.sample(randomCaseWithAllRules, { numRuns: 400, seed: 1 });
    const bound = { yes: 0, no: 0 };
    for (const [index, one] of cases.entries()) {
      const snapshot: Snapshot = {
        ...one.snapshot,
        nodes: nodesOf(one, index),
        pools: [],
        daemons: [],
      };
      const samples = one.pods.filter(({ name }) => name.endsWith('-0')).filter(isComparable);
      if (!snapshot.nodes.every((node) => node.pods.every(isWritable))) continue;
      if (samples.length === 0 || snapshot.nodes.length < 2) continue;
      const undo = (await Promise.all(snapshot.nodes.map(setUp))).flat();
      for (const pod of samples) {
        const isPlaced = solve(snapshot, [pod]).placements.length > 0;
        expect([index, pod.name, await isBound(pod, isPlaced)]).toEqual([
          index,
          pod.name,
          isPlaced,
        ]);
        bound[isPlaced ? 'yes' : 'no'] += 1;
      }
      await Promise.all(undo.reverse().map((one) => one()));
    }
    expect(bound.yes).toBeGreaterThan(50);
    expect(bound.no).toBeGreaterThan(50);
  });
});
