import { describe, expect, test } from 'vitest';
import type { InstanceType } from '../../src/core/catalog/instance-type.ts';
import type { Pod, PodTerm, SpreadConstraint } from '../../src/core/cluster/pod.ts';
import type { Pool, Snapshot } from '../../src/core/cluster/snapshot.ts';
import { combine, requirementsOf } from '../../src/core/requirements/requirements.ts';
import { labels } from '../../src/core/requirements/well-known.ts';
import type { NewNode, Plan } from '../../src/core/scheduling/plan.ts';
import {
  aDaemon,
  aNode,
  anOffering,
  aPod,
  aPool,
  aSnapshot,
  aType,
  gibibyte,
  type PodWish,
} from './builders.ts';
import { validatePlan } from './validate-plan.ts';

const small = aType({
  name: 'm.small',
  cpu: 2,
  memoryGi: 8,
  pods: 4,
  onDemandUsd: 1,
  spotUsd: 0.4,
});
const large = aType({ name: 'm.large', cpu: 4, memoryGi: 16, onDemandUsd: 2 });
const pool = aPool({ instanceTypes: [small, large] });

interface OrderWish {
  readonly zone?: string;
  readonly types?: readonly InstanceType[];
  readonly pool?: Pool;
  readonly capacityType?: 'on-demand' | 'spot';
}

/** An order for the pods as on-demand in one zone, unless the wish says otherwise. */
function anOrder(pods: readonly Pod[], wish: OrderWish = {}): NewNode {
  const { zone = 'a', types = [small], capacityType = 'on-demand' } = wish;
  const own = wish.pool ?? pool;
  const [first = small] = types;
  const settled = requirementsOf([
    { key: labels.zone, operator: 'In', values: [zone] },
    { key: labels.capacityType, operator: 'In', values: [capacityType] },
  ]);
  const price = first.offerings.find(
    (one) => one.zone === zone && one.capacityType === capacityType,
  );
  return {
    pool: own,
    pods,
    requirements: combine(own.requirements, settled),
    instanceTypes: types,
    requests: {},
    cheapest: {
      instanceType: first.name,
      zone,
      capacityType,
      priceUsdPerHour: price?.priceUsdPerHour ?? 0,
    },
  };
}

function faults(plan: Partial<Plan>, wish: Partial<Snapshot> = {}): readonly string[] {
  const whole: Plan = { placements: [], newNodes: [], unplaced: [], ...plan };
  const pods = [
    ...whole.placements.map(({ pod }) => pod),
    ...whole.newNodes.flatMap((node) => node.pods),
    ...whole.unplaced.map(({ pod }) => pod),
  ];
  return validatePlan(aSnapshot({ pools: [pool], ...wish }), pods, whole);
}

const web = (name: string, wish: PodWish = {}): Pod =>
  aPod({ name, labels: { app: 'web' }, cpuMillis: 100, ...wish });

const app = (value: string): { matchLabels: Record<string, string> } => ({
  matchLabels: { app: value },
});
const zoneTerm: PodTerm = {
  topologyKey: labels.zone,
  selector: app('web'),
  namespaces: ['default'],
};
const hostTerm: PodTerm = { ...zoneTerm, topologyKey: labels.hostname };
const overZones: SpreadConstraint = {
  topologyKey: labels.zone,
  maxSkew: 1,
  isHard: true,
  selector: app('web'),
  honorsNodeAffinity: true,
  honorsTaints: false,
};
const overHosts: SpreadConstraint = { ...overZones, topologyKey: labels.hostname };

test('a sound plan has no fault', () => {
  expect(faults({ newNodes: [anOrder([web('one'), web('two')])] })).toEqual([]);
});

describe('answers', () => {
  test('a pod with two places is a fault', () => {
    const pod = web('one');
    expect(faults({ newNodes: [anOrder([pod]), anOrder([pod])] })).toContain(
      'pod one has 2 answers',
    );
  });

  test('a refusal needs a reason', () => {
    const refusal = { code: 'too-large', sentence: 'no', parts: [] } as const;
    expect(faults({ unplaced: [{ pod: web('one'), refusal }] })).toEqual([
      'pod one is refused without a reason',
    ]);
  });
});

describe('what a node holds', () => {
  test.each([
    { name: 'cpu', pods: [web('one', { cpuMillis: 2001 })] },
    { name: 'memory', pods: [web('one', { memoryGi: 9 })] },
    { name: 'pods', pods: ['1', '2', '3', '4', '5'].map((name) => web(name)) },
    { name: 'gpu', pods: [web('one', { requests: { gpu: 1 } })] },
  ])('an order over its $name is a fault', ({ name, pods }) => {
    expect(faults({ newNodes: [anOrder(pods)] })).toEqual([
      `new node 0 as m.small is over its ${name}`,
    ]);
  });

  test('one type of the list that is too small is a fault', () => {
    const order = anOrder([web('one', { cpuMillis: 3000 })], { types: [small, large] });
    expect(faults({ newNodes: [order] })).toContain('new node 0 as m.small is over its cpu');
  });

  test('daemons take their share of a new node', () => {
    const newNodes = [anOrder([web('one', { cpuMillis: 1950 })])];
    const daemons = [aDaemon({ cpuMillis: 100 })];
    expect(faults({ newNodes }, { daemons })).toEqual(['new node 0 as m.small is over its cpu']);
  });

  test('bound pods and daemons to come take their share of a node that is there', () => {
    const node = aNode({ pods: [web('old', { cpuMillis: 3900 })] });
    const placements = [{ pod: web('one'), nodeName: 'node' }];
    expect(faults({ placements }, { nodes: [node] })).toEqual([]);
    expect(faults({ placements }, { nodes: [node], daemons: [aDaemon({ cpuMillis: 1 })] })).toEqual(
      ['node is over its cpu'],
    );
  });

  test('a host port is taken once per address', () => {
    const at = (name: string, ip: string): Pod =>
      web(name, { hostPorts: [{ ip, port: 80, protocol: 'TCP' }] });
    const orderOf = (a: string, b: string) => ({ newNodes: [anOrder([at('x', a), at('y', b)])] });
    expect(faults(orderOf('10.0.0.1', '10.0.0.2'))).toEqual([]);
    expect(faults(orderOf('10.0.0.1', ''))).toEqual([
      'new node 0 as m.small has host port 80 twice',
    ]);
  });

  test('a node attaches no more volumes than it can, a shared one counting once', () => {
    const using = (name: string, volume: string): Pod =>
      web(name, { volumes: { alternatives: [new Map()], attachments: { ebs: [volume] } } });
    const node = aNode({ attachLimits: { ebs: 1 }, pods: [using('old', 'v1')] });
    const place = (volume: string) => ({
      placements: [{ pod: using('one', volume), nodeName: 'node' }],
    });
    expect(faults(place('v1'), { nodes: [node] })).toEqual([]);
    expect(faults(place('v2'), { nodes: [node] })).toEqual([
      'node attaches more volumes of ebs than it can',
    ]);
  });
});

describe('where a pod may be', () => {
  const inB = [{ key: labels.zone, operator: 'In' as const, values: ['b'] }];

  test.each([
    { operator: 'In' as const, values: ['b'] },
    { operator: 'NotIn' as const, values: ['a'] },
    { operator: 'DoesNotExist' as const },
    { operator: 'Gt' as const, values: ['1'] },
  ])('a zone that is not $operator $values is a fault', (term) => {
    const pod = web('one', { wants: [[{ key: labels.zone, ...term }]] });
    expect(faults({ newNodes: [anOrder([pod])] })).toEqual([
      'new node 0 as m.small has labels that pod one does not want',
    ]);
  });

  test('any one of several alternatives will do', () => {
    const pod = web('one', { wants: [inB, [{ key: labels.arch, operator: 'Exists' }]] });
    expect(faults({ newNodes: [anOrder([pod])] })).toEqual([]);
  });

  test('a node that is there must have the labels too', () => {
    const placements = [{ pod: web('one', { wants: [inB] }), nodeName: 'node' }];
    expect(faults({ placements }, { nodes: [aNode()] })).toEqual([
      'pod one does not want the labels of node',
    ]);
  });

  test('a taint must be tolerated, on old nodes and new', () => {
    const taints = [{ key: 'gpu', effect: 'NoSchedule' as const }];
    const tainted = aPool({ instanceTypes: [small], taints });
    const pod = web('one');
    expect(faults({ newNodes: [anOrder([pod], { pool: tainted })] })).toEqual([
      'new node 0 repels pod one',
    ]);
    const placements = [{ pod, nodeName: 'node' }];
    expect(faults({ placements }, { nodes: [aNode({ taints })] })).toEqual([
      'pod one on tainted node',
    ]);
    const friend = web('one', { tolerations: [{ key: 'gpu', operator: 'Exists' }] });
    expect(faults({ newNodes: [anOrder([friend], { pool: tainted })] })).toEqual([]);
  });

  test('volumes must be within reach', () => {
    const volumes = { alternatives: [requirementsOf(inB)], attachments: {} };
    const order = (zone: string) => ({ newNodes: [anOrder([web('one', { volumes })], { zone })] });
    expect(faults(order('b'))).toEqual([]);
    expect(faults(order('a'))).toEqual([
      'new node 0 as m.small cannot reach the volumes of pod one',
    ]);
    const placements = [{ pod: web('one', { volumes }), nodeName: 'node' }];
    expect(faults({ placements }, { nodes: [aNode()] })).toEqual([
      'the volumes of pod one cannot be reached from node',
    ]);
  });

  test('nothing comes to a node that leaves, or that is not there', () => {
    const placements = [
      { pod: web('one'), nodeName: 'node' },
      { pod: web('two'), nodeName: 'ghost' },
    ];
    expect(faults({ placements }, { nodes: [aNode({ isLeaving: true })] })).toEqual([
      'node ghost does not exist',
      'node node is leaving and got pods',
    ]);
  });

  test('a pod with a rule that nobody places by has no place', () => {
    expect(
      faults({ newNodes: [anOrder([web('one', { unsupported: ['resourceClaims'] })])] }),
    ).toEqual(['new node 0 is for pod one, which cannot be placed']);
  });
});

describe('hard spread', () => {
  const spread = (name: string, constraint = overZones, wish: PodWish = {}): Pod =>
    web(name, { spread: [constraint], ...wish });
  const inZones = (constraint: SpreadConstraint, zones: string, wish: PodWish = {}) => ({
    newNodes: [...zones].map((zone, i) => anOrder([spread(`p${i}`, constraint, wish)], { zone })),
  });

  test('one more in a zone than in the emptiest is within a skew of one', () => {
    expect(faults(inZones(overZones, 'abca'))).toEqual([]);
    expect(faults(inZones(overZones, 'aabb'))).toEqual([
      expect.stringContaining('zone a would hold 2 and the emptiest 0, more than 1 apart'),
      expect.stringContaining('zone b would hold 2'),
    ]);
    expect(faults(inZones({ ...overZones, maxSkew: 2 }, 'aabb'))).toEqual([]);
    expect(faults(inZones({ ...overZones, isHard: false }, 'aabb'))).toEqual([]);
  });

  test('zones that the pod cannot use do not count', () => {
    const wants = [[{ key: labels.zone, operator: 'In' as const, values: ['a', 'b'] }]];
    expect(faults(inZones(overZones, 'aabb', { wants }))).toEqual([]);
    expect(faults(inZones({ ...overZones, honorsNodeAffinity: false }, 'abab', { wants }))).toEqual(
      [],
    );
    const withC = { nodes: [aNode({ labels: { [labels.zone]: 'c' } })] };
    const ignoring = { ...overZones, honorsNodeAffinity: false };
    expect(faults(inZones(overZones, 'abab', { wants }), withC)).toEqual([]);
    expect(faults(inZones(ignoring, 'abab', { wants }), withC)).toHaveLength(2);
  });

  test('nodes whose taints the pod does not tolerate count unless the policy says otherwise', () => {
    const wants = [[{ key: labels.zone, operator: 'NotIn' as const, values: ['c'] }]];
    const ignoring = { ...overZones, honorsNodeAffinity: false };
    const tainted = aNode({
      labels: { [labels.zone]: 'c' },
      taints: [{ key: 'gpu', effect: 'NoSchedule' }],
    });
    expect(faults(inZones(ignoring, 'abab', { wants }), { nodes: [tainted] })).toHaveLength(2);
    const honoring = { ...ignoring, honorsTaints: true };
    expect(faults(inZones(honoring, 'abab', { wants }), { nodes: [tainted] })).toEqual([]);
  });

  test('too few domains count as an empty one', () => {
    const wants = [[{ key: labels.zone, operator: 'In' as const, values: ['a'] }]];
    expect(faults(inZones(overZones, 'aa', { wants }))).toEqual([]);
    expect(faults(inZones({ ...overZones, minDomains: 2 }, 'aa', { wants }))).toHaveLength(1);
  });

  test('pods that were there count, those of other namespaces do not', () => {
    const old = (namespace: string): Partial<Snapshot> => ({
      nodes: [
        aNode({
          labels: { [labels.zone]: 'a' },
          pods: [web('x', { namespace }), web('y', { namespace, uid: 'y' })],
        }),
      ],
    });
    expect(faults(inZones(overZones, 'abc'), old('default'))).toHaveLength(1);
    expect(faults(inZones(overZones, 'bc'), old('default'))).toEqual([]);
    expect(faults(inZones(overZones, 'abc'), old('other'))).toEqual([]);
  });

  test('a pool that only says that there is a label names no domain', () => {
    const racks = { ...overZones, topologyKey: 'rack' };
    const pools = [
      aPool({ instanceTypes: [small], requires: [{ key: 'rack', operator: 'Exists' }] }),
    ];
    const nodes = [aNode({ labels: { rack: 'r1' } })];
    const placements = ['1', '2'].map((name) => ({ pod: spread(name, racks), nodeName: 'node' }));
    expect(faults({ placements }, { pools, nodes })).toEqual([]);
  });

  test('hosts are counted one by one', () => {
    const two = [spread('one', overHosts), spread('two', overHosts)];
    const other = anOrder([web('other', { labels: {} })]);
    expect(faults({ newNodes: [anOrder(two)] })).toEqual([]);
    expect(faults({ newNodes: [anOrder(two), other] })).toEqual([
      expect.stringContaining('would hold 2 and the emptiest 0'),
    ]);
  });

  test('a pod that others count may come last', () => {
    const counted = ['1', '2', '3'].map((name) => web(name));
    const counting = spread('one', overZones, { labels: {} });
    expect(faults({ newNodes: [anOrder([...counted, counting])] })).toEqual([]);
  });

  test('the order must settle the domain', () => {
    const order = anOrder([spread('one')]);
    const requirements = new Map(order.requirements);
    requirements.delete(labels.zone);
    expect(faults({ newNodes: [{ ...order, requirements }] })).toEqual([
      `new node 0 leaves ${labels.zone} open, over which pod one is spread`,
    ]);
  });

  test('a node without the label takes no pod that is spread over it', () => {
    const racks = { ...overZones, topologyKey: 'rack' };
    expect(faults({ newNodes: [anOrder([spread('one', racks)])] })).toEqual([
      expect.stringContaining('spread over rack, which the node lacks'),
    ]);
  });
});

describe('pods together', () => {
  const near = (name: string, wish: PodWish = {}): Pod =>
    web(name, { affinity: [zoneTerm], ...wish });

  test('the first of its kind goes anywhere, the next ones go there too', () => {
    const orders = (zone: string) => ({
      newNodes: [anOrder([near('one')]), anOrder([near('two')], { zone })],
    });
    expect(faults(orders('a'))).toEqual([]);
    expect(faults(orders('b'))).toEqual([
      expect.stringContaining('the pods that it must be with are not surely in its topology'),
    ]);
  });

  test('a pod that is near others only waits for them', () => {
    const guest = near('guest', { labels: {} });
    expect(faults({ newNodes: [anOrder([guest])] })).toHaveLength(1);
    expect(faults({ newNodes: [anOrder([guest]), anOrder([web('host')])] })).toEqual([]);
    const nodes = [aNode({ labels: { [labels.zone]: 'a' }, pods: [web('host')] })];
    expect(faults({ newNodes: [anOrder([guest])] }, { nodes })).toEqual([]);
    const elsewhere = [aNode({ labels: { [labels.zone]: 'b' }, pods: [web('host')] })];
    expect(faults({ newNodes: [anOrder([guest])] }, { nodes: elsewhere })).toHaveLength(1);
  });

  test('a pod may still be near those on a node that leaves', () => {
    const labelled = { labels: { [labels.zone]: 'a' }, pods: [web('host')], isLeaving: true };
    const guest = near('guest', { labels: {} });
    expect(faults({ newNodes: [anOrder([guest])] }, { nodes: [aNode(labelled)] })).toEqual([]);
  });

  test('namespaces are chosen by name or by label', () => {
    const host = web('host', { namespace: 'blue' });
    const guest = (term: Partial<PodTerm>) => ({
      newNodes: [
        anOrder([near('guest', { affinity: [{ ...zoneTerm, ...term }], labels: {} }), host]),
      ],
    });
    const namespaces = new Map([['blue', { team: 'x' }]]);
    expect(faults(guest({}), { namespaces })).toHaveLength(1);
    expect(faults(guest({ namespaces: ['blue'] }), { namespaces })).toEqual([]);
    const byLabel = { namespaces: [], namespaceSelector: { matchLabels: { team: 'x' } } };
    expect(faults(guest(byLabel), { namespaces })).toEqual([]);
    const everywhere = { namespaces: [], namespaceSelector: {} };
    expect(faults(guest(everywhere), { namespaces })).toEqual([]);
  });
});

describe('pods apart', () => {
  const apart = (name: string, term = hostTerm): Pod => web(name, { antiAffinity: [term] });

  test('two that keep apart do not share a host', () => {
    const [one, two] = [apart('one'), apart('two')];
    expect(faults({ newNodes: [anOrder([one]), anOrder([two])] })).toEqual([]);
    expect(faults({ newNodes: [anOrder([one, two])] })).toHaveLength(2);
  });

  test('the one that is kept away need not know', () => {
    expect(faults({ newNodes: [anOrder([apart('one'), web('two')])] })).toHaveLength(1);
  });

  test('pods that were there keep newcomers away', () => {
    const nodes = [aNode({ pods: [apart('old')] })];
    expect(faults({ placements: [{ pod: web('one'), nodeName: 'node' }] }, { nodes })).toHaveLength(
      1,
    );
    const other = web('one', { labels: {} });
    expect(faults({ placements: [{ pod: other, nodeName: 'node' }] }, { nodes })).toEqual([]);
  });

  test('zones that may turn out the same are a fault', () => {
    const first = anOrder([apart('one', zoneTerm)]);
    const second = anOrder([apart('two', zoneTerm)], { zone: 'b' });
    expect(faults({ newNodes: [first, second] })).toEqual([]);
    const requirements = new Map(second.requirements);
    requirements.delete(labels.zone);
    expect(faults({ newNodes: [first, { ...second, requirements }] }).length).toBeGreaterThan(0);
  });
});

describe('what is bought', () => {
  test('nothing is ordered from a pool that is not ready or of fixed size', () => {
    const order = (wish: Partial<Pool>) => ({
      newNodes: [anOrder([web('one')], { pool: aPool({ instanceTypes: [small], ...wish }) })],
    });
    expect(faults(order({ notReady: 'no class' }))).toEqual([
      'new node 0 is of a pool that is not ready',
    ]);
    expect(faults(order({ isStatic: true }))).toEqual(['new node 0 is of a pool of fixed size']);
  });

  test('the purchase must exist and be the cheapest', () => {
    const order = anOrder([web('one')]);
    const cheapest = { ...order.cheapest, priceUsdPerHour: 0.1 };
    expect(faults({ newNodes: [{ ...order, cheapest }] })).toEqual([
      'new node 0 has a cheaper purchase',
      'new node 0 counts on a purchase that does not exist',
    ]);
    const wrong = anOrder([web('one')], { types: [large, small] });
    expect(faults({ newNodes: [wrong] })).toEqual([
      'new node 0 does not list its types cheapest first',
      'new node 0 has a cheaper purchase',
    ]);
  });

  test('an order for nobody, or without a type that can be bought, is a fault', () => {
    expect(faults({ newNodes: [anOrder([])] })).toEqual(['new node 0 is for nobody']);
    const dry = { ...small, offerings: small.offerings.map((o) => ({ ...o, isAvailable: false })) };
    expect(faults({ newNodes: [anOrder([web('one')], { types: [dry] })] })).toContain(
      'new node 0 as m.small cannot be bought',
    );
  });

  test('an order asks for no less than its pods', () => {
    const order = { ...anOrder([web('one')]), requests: { cpu: 99 } };
    expect(faults({ newNodes: [order] })).toEqual(['new node 0 asks for too little cpu']);
  });

  test.each([
    { limits: { cpu: 5000 }, fault: 'pool default passes its limit cpu' },
    { limits: { nodes: 1 }, fault: 'pool default passes its limit nodes' },
    { limits: { memory: 17 * gibibyte }, fault: 'pool default passes its limit memory' },
  ])('the largest types of all orders together stay within $limits', ({ limits, fault }) => {
    const limited = aPool({ instanceTypes: [small, large], limits });
    const order = anOrder([web('one')], { pool: limited });
    const wide = anOrder([web('two')], { pool: limited, types: [small, large] });
    expect(faults({ newNodes: [order] }, { pools: [limited] })).toEqual([]);
    expect(faults({ newNodes: [order, wide] }, { pools: [limited] })).toEqual([fault]);
  });

  test('minValues are met by the list of types', () => {
    const minValues = new Map([['karpenter.k8s.aws/instance-family', 2]]);
    const varied = aPool({ instanceTypes: [small, large], minValues });
    expect(faults({ newNodes: [anOrder([web('one')], { pool: varied, types: [small] })] })).toEqual(
      ['new node 0 has too few values of karpenter.k8s.aws/instance-family'],
    );
  });

  test('a reservation is counted on no more often than it has machines', () => {
    const reservation = { id: 'cr-1', kind: 'default' as const, left: 1 };
    const paid = aType({
      name: 'r.paid',
      cpu: 2,
      memoryGi: 8,
      offerings: [anOffering({ capacityType: 'reserved', priceUsdPerHour: 0, reservation })],
    });
    const order = (name: string): NewNode => {
      const base = anOrder([web(name)], { types: [paid] });
      const requirements = new Map(base.requirements);
      requirements.delete(labels.capacityType);
      return { ...base, requirements, cheapest: { ...base.cheapest, capacityType: 'reserved' } };
    };
    expect(faults({ newNodes: [order('one')] })).toEqual([]);
    expect(faults({ newNodes: [order('one'), order('two')] })).toEqual([
      '2 orders count on reservation cr-1, which has 1 left',
    ]);
  });
});
