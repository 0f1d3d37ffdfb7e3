import { describe, expect, test } from 'vitest';
import {
  aDaemon,
  aNode,
  anOffering,
  aPod,
  aPool,
  aSnapshot,
  aType,
  type PodWish,
  pods,
} from '../../../test/validator/builders.ts';
import { validatePlan } from '../../../test/validator/validate-plan.ts';
import type { Pod, PodTerm, SpreadConstraint } from '../cluster/pod.ts';
import type { Node, Snapshot } from '../cluster/snapshot.ts';
import { requirementsOf } from '../requirements/requirements.ts';
import { labels } from '../requirements/well-known.ts';
import type { Plan } from './plan.ts';
import { solve, solving } from './solve.ts';

const large = aType({ name: 'm5.large', cpu: 2, memoryGi: 8, onDemandUsd: 0.1, spotUsd: 0.04 });
const giant = aType({ name: 'm5.4xlarge', cpu: 16, memoryGi: 64, onDemandUsd: 0.8, spotUsd: 0.3 });
const snapshot = aSnapshot({ pools: [aPool({ instanceTypes: [large, giant] })] });
const app = (name: string): Pick<PodWish, 'name' | 'labels'> => ({ name, labels: { app: name } });
const ofApp = (name: string) => ({ matchLabels: { app: name } });

function solved(waiting: readonly Pod[], at: Snapshot = snapshot): Plan {
  const plan = solve(at, waiting);
  expect(validatePlan(at, waiting, plan)).toEqual([]);
  return plan;
}

function spread(topologyKey: string, wish: Partial<SpreadConstraint> = {}): SpreadConstraint {
  return {
    topologyKey,
    maxSkew: 1,
    isHard: true,
    selector: ofApp('web'),
    honorsNodeAffinity: true,
    honorsTaints: false,
    ...wish,
  };
}

function near(topologyKey: string, name: string): PodTerm {
  return { topologyKey, selector: ofApp(name), namespaces: ['default'] };
}

/** How many pods each value of the label gets, counted by what the plan means to buy. */
function perZone(plan: Plan): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { cheapest, pods: own } of plan.newNodes)
    counts[cheapest.zone] = (counts[cheapest.zone] ?? 0) + own.length;
  return counts;
}

describe('spread', () => {
  test('over zones gives every zone its share', () => {
    const plan = solved(pods(9, { ...app('web'), cpuMillis: 500, spread: [spread(labels.zone)] }));
    expect(perZone(plan)).toEqual({ a: 3, b: 3, c: 3 });
  });

  test('counts pods that are there already', () => {
    const node = aNode({
      labels: { [labels.zone]: 'a' },
      allocatable: {},
      pods: pods(3, { ...app('web'), nodeName: 'node' }).map((pod) => ({
        ...pod,
        uid: `old-${pod.uid}`,
      })),
    });
    const waiting = pods(3, { ...app('web'), spread: [spread(labels.zone)] });
    const plan = solved(waiting, { ...snapshot, nodes: [node] });
    expect(perZone(plan)).toEqual({ b: 2, c: 1 });
  });

  describe('beside a node that leaves', () => {
    const old = pods(3, { ...app('web'), nodeName: 'leaving', doNotDisrupt: true }).map((pod) => ({
      ...pod,
      uid: `old-${pod.uid}`,
    }));
    const leaving = (zone: string, own: readonly Pod[]): Node =>
      aNode({
        name: 'leaving',
        labels: { [labels.zone]: zone },
        taints: [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }],
        isLeaving: true,
        pods: own,
      });
    const waiting = (count: number, wish: Partial<SpreadConstraint> = {}): readonly Pod[] =>
      pods(count, { ...app('web'), spread: [spread(labels.zone, wish)] });

    test('counts the pods that are held there', () => {
      const at = { ...snapshot, nodes: [leaving('a', old)] };
      expect(perZone(solved(waiting(3), at))).toEqual({ b: 2, c: 1 });
    });

    test('counts the pods that move only where they go', () => {
      const at = { ...snapshot, nodes: [leaving('a', old)] };
      expect(perZone(solved([...waiting(3), ...old], at))).toEqual({ a: 2, b: 2, c: 2 });
    });

    test('passes it by where taints are honoured', () => {
      const at = { ...snapshot, nodes: [leaving('a', old)] };
      const plan = solved(waiting(3, { honorsTaints: true }), at);
      expect(perZone(plan)).toEqual({ a: 1, b: 1, c: 1 });
    });

    test('takes its zone for empty, though nobody can go there, as long as it is held', () => {
      const [guest] = pods(1, { ...app('other'), nodeName: 'leaving', doNotDisrupt: true });
      const held = guest === undefined ? [] : [{ ...guest, uid: 'guest' }];
      const at = { ...snapshot, nodes: [leaving('gone', held)] };
      const plan = solved(waiting(4), at);
      expect(perZone(plan)).toEqual({ a: 1, b: 1, c: 1 });
      expect(plan.unplaced).toHaveLength(1);
      expect(solved([...waiting(4), ...held], at).unplaced).toEqual([]);
      const daemon = aDaemon({ uid: 'daemon', nodeName: 'leaving' });
      const soonGone = { ...snapshot, nodes: [leaving('gone', [daemon])] };
      expect(solved(waiting(4), soonGone).unplaced).toEqual([]);
    });
  });

  test('over hosts puts at most the allowed number on a node', () => {
    const constraint = spread(labels.hostname, { maxSkew: 2 });
    const plan = solved(pods(7, { ...app('web'), spread: [constraint] }));
    expect(plan.newNodes.map((node) => node.pods.length).sort()).toEqual([1, 2, 2, 2]);
  });

  test('over more domains than there are places holds every domain at the skew', () => {
    const constraint = spread(labels.zone, { minDomains: 5 });
    const plan = solved(pods(6, { ...app('web'), spread: [constraint] }));
    expect(perZone(plan)).toEqual({ a: 1, b: 1, c: 1 });
    expect(plan.unplaced).toHaveLength(3);
  });

  test('over kinds of capacity alternates between them', () => {
    const plan = solved(pods(4, { ...app('web'), spread: [spread(labels.capacityType)] }));
    const kinds = plan.newNodes.flatMap(({ cheapest, pods: own }) =>
      own.map(() => cheapest.capacityType),
    );
    expect(kinds.sort()).toEqual(['on-demand', 'on-demand', 'spot', 'spot']);
  });

  test('over a label that nothing defines leaves the pod waiting, unless it is a mere wish', () => {
    const hard = pods(1, { ...app('web'), spread: [spread('rack')] });
    expect(solved(hard).unplaced).toHaveLength(1);
    const soft = pods(1, { ...app('web'), spread: [spread('rack', { isHard: false })] });
    expect(solved(soft).unplaced).toHaveLength(0);
  });
});

describe('affinity', () => {
  test('to pods of its own kind puts all of them in one zone', () => {
    const plan = solved(pods(6, { ...app('web'), affinity: [near(labels.zone, 'web')] }));
    expect(Object.values(perZone(plan))).toEqual([6]);
  });

  test('to others follows them, whichever comes first', () => {
    const inB = [{ key: labels.zone, operator: 'In' as const, values: ['b'] }];
    const waiting = [
      ...pods(2, { ...app('follower'), cpuMillis: 1000, affinity: [near(labels.zone, 'leader')] }),
      ...pods(1, { ...app('leader'), wants: [inB] }),
    ];
    expect(perZone(solved(waiting))).toEqual({ b: 3 });
  });

  test('to nobody leaves the pod waiting', () => {
    const plan = solved(pods(1, { ...app('web'), affinity: [near(labels.zone, 'nobody')] }));
    expect(plan.unplaced).toHaveLength(1);
  });

  describe('over a label of the user’s own, with company on nodes that are there', () => {
    const rack = [{ key: 'rack', operator: 'In' as const, values: ['one', 'two'] }];
    const pools = [aPool({ instanceTypes: [large], requires: rack })];
    const placedBeside = (wish: Partial<Node>, ...keys: string[]): number => {
      const old = pods(1, { ...app('web'), name: 'old' });
      const nodes = [aNode({ allocatable: {}, pods: old, ...wish })];
      const affinity = keys.map((key) => near(key, 'web'));
      const waiting = pods(2, { ...app('web'), affinity });
      return solved(waiting, aSnapshot({ pools, nodes })).newNodes.flatMap((n) => n.pods).length;
    };

    test('that lack the label, the pod is the first of its kind', () => {
      expect(placedBeside({}, 'rack')).toBe(2);
    });

    test('that have another of its labels, it is not', () => {
      const inZone = { labels: { [labels.zone]: 'a' } };
      expect(placedBeside(inZone, 'rack', labels.zone)).toBe(0);
    });

    test('that have not joined, it waits for what their labels will be', () => {
      expect(placedBeside({ stage: 'launched' }, 'rack')).toBe(0);
    });
  });

  test('waits for company whose zone stays open for the sake of minValues', () => {
    const inA = aType({ name: 'm5.large', cpu: 2, memoryGi: 8, zones: ['a'], onDemandUsd: 0.1 });
    const inB = aType({ name: 'c5.large', cpu: 2, memoryGi: 4, zones: ['b'], onDemandUsd: 0.1 });
    const minValues = new Map([['karpenter.k8s.aws/instance-family', 2]]);
    const tier = { key: 'tier', effect: 'NoSchedule' as const };
    const varied = aPool({ instanceTypes: [inA, inB], minValues });
    const other = aPool({ name: 'other', instanceTypes: [inA, inB], taints: [tier] });
    const waiting = [
      ...pods(1, { ...app('db'), cpuMillis: 1500 }),
      ...pods(1, { ...app('web'), affinity: [near(labels.zone, 'db')] }).map((pod) => ({
        ...pod,
        tolerations: [{ key: 'tier', operator: 'Exists' as const }],
      })),
    ];
    const plan = solved(waiting, aSnapshot({ pools: [varied, other] }));
    expect(plan.newNodes.flatMap((node) => node.pods.map(({ name }) => name))).toEqual(['db-0']);
    expect(plan.unplaced).toHaveLength(1);
  });

  test('over hosts puts all on one node that has room for all', () => {
    const waiting = pods(6, {
      ...app('web'),
      cpuMillis: 2000,
      affinity: [near(labels.hostname, 'web')],
    });
    const plan = solved(waiting);
    expect(plan.newNodes.map((node) => node.pods.length)).toEqual([6]);
  });

  test('over zones makes nobody the first of its kind where others of it go elsewhere', () => {
    const type = aType({ name: 'm.large', cpu: 2, memoryGi: 8, zones: ['b'], onDemandUsd: 1 });
    const allocatable = { cpu: 500, memory: 2 ** 33, pods: 10 };
    const nodes = [aNode({ allocatable, labels: { [labels.zone]: 'a' } })];
    const at = aSnapshot({ nodes, pools: [aPool({ instanceTypes: [type] })] });
    const waiting = [
      aPod({
        ...app('web'),
        name: 'large',
        cpuMillis: 1_000,
        affinity: [near(labels.zone, 'web')],
      }),
      aPod({ ...app('web'), name: 'small', cpuMillis: 100 }),
    ];
    const plan = solved(waiting, at);
    // The small one is there long before the large one has a machine, which would be in zone b.
    expect(plan.placements.map(({ pod }) => pod.name)).toEqual(['small']);
    expect(plan.unplaced.map(({ pod }) => pod.name)).toEqual(['large']);
  });

  test('over hosts keeps a pod from a node that is there once its like were the first on a new one', () => {
    const common = { ...app('web'), cpuMillis: 0, affinity: [near(labels.hostname, 'web')] };
    const tolerations = [{ key: 'dedicated', operator: 'Exists' as const }];
    const waiting = [
      ...pods(2, { ...common, name: 'large', memoryGi: 0.5 }),
      aPod({ ...common, name: 'last', memoryGi: 0, tolerations }),
    ];
    // The last one would bear this node, but only after nothing else is left.
    const taints = [
      { key: 'dedicated', effect: 'NoSchedule' as const },
      { key: 'old', effect: 'PreferNoSchedule' as const },
    ];
    const type = aType({ name: 'm.small', cpu: 1, memoryGi: 1, pods: 2, onDemandUsd: 1 });
    const pool = aPool({ instanceTypes: [type] });
    const plan = solved(waiting, aSnapshot({ nodes: [aNode({ taints })], pools: [pool] }));
    expect(plan.newNodes.map((node) => node.pods.length)).toEqual([2]);
    expect(plan.unplaced.map(({ pod }) => pod.name)).toEqual(['last']);
  });
});

describe('anti-affinity', () => {
  test('over zones keeps away from every zone that a machine on order may come to be in', () => {
    const inTwo = [{ key: labels.zone, operator: 'In' as const, values: ['a', 'b'] }];
    const openLabels = requirementsOf(inTwo);
    const web = aPod(app('web'));
    const ordered = aNode({ stage: 'ordered', labels: {}, openLabels, reservedFor: [web.uid] });
    const shy = aPod({ name: 'shy', antiAffinity: [near(labels.zone, 'web')] });
    const plan = solved([web, shy], { ...snapshot, nodes: [ordered] });
    expect(plan.newNodes.map(({ cheapest }) => cheapest.zone)).toEqual(['c']);
  });

  test('over hosts gives every pod a node of its own, which others may share', () => {
    const waiting = [
      ...pods(3, { ...app('web'), antiAffinity: [near(labels.hostname, 'web')] }),
      ...pods(3, app('other')),
    ];
    const plan = solved(waiting);
    expect(plan.newNodes).toHaveLength(3);
  });

  test('over zones needs a zone for each', () => {
    const waiting = pods(4, { ...app('web'), antiAffinity: [near(labels.zone, 'web')] });
    const plan = solved(waiting);
    expect(perZone(plan)).toEqual({ a: 1, b: 1, c: 1 });
    expect(plan.unplaced).toHaveLength(1);
  });

  test('of a pod that is there keeps newcomers away', () => {
    const keeper = aPod({
      ...app('keeper'),
      antiAffinity: [near(labels.zone, 'web')],
      nodeName: 'node',
    });
    const node = aNode({ labels: { [labels.zone]: 'a' }, pods: [keeper] });
    const plan = solved(pods(2, app('web')), { ...snapshot, nodes: [node] });
    expect(plan.placements).toEqual([]);
    expect(perZone(plan).a).toBeUndefined();
  });
});

describe('preferences', () => {
  const wishesFor = (zone: string): PodWish => ({
    nodePreferences: [
      {
        weight: 1,
        requirements: requirementsOf([{ key: labels.zone, operator: 'In', values: [zone] }]),
      },
    ],
  });

  test('are kept where they can be and given up where not', () => {
    expect(perZone(solved([aPod(wishesFor('c'))]))).toEqual({ c: 1 });
    expect(solved([aPod(wishesFor('nowhere'))]).unplaced).toEqual([]);
  });

  test('are passed over where the user says so', () => {
    const plan = solve(snapshot, [aPod(wishesFor('c'))], { preferencePolicy: 'Ignore' });
    expect(perZone(plan)).toEqual({ a: 1 });
  });

  test('a discouraging taint is borne only when nothing else is left', () => {
    const taints = [{ key: 'batch', effect: 'PreferNoSchedule' as const }];
    const discouraging = aPool({ name: 'a', weight: 10, instanceTypes: [large], taints });
    const plain = aPool({ name: 'b', instanceTypes: [large] });
    const both = aSnapshot({ pools: [discouraging, plain] });
    expect(solved([aPod()], both).newNodes[0]?.pool.name).toBe('b');
    const only = aSnapshot({ pools: [discouraging] });
    expect(solved([aPod()], only).newNodes[0]?.pool.name).toBe('a');
  });
});

describe('volumes', () => {
  const inZones = (...zones: readonly string[]): Pod['volumes'] => ({
    alternatives: zones.map((zone) =>
      requirementsOf([{ key: labels.zone, operator: 'In', values: [zone] }]),
    ),
    attachments: { 'ebs.csi.aws.com': ['v'] },
  });

  test('bring the pod to their zone, the first that can be had', () => {
    expect(perZone(solved([aPod({ volumes: inZones('b') })]))).toEqual({ b: 1 });
    expect(perZone(solved([aPod({ volumes: inZones('x', 'c') })]))).toEqual({ c: 1 });
  });

  test('are not attached beyond what a node allows', () => {
    const node = aNode({ attachLimits: { 'ebs.csi.aws.com': 1 } });
    const waiting = ['v1', 'v2'].map((volume) =>
      aPod({
        name: volume,
        volumes: {
          alternatives: [requirementsOf([])],
          attachments: { 'ebs.csi.aws.com': [volume] },
        },
      }),
    );
    const plan = solved(waiting, { ...snapshot, nodes: [node] });
    expect(plan.placements).toHaveLength(1);
    expect(plan.newNodes).toHaveLength(1);
  });

  test.each([
    { name: 'anywhere', rules: {} },
    { name: 'evenly', rules: { ...app('web'), spread: [spread(labels.zone)] } },
  ])('too many for a node leave it to pods with fewer, who go $name', ({ rules }) => {
    const attachLimits = { 'ebs.csi.aws.com': 1 };
    const zoned = { [labels.zone]: 'a' };
    const nodes = ['n1', 'n2'].map((name) => aNode({ name, attachLimits, labels: zoned }));
    const waiting = [['v1', 'v2'], ['v3'], ['v4', 'v5'], ['v6']].map((volumes, index) =>
      aPod({
        ...rules,
        name: `db-${index}`,
        volumes: {
          alternatives: [requirementsOf([])],
          attachments: { 'ebs.csi.aws.com': volumes },
        },
      }),
    );
    const local = aType({ name: 'm5.large', cpu: 2, memoryGi: 8, onDemandUsd: 1, zones: ['a'] });
    const pools = [aPool({ instanceTypes: [local] })];
    const plan = solved(waiting, aSnapshot({ nodes, pools }));
    expect(plan.placements.map(({ pod }) => pod.name).sort()).toEqual(['db-1', 'db-3']);
    expect(plan.newNodes.flatMap((node) => node.pods)).toHaveLength(2);
  });
});

describe('reservations', () => {
  const reserved = aType({
    name: 'm5.large',
    cpu: 2,
    memoryGi: 8,
    offerings: [
      anOffering({
        capacityType: 'reserved',
        priceUsdPerHour: 0.0001,
        reservation: { id: 'cr-1', kind: 'default', left: 2 },
      }),
      anOffering({ priceUsdPerHour: 0.1 }),
    ],
  });

  test('are used first and no more often than they hold', () => {
    const at = aSnapshot({ pools: [aPool({ instanceTypes: [reserved] })] });
    const plan = solved(pods(6, { cpuMillis: 1000 }), at);
    const kinds = plan.newNodes.map((node) => node.cheapest.capacityType).sort();
    expect(kinds).toEqual(['on-demand', 'reserved', 'reserved']);
  });

  test.each([
    { stage: 'ordered', kinds: ['on-demand', 'on-demand', 'reserved'] },
    { stage: 'launched', kinds: ['on-demand', 'reserved', 'reserved'] },
  ] as const)('hold less while one of their machines is $stage', ({ stage, kinds }) => {
    const own = { [labels.capacityType]: 'reserved', [labels.reservationId]: 'cr-1' };
    const nodes = [aNode({ stage, labels: own, allocatable: {} })];
    const at = aSnapshot({ pools: [aPool({ instanceTypes: [reserved] })], nodes });
    const plan = solved(pods(6, { cpuMillis: 1000 }), at);
    expect(plan.newNodes.map((node) => node.cheapest.capacityType).sort()).toEqual(kinds);
  });
});

describe('a label that a pool bounds', () => {
  const bounded = (...terms: readonly ['Gt' | 'Lt' | 'NotIn', string][]): Snapshot => {
    const requires = terms.map(([operator, value]) => ({ key: 'gen', operator, values: [value] }));
    return aSnapshot({ pools: [aPool({ instanceTypes: [large], requires })] });
  };

  test('is a domain of the least number that it may be', () => {
    const at = bounded(['Gt', '3'], ['NotIn', '4']);
    const waiting = pods(2, { ...app('web'), spread: [spread('gen')] });
    expect(solved(waiting, at).newNodes).toHaveLength(1);
  });

  test.each([
    { terms: [['Lt', '0']] },
    {
      terms: [
        ['Gt', '3'],
        ['Lt', '4'],
      ],
    },
    {
      terms: [
        ['Gt', '3'],
        ['Lt', '5'],
        ['NotIn', '4'],
      ],
    },
  ] satisfies { terms: ['Gt' | 'Lt' | 'NotIn', string][] }[])(
    'so that no number is left takes no pod, whether it asks for the label or not: $terms',
    ({ terms }) => {
      const waiting = [
        aPod({ name: 'plain' }),
        aPod({ name: 'asking', wants: [[{ key: 'gen', operator: 'Exists' }]] }),
        aPod({ ...app('web'), name: 'spread', spread: [spread('gen')] }),
      ];
      expect(solved(waiting, bounded(...terms)).unplaced).toHaveLength(3);
    },
  );

  test('keeps pods apart that together leave no number', () => {
    const but = (value: string): PodWish => ({
      name: `not-${value}`,
      wants: [[{ key: 'gen', operator: 'NotIn', values: [value] }]],
    });
    const plan = solved([aPod(but('4')), aPod(but('5'))], bounded(['Gt', '3'], ['Lt', '6']));
    expect(plan.newNodes).toHaveLength(2);
  });
});

describe('a node asked for by its name', () => {
  const named = (operator: 'In' | 'NotIn'): Pod =>
    aPod({ name: operator, wants: [[{ key: 'metadata.name', operator, values: ['node'] }]] });

  test('takes the pod, and no other does', () => {
    const other = aNode({ name: 'another' });
    const at = { ...snapshot, nodes: [other, aNode()] };
    const { placements } = solved([named('In'), named('NotIn')], at);
    const places = placements.map(({ pod, nodeName }) => [pod.name, nodeName]);
    expect(Object.fromEntries(places)).toEqual({ In: 'node', NotIn: 'another' });
  });

  test('cannot be ordered, nor told from its claim', () => {
    const at = { ...snapshot, nodes: [aNode({ stage: 'launched' })] };
    const plan = solved([named('In'), { ...named('NotIn'), requests: { cpu: 9000 } }], at);
    expect(plan.unplaced.map(({ refusal }) => refusal.sentence)).toEqual([
      'NodePool default: the pod wants metadata.name In [node], which no new node can be.',
    ]);
    expect(plan.unplaced[0]?.refusal.remedies?.flatMap(({ changes }) => changes)).toEqual([
      { kind: 'drop-label-rule', key: 'metadata.name' },
    ]);
    expect(plan.newNodes).toHaveLength(1);
  });
});

test('minValues that cannot be had is lowered where the user says so', () => {
  const minValues = new Map([['karpenter.k8s.aws/instance-family', 2]]);
  const at = aSnapshot({ pools: [aPool({ instanceTypes: [large, giant], minValues })] });
  expect(solve(at, [aPod()]).unplaced).toHaveLength(1);
  expect(solve(at, [aPod()], { minValuesPolicy: 'BestEffort' }).newNodes).toHaveLength(1);
});

test.each([
  { key: labels.zone, value: 'a' },
  { key: labels.capacityType, value: 'spot' },
])('minValues of $key counts what the order may still become', ({ key, value }) => {
  const minValues = new Map([[key, 2]]);
  const at = aSnapshot({ pools: [aPool({ instanceTypes: [large, giant], minValues })] });
  const bound = aPod({ name: 'bound', wants: [[{ key, operator: 'In', values: [value] }]] });
  const plan = solved([bound, aPod({ name: 'free' })], at);
  expect(plan.newNodes.flatMap((node) => node.pods.map(({ name }) => name))).toEqual(['free']);
  expect(plan.unplaced[0]?.refusal.parts[0]).toMatchObject({ code: 'min-values' });
});

test('where minValues may be lowered, it is not lowered for the sake of the price', () => {
  const minValues = new Map([['karpenter.k8s.aws/instance-family', 2]]);
  const dear = aType({ name: 'r5.large', cpu: 2, memoryGi: 16, onDemandUsd: 9 });
  const sizes = Array.from({ length: 6 }, (_, index) =>
    aType({ name: `m5.${index}`, cpu: 2 + index, memoryGi: 8, onDemandUsd: 0.1 }),
  );
  const at = aSnapshot({ pools: [aPool({ instanceTypes: [...sizes, dear], minValues })] });
  const [node] = solve(at, [aPod()], { minValuesPolicy: 'BestEffort' }).newNodes;
  expect(node?.instanceTypes.map(({ name }) => name)).toContain('r5.large');
});

test('an order asks for no more than the least of its types has, whichever runs which daemons', () => {
  const wants = [[{ key: labels.instanceType, operator: 'In' as const, values: ['m5.xlarge'] }]];
  const daemons = [aDaemon({ cpuMillis: 2000, wants })];
  const xlarge = aType({ name: 'm5.xlarge', cpu: 4, memoryGi: 8, onDemandUsd: 0.09 });
  const pools = [aPool({ instanceTypes: [large, xlarge] })];
  const wanted = [[{ key: labels.capacityType, operator: 'In' as const, values: ['on-demand'] }]];
  const waiting = [aPod({ cpuMillis: 2000, wants: wanted })];
  const [node] = solved(waiting, aSnapshot({ pools, daemons })).newNodes;
  expect(node?.instanceTypes.map(({ name }) => name)).toEqual(['m5.xlarge', 'm5.large']);
  expect(node?.requests.cpu).toBe(2000);
});

test('where a limit stops part of a batch, important pods are served first', () => {
  const pool = aPool({ instanceTypes: [large], limits: { nodes: 1 } });
  const waiting = [
    ...pods(2, { name: 'low', cpuMillis: 1500 }),
    ...pods(1, { name: 'high', cpuMillis: 1000, priority: 10 }),
  ];
  const plan = solved(waiting, aSnapshot({ pools: [pool] }));
  expect(plan.newNodes.flatMap((node) => node.pods.map((pod) => pod.name))).toEqual(['high-0']);
});

test('no node holds more than a tenth of a large plan', () => {
  const plan = solved(pods(500, { cpuMillis: 100, memoryGi: 0.1 }));
  const largest = Math.max(...plan.newNodes.map((node) => node.pods.length));
  expect(largest).toBeLessThanOrEqual(50);
});

test('with more caution a bargain that holds all pods at once must be a better bargain', () => {
  const bargain = aType({ name: 'm5.24xlarge', cpu: 96, memoryGi: 384, spotUsd: 1 });
  const at = aSnapshot({ pools: [aPool({ instanceTypes: [large, bargain] })] });
  const waiting = pods(100, { cpuMillis: 900 });
  const nodes = (caution: number): number => {
    const plan = solve(at, waiting, { caution });
    expect(validatePlan(at, waiting, plan)).toEqual([]);
    return plan.newNodes.length;
  };
  expect(nodes(0.2)).toBe(1);
  expect(nodes(10)).toBe(50);
});

test('the steps of a solve come to the same plan', () => {
  const waiting = pods(20, { ...app('web'), cpuMillis: 500, spread: [spread(labels.zone)] });
  const steps = solving(snapshot, waiting);
  let count = 0;
  for (;;) {
    const step = steps.next();
    count += 1;
    if (step.done !== true) continue;
    expect(step.value).toEqual(solve(snapshot, waiting));
    break;
  }
  expect(count).toBeGreaterThan(5);
});

test('every order tells what it costs at the least and at the most', () => {
  const [node] = solved([aPod({ cpuMillis: 500 })]).newNodes;
  expect(node?.cheapest).toMatchObject({ instanceType: 'm5.large', priceUsdPerHour: 0.04 });
  expect(node?.dearest).toMatchObject({ instanceType: 'm5.large', priceUsdPerHour: 0.1 });
});

test.each([
  ['is not a place for a pod that excludes one of its values', ['amd64'], 1],
  ['is a place for a pod that excludes none of them', ['riscv64'], 0],
])('an order that may still get one of several values of a label %s', (_, values, bought) => {
  const order = aNode({
    name: 'order',
    stage: 'ordered',
    openLabels: requirementsOf([{ key: labels.arch, operator: 'In', values: ['amd64', 'arm64'] }]),
  });
  const arm = aType({ name: 'm6g.large', cpu: 2, memoryGi: 8, arch: 'arm64', onDemandUsd: 0.1 });
  const pool = aPool({ instanceTypes: [arm] });
  const pod = aPod({ wants: [[{ key: labels.arch, operator: 'NotIn', values }]] });
  const plan = solved([pod], aSnapshot({ nodes: [order], pools: [pool] }));
  expect(plan.newNodes).toHaveLength(bought);
});
