import { describe, expect, test } from 'vitest';
import {
  aDaemon,
  aNode,
  aPod,
  aPool,
  aSnapshot,
  aType,
  gibibyte,
  type PodWish,
  type PoolWish,
} from '../../../../test/validator/builders.ts';
import { overZones } from '../../../../test/validator/sample-plans.ts';
import type { Refusal } from '../../explain/reason.ts';
import type { RequirementTerm } from '../../requirements/requirements.ts';
import { labels } from '../../requirements/well-known.ts';
import { solve } from '../solve.ts';

const large = aType({ name: 'm5.large', cpu: 2, memoryGi: 8, onDemandUsd: 0.096 });
const tiny = aType({ name: 't3.nano', cpu: 0.1, memoryGi: 1, onDemandUsd: 0.01 });
const oddlySized = aType({ name: 'm6.odd', cpu: 2, memoryGi: 7777 / 1024, onDemandUsd: 0.1 });
const dry = { ...large, offerings: large.offerings.map((o) => ({ ...o, isAvailable: false })) };

function refusalOf(pod: PodWish, ...pools: readonly PoolWish[]): Refusal {
  const snapshot = aSnapshot({
    pools: pools.map((pool) => aPool({ instanceTypes: [large], ...pool })),
    daemons: [aDaemon({ cpuMillis: 200, hostPorts: [{ ip: '', port: 53, protocol: 'UDP' }] })],
  });
  const { unplaced } = solve(snapshot, [aPod(pod)]);
  const [first] = unplaced;
  if (first === undefined) throw new Error('the pod found a place');
  return first.refusal;
}

const inZone = (zone: string): PodWish => ({
  wants: [[{ key: labels.zone, operator: 'In', values: [zone] }]],
});

const web = { labels: { app: 'web' } };
const besideWeb = { selector: { matchLabels: web.labels }, namespaces: ['default'] };

const bounds = (key: string, above: number, below: number): readonly RequirementTerm[] => [
  { key, operator: 'Gt', values: [String(above)] },
  { key, operator: 'Lt', values: [String(below)] },
];

describe('a refusal names what is in the way and what to change', () => {
  test.each<{ name: string; refusal: () => Refusal; code: string; says: string }>([
    {
      name: 'no pool at all',
      refusal: () => refusalOf({}),
      code: 'no-pools',
      says: 'there is no NodePool to order one from: create one',
    },
    {
      name: 'a pool that is not ready',
      refusal: () => refusalOf({}, { notReady: 'its node class is missing' }),
      code: 'pool-not-ready',
      says: 'NodePool default: nothing can be ordered from it: its node class is missing.',
    },
    {
      name: 'a taint',
      refusal: () =>
        refusalOf({}, { taints: [{ key: 'team', value: 'red', effect: 'NoSchedule' }] }),
      code: 'taint-not-tolerated',
      says: 'NodePool default: the pod does not tolerate its taint team=red:NoSchedule.',
    },
    {
      name: 'a label that the pool rules out',
      refusal: () =>
        refusalOf(inZone('a'), {
          requires: [{ key: labels.zone, operator: 'In', values: ['b', 'c'] }],
        }),
      code: 'labels-do-not-match',
      says: 'the pod wants topology.kubernetes.io/zone In [a], the pool allows In [b, c]',
    },
    {
      name: 'a label that the pool does not know',
      refusal: () => refusalOf({ wants: [[{ key: 'team', operator: 'In', values: ['red'] }]] }, {}),
      code: 'labels-do-not-match',
      says: "team In [red], a label that the pool does not define: add it to the pool's",
    },
    {
      name: 'a spread over a label that the pool does not know',
      refusal: () => refusalOf({ ...web, spread: [{ ...overZones, topologyKey: 'rack' }] }, {}),
      code: 'spread-not-kept',
      says: "the pod is to be spread over rack, a label that the pool does not define: add it to the pool's",
    },
    {
      name: 'an affinity over a label that the pool does not know',
      refusal: () => refusalOf({ ...web, affinity: [{ ...besideWeb, topologyKey: 'rack' }] }, {}),
      code: 'affinity-not-met',
      says: 'the pod must be with others in one rack, a label that the pool does not define',
    },
    {
      name: 'a bound, as the pod writes it',
      refusal: () => refusalOf({ wants: [[{ key: 'gen', operator: 'Gt', values: ['1000'] }]] }, {}),
      code: 'labels-do-not-match',
      says: 'the pod wants gen Gt [1000], a label that the pool does not define',
    },
    {
      name: 'bounds of the pool between which there is no number, on a label that the pod leaves open',
      refusal: () => refusalOf({}, { requires: bounds('gen', 4, 5) }),
      code: 'labels-do-not-match',
      says: 'its own requirements on gen leave no value that a node could have: widen one of them',
    },
    {
      name: 'bounds of the pool without a number, on a label that the cloud fills in',
      refusal: () => refusalOf({}, { requires: bounds('karpenter.k8s.aws/instance-cpu', 4, 5) }),
      code: 'labels-do-not-match',
      says: 'its own requirements on karpenter.k8s.aws/instance-cpu leave no value',
    },
    {
      name: 'the only number that the bounds of the pool leave, which the pod excludes',
      refusal: () =>
        refusalOf(
          { wants: [[{ key: 'gen', operator: 'NotIn', values: ['4'] }]] },
          { requires: bounds('gen', 3, 5) },
        ),
      code: 'labels-do-not-match',
      says: 'the pod wants gen NotIn [4], the pool allows Gte [4] and Lte [4]',
    },
    {
      name: 'a label that no type has',
      refusal: () => refusalOf(inZone('z'), {}),
      code: 'labels-do-not-match',
      says: 'none of its instance types (1) meets topology.kubernetes.io/zone In [z]',
    },
    {
      name: 'a size that no type has',
      refusal: () => refusalOf({ cpuMillis: 1900 }, {}),
      code: 'too-large',
      says: 'the pod asks for 1.9 cores; its largest type in question, m5.large, leaves 1.8 cores',
    },
    {
      name: 'more memory than a type has that is not a round one, in one unit',
      refusal: () => refusalOf({ memoryGi: 10 }, { instanceTypes: [oddlySized] }),
      code: 'too-large',
      says: 'the pod asks for 10240 Mi of memory; its largest type in question, m6.odd, leaves 7777 Mi',
    },
    {
      name: 'daemons that leave no room on any type, for a pod that asks for none',
      refusal: () => refusalOf({}, { instanceTypes: [tiny] }),
      code: 'too-large',
      says:
        'NodePool default: the daemons of its nodes alone ask for 0.2 cores; its largest type in ' +
        'question, t3.nano, has 0.1 cores.',
    },
    {
      name: 'a port of a daemon',
      refusal: () => refusalOf({ hostPorts: [{ ip: '', port: 53, protocol: 'UDP' }] }, {}),
      code: 'host-port-taken',
      says: 'a daemon of its nodes uses the host port',
    },
    {
      name: 'capacity that the cloud does not have',
      refusal: () => refusalOf({}, { instanceTypes: [dry] }),
      code: 'no-capacity-offered',
      says: 'the cloud has none of the instance types (1) that would hold the pod just now',
    },
    {
      name: 'a limit',
      refusal: () => refusalOf({ cpuMillis: 500 }, { limits: { cpu: 1000 } }),
      code: 'limit-reached',
      says:
        'limit cpu 1 is used up to 0; the pod asks for 0.5 cores and the smallest node for it adds 2: ' +
        'raise spec.limits.cpu (cpu 1000m means one core)',
    },
    {
      name: 'a number of nodes',
      refusal: () => refusalOf({}, { limits: { nodes: 0 } }),
      code: 'limit-reached',
      says: 'limit nodes 0 is used up to 0 and the smallest node for it adds 1: raise spec.limits.nodes',
    },
    {
      name: 'a constraint that is not supported',
      refusal: () => refusalOf({ unsupported: ['required podAffinity over zone'] }, {}),
      code: 'unsupported-constraint',
      says: 'it uses required podAffinity over zone, which is not supported',
    },
    {
      name: 'a manifest that cannot be read',
      refusal: () =>
        refusalOf({ invalid: ['container a: request cpu: "x" is not a quantity'] }, {}),
      code: 'invalid-pod',
      says: 'container a: request cpu: "x" is not a quantity',
    },
  ])('$name', ({ refusal, code, says }) => {
    expect(refusal().code).toBe(code);
    expect(refusal().sentence).toContain(says);
  });

  test('every pool is told, and unlike reasons have no single code', () => {
    const refusal = refusalOf(
      {},
      { name: 'a', notReady: 'x' },
      { name: 'b', limits: { nodes: 0 } },
    );
    expect(refusal.code).toBe('no-single-reason');
    expect(refusal.parts.map((part) => [part.subject.name, part.code])).toEqual([
      ['a', 'pool-not-ready'],
      ['b', 'limit-reached'],
    ]);
  });
});

test('of many pools those are told first that would take the pod but for one thing', () => {
  const others = ['a', 'b', 'c'].map((name) => ({
    name,
    weight: 50,
    taints: [{ key: 'team', effect: 'NoSchedule' as const }],
  }));
  const { sentence } = refusalOf({ cpuMillis: 1500 }, ...others, {
    name: 'mine',
    limits: { cpu: 1000 },
  });
  expect(sentence).toMatch(/^NodePool mine: /);
  expect(sentence).toContain('1 more NodePool.');
});

describe('a refusal tells how the choice shrank, what came closest and what would help', () => {
  const huge = aType({ name: 'm5.huge', cpu: 8, memoryGi: 32, onDemandUsd: 0.4, zones: ['b'] });
  const arm = aType({ name: 'm6g.large', cpu: 2, memoryGi: 8, onDemandUsd: 0.08, arch: 'arm64' });

  test('rule by rule, in a fixed order', () => {
    const refusal = refusalOf(
      { cpuMillis: 4000, wants: [[{ key: labels.arch, operator: 'In', values: ['amd64'] }]] },
      {
        instanceTypes: [large, huge, arm],
        requires: [{ key: labels.zone, operator: 'In', values: ['a'] }],
      },
    );
    expect(refusal.parts[0]?.funnel).toEqual({
      of: 'instance types',
      considered: 3,
      offerings: 7,
      steps: [
        {
          constraint: 'pool-requirements',
          key: labels.zone,
          removed: 1,
          left: 2,
          offeringsLeft: 2,
        },
        { constraint: 'node-labels', key: labels.arch, removed: 1, left: 1, offeringsLeft: 1 },
        { constraint: 'size', key: 'cpu', removed: 1, left: 0, offeringsLeft: 0 },
      ],
      nearest: { name: 'm5.huge, on-demand in b', lacks: ['the pool does not allow zone b'] },
    });
    expect(refusal.remedies?.map(({ sentence }) => sentence)).toEqual([
      'allow zone b in NodePool default',
      "lower the pod's cpu request from 4 cores to 1.8 cores",
    ]);
  });

  test.each<{ name: string; pod: PodWish; pool: PoolWish; helps: string }>([
    {
      name: 'a limit in the units that people use',
      pod: { memoryGi: 1 },
      pool: { limits: { memory: 6 * gibibyte } },
      helps: 'raise the memory limit of NodePool default by 2 Gi (to 8 Gi)',
    },
    {
      name: 'a little less of a request',
      pod: { cpuMillis: 1900 },
      pool: {},
      helps: "lower the pod's cpu request from 1.9 cores to 1.8 cores",
    },
    {
      name: 'a toleration',
      pod: {},
      pool: { taints: [{ key: 'team', value: 'red', effect: 'NoSchedule' }] },
      helps: 'let the pod tolerate team=red:NoSchedule',
    },
    {
      name: 'a label of the pool',
      pod: { wants: [[{ key: 'team', operator: 'In', values: ['red'] }]] },
      pool: {},
      helps: 'give NodePool default the label team=red',
    },
    {
      name: 'fewer values',
      pod: {},
      pool: { minValues: new Map([[labels.instanceType, 2]]) },
      helps: `lower minValues of ${labels.instanceType} in NodePool default from 2 to 1`,
    },
    {
      name: 'another port',
      pod: { hostPorts: [{ ip: '', port: 53, protocol: 'UDP' }] },
      pool: {},
      helps: 'give the pod another host port than 53/UDP',
    },
  ])('$name', ({ pod, pool, helps }) => {
    expect(refusalOf(pod, pool).remedies?.[0]?.sentence).toBe(helps);
  });

  test('nothing is suggested where only waiting helps', () => {
    expect(refusalOf({}, { instanceTypes: [dry] }).remedies).toEqual([]);
  });

  test('nodes that exist are told of too, and which lacks least', () => {
    const nodes = [
      aNode({ name: 'full', pods: [aPod({ name: 'old', cpuMillis: 3500 })] }),
      aNode({ name: 'tainted', taints: [{ key: 'team', effect: 'NoSchedule' }] }),
    ];
    const [first] = solve(aSnapshot({ nodes }), [aPod({ cpuMillis: 600 })]).unplaced;
    expect(first?.refusal.nodes).toEqual({
      of: 'nodes',
      considered: 2,
      steps: [
        { constraint: 'taints', removed: 1, left: 1 },
        { constraint: 'size', key: 'cpu', removed: 1, left: 0 },
      ],
      nearest: { name: 'tainted', lacks: ['the taint team:NoSchedule is not tolerated'] },
    });
    expect(first?.refusal.remedies?.map(({ sentence }) => sentence)).toEqual([
      "lower the pod's cpu request from 0.6 cores to 0.5 cores",
      'let the pod tolerate team:NoSchedule',
    ]);
  });

  test('what the plan itself uses up counts', () => {
    const pool = aPool({ instanceTypes: [large], limits: { cpu: 2000 } });
    const { unplaced } = solve(aSnapshot({ pools: [pool] }), [
      aPod({ name: 'one', cpuMillis: 1500 }),
      aPod({ name: 'two', cpuMillis: 1200 }),
    ]);
    expect(unplaced.map(({ refusal }) => refusal.remedies?.[0]?.sentence)).toEqual([
      'raise the cpu limit of NodePool default by 2 cores (to 4 cores)',
    ]);
  });

  test('it is written out as a plain value', () => {
    const refusal = refusalOf({ cpuMillis: 1900 }, {});
    expect(JSON.parse(JSON.stringify(refusal))).toMatchObject({
      code: 'too-large',
      remedies: [{ changes: [{ kind: 'lower-request', resource: 'cpu', from: 1900, to: 1800 }] }],
    });
  });
});
