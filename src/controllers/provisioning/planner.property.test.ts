import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aProvisioner, givenUpPod, roomyNode } from '../../../test/world/bare-provisioner.ts';
import { createSeededRandom } from '../../adapters/system/seeded-random.ts';
import { createVirtualClock } from '../../adapters/system/virtual-clock.ts';
import type { NodeObject, PodObject, PodSpec } from '../../api/kubernetes/core.ts';
import type { KubeObject, ObjectMeta } from '../../api/resource.ts';
import type { Plan } from '../../core/scheduling/plan.ts';
import { aftermathOf } from '../../core/scheduling/refusing/refusal-aftermath.ts';
import { solve } from '../../core/scheduling/solve.ts';
import { integerBelow, type Random } from '../../ports/random.ts';
import type { Informer } from '../../runtime/informer.ts';
import { provision } from './provisioner.ts';
import type { Question } from './refusal-memory.ts';

const zoneKey = 'topology.kubernetes.io/zone';
const near = (app: string) => ({ topologyKey: zoneKey, labelSelector: { matchLabels: { app } } });

/** What pods may depend on, one rule each. */
const wishes: readonly ((random: Random) => Partial<PodSpec>)[] = [
  () => ({}),
  (random) => ({ nodeSelector: { tier: one(random, ['x', 'y']) } }),
  () => ({ volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }] }),
  () => ({
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [near('a')] } },
  }),
  () => ({
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { ...near('a'), namespaceSelector: { matchLabels: { team: 'red' } } },
        ],
      },
    },
  }),
  () => ({
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [near('b')] } },
  }),
  () => ({
    topologySpreadConstraints: [{ ...near('a'), maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }],
  }),
];

function one<T>(random: Random, list: readonly T[]): T {
  return list[integerBelow(random, list.length)] as T;
}

/** A small cluster in which anything may change at any time, told as a server would tell it. */
function aCluster(random: Random) {
  const clock = createVirtualClock(0);
  const parts = aProvisioner(clock);
  const { informers } = parts.context;
  const asked: { question: Question; answer: Plan }[] = [];
  const plan = parts.planner.plan.bind(parts.planner);
  parts.planner.plan = async (question) => {
    const answer = await plan(question);
    asked.push({ question, answer });
    return answer;
  };
  let version = 1;
  const tell = <T extends KubeObject>(informer: Informer<T>, object: T, more?: ObjectMeta): void =>
    informer.apply({
      ...object,
      metadata: {
        uid: object.metadata.name,
        ...object.metadata,
        ...more,
        resourceVersion: String(++version),
      },
    });
  const end = <T extends KubeObject>(informer: Informer<T>, key: string): void => {
    const known = informer.get(key);
    if (known !== undefined)
      tell(informer, known, { ...known.metadata, deletionTimestamp: '2026-01-05T09:00:00Z' });
  };
  const some = (prefix: string): string => `${prefix}-${integerBelow(random, 3)}`;
  const inDefault = (name: string) => ({ name, namespace: 'default' });

  function aNode(name: string): NodeObject {
    const node = roomyNode(name, {
      cpu: one(random, ['1', '2', '4']),
      pods: one(random, ['1', '2', '3']),
    });
    const labels = {
      'kubernetes.io/hostname': name,
      [zoneKey]: one(random, ['a', 'b']),
      ...one(random, [{}, { tier: 'x' }, { tier: 'y' }]),
    };
    const taints = one(random, [[], [], [{ key: 'kept', effect: 'NoSchedule' as const }]]);
    return { ...node, metadata: { ...node.metadata, labels }, spec: { taints } };
  }
  function aPod(name: string, spec: Partial<PodSpec>): PodObject {
    const pod = givenUpPod(name, { cpu: one(random, ['500m', '1', '2']) });
    const labels = { app: one(random, ['a', 'b']) };
    return { ...pod, metadata: { ...pod.metadata, labels }, spec: { ...pod.spec, ...spec } };
  }
  const changes: readonly (() => void)[] = [
    () => tell(informers.nodes, aNode(some('node'))),
    () => end(informers.nodes, some('node')),
    () => tell(informers.pods, aPod(some('bound'), { nodeName: some('node') })),
    () => end(informers.pods, `default/${some('bound')}`),
    () => tell(informers.pods, aPod(some('waiting'), one(random, wishes)(random))),
    () => tell(informers.pods, aPod(some('other'), one(random, wishes)(random))),
    () => end(informers.pods, `default/${some('waiting')}`),
    () =>
      tell(informers.volumeClaims, {
        metadata: inDefault('data'),
        spec: { storageClassName: 'disk' },
      }),
    () =>
      tell(informers.volumeClaims, {
        metadata: inDefault('data'),
        spec: { storageClassName: 'disk', volumeName: 'vol' },
        status: { phase: 'Bound' },
      }),
    () => end(informers.volumeClaims, 'default/data'),
    () =>
      tell(informers.volumes, {
        metadata: { name: 'vol' },
        spec: {
          nodeAffinity: {
            required: {
              nodeSelectorTerms: [
                {
                  matchExpressions: [
                    { key: zoneKey, operator: 'In', values: [one(random, ['a', 'b'])] },
                  ],
                },
              ],
            },
          },
        },
      }),
    () =>
      tell(informers.storageClasses, {
        metadata: { name: 'disk' },
        provisioner: 'ebs.csi.aws.com',
        volumeBindingMode: one(random, ['WaitForFirstConsumer', 'Immediate'] as const),
      }),
    () => end(informers.storageClasses, 'disk'),
    () =>
      tell(informers.namespaces, {
        metadata: { name: 'default', labels: { team: one(random, ['red', 'blue']) } },
      }),
  ];
  return {
    change: () => one(random, changes)(),
    round: async () => {
      const working = provision(parts);
      await clock.runFor(one(random, [1, 1_000, 30_000]));
      await working;
      return asked.at(-1);
    },
  };
}

/** Refused pods that would find a place in the cluster as it stands once the plan is carried out. */
function overlooked({ question, answer }: { question: Question; answer: Plan }): readonly string[] {
  const { snapshot } = aftermathOf(question.snapshot, answer, { minValuesPolicy: 'Strict' });
  return answer.unplaced
    .filter(({ pod }) => solve(snapshot, [pod]).unplaced.length === 0)
    .map(({ pod }) => pod.name);
}

test('whatever changes, no pod stays refused that would find a place', async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(), async (seed) => {
      const random = createSeededRandom(seed);
      const cluster = aCluster(random);
      for (let round = 0; round < 40; round++) {
        for (let count = integerBelow(random, 3); count >= 0; count--) cluster.change();
        await cluster.round();
        // What the first one gave up is free for the second.
        const asked = await cluster.round();
        if (asked === undefined) continue;
        refused += asked.answer.unplaced.length;
        expect([round, overlooked(asked)]).toEqual([round, []]);
      }
    }),
    { numRuns: 25 },
  );
  expect(refused).toBeGreaterThan(500);
});
