import { describe, expect, test } from 'vitest';
import {
  aDaemon,
  aNode,
  anOffering,
  aPod,
  aPool,
  aSnapshot,
  aType,
  pods,
} from '../../../test/validator/builders.ts';
import { validatePlan } from '../../../test/validator/validate-plan.ts';
import type { Pod } from '../cluster/pod.ts';
import type { Snapshot } from '../cluster/snapshot.ts';
import { labels } from '../requirements/well-known.ts';
import type { Plan } from './plan.ts';
import { solve } from './solve.ts';

const small = aType({ name: 't3.small', cpu: 2, memoryGi: 2, pods: 11, onDemandUsd: 0.0208 });
const large = aType({
  name: 'm5.large',
  cpu: 2,
  memoryGi: 8,
  pods: 29,
  onDemandUsd: 0.096,
  spotUsd: 0.04,
});
const xlarge = aType({
  name: 'm5.xlarge',
  cpu: 4,
  memoryGi: 16,
  pods: 58,
  onDemandUsd: 0.192,
  spotUsd: 0.08,
});
const giant = aType({
  name: 'm5.24xlarge',
  cpu: 96,
  memoryGi: 384,
  pods: 737,
  onDemandUsd: 4.608,
  spotUsd: 1.9,
});
const all = [small, large, xlarge, giant];

/** Solves, and lets the validator look at every plan that a test makes. */
function solved(snapshot: Snapshot, waiting: readonly Pod[]): Plan {
  const plan = solve(snapshot, waiting);
  expect(validatePlan(snapshot, waiting, plan)).toEqual([]);
  return plan;
}

function costOf(plan: Plan): number {
  return plan.newNodes.reduce((sum, node) => sum + node.cheapest.priceUsdPerHour, 0);
}

function machines(plan: Plan): readonly string[] {
  return plan.newNodes.map((node) => node.cheapest.instanceType).sort();
}

describe('what is bought', () => {
  test('a few small pods get a small machine', () => {
    const snapshot = aSnapshot({ pools: [aPool({ instanceTypes: all })] });
    const plan = solved(snapshot, pods(3, { cpuMillis: 100, memoryGi: 0.1 }));
    expect(machines(plan)).toEqual(['t3.small']);
    expect(plan.newNodes[0]?.pods).toHaveLength(3);
  });

  test('pods without requests are packed by the pods that a node may run, at the least price', () => {
    const types = [large, xlarge, giant];
    const snapshot = aSnapshot({
      pools: [
        aPool({
          instanceTypes: types,
          requires: [{ key: labels.capacityType, operator: 'In', values: ['on-demand'] }],
        }),
      ],
    });
    const plan = solved(snapshot, pods(200));
    // 29 pods for $0.096 and 58 for $0.192 cost the same per pod: seven of 29 hold 200.
    expect(costOf(plan)).toBeCloseTo(7 * 0.096, 9);
  });

  test('the last machine is no larger than what is left for it', () => {
    const snapshot = aSnapshot({ pools: [aPool({ instanceTypes: [xlarge, large] })] });
    const plan = solved(snapshot, pods(5, { cpuMillis: 1000 }));
    expect(costOf(plan)).toBeCloseTo(0.12, 9);
  });

  test('a pod that must be on demand does not drag others to its price', () => {
    const onDemand = [{ key: labels.capacityType, operator: 'In' as const, values: ['on-demand'] }];
    const snapshot = aSnapshot({ pools: [aPool({ instanceTypes: [large, xlarge] })] });
    const waiting = [
      ...pods(8, { name: 'cheap', cpuMillis: 1000 }),
      ...pods(1, { name: 'dear', cpuMillis: 1000, wants: [onDemand] }),
    ];
    const plan = solved(snapshot, waiting);
    const dear = plan.newNodes.filter((node) => node.cheapest.capacityType === 'on-demand');
    expect(dear).toHaveLength(1);
    expect(costOf(plan)).toBeLessThanOrEqual(0.096 + 4 * 0.04 + 1e-9);
  });

  test('two smaller machines beat a large one that is cheaper per pod and its small companion', () => {
    const ten = aType({ name: 'x.ten', cpu: 10, memoryGi: 1, onDemandUsd: 1 });
    const six = aType({ name: 'x.six', cpu: 6, memoryGi: 1, onDemandUsd: 0.62 });
    const snapshot = aSnapshot({ pools: [aPool({ instanceTypes: [ten, six] })] });
    expect(machines(solved(snapshot, pods(12, { cpuMillis: 1000 })))).toEqual(['x.six', 'x.six']);
  });

  test('pods heavy in CPU and pods heavy in memory share machines', () => {
    const even = aType({ name: 'm5.x', cpu: 4, memoryGi: 16, onDemandUsd: 1 });
    const snapshot = aSnapshot({ pools: [aPool({ instanceTypes: [even] })] });
    const waiting = [
      ...pods(12, { name: 'busy', cpuMillis: 1300, memoryGi: 1 }),
      ...pods(12, { name: 'wide', cpuMillis: 300, memoryGi: 4.5 }),
    ];
    // Three of a kind fill a machine, which makes eight; two busy and three wide ones fit as well.
    expect(solved(snapshot, waiting).newNodes).toHaveLength(6);
  });

  test('machines that each looked like a bargain are joined where one for all is cheaper', () => {
    const three = aType({ name: 'x.three', cpu: 1, memoryGi: 1, pods: 3, onDemandUsd: 0.02 });
    const twenty = aType({ name: 'x.twenty', cpu: 1, memoryGi: 1, pods: 20, onDemandUsd: 0.06 });
    const snapshot = aSnapshot({ pools: [aPool({ instanceTypes: [three, twenty] })] });
    const waiting = [...pods(3, { name: 'a', cpuMillis: 250 }), ...pods(7, { name: 'b' })];
    expect(machines(solved(snapshot, waiting))).toEqual(['x.twenty']);
  });

  test('one machine for all is bought where several cost more, be it only a little', () => {
    const quarter = aType({ name: 'm5.6xlarge', cpu: 24, memoryGi: 96, onDemandUsd: 0.48 });
    const whole = aType({ name: 'm5.24xlarge', cpu: 96, memoryGi: 384, onDemandUsd: 1.9 });
    const pools = [aPool({ instanceTypes: [quarter, whole] })];
    const plan = solved(aSnapshot({ pools }), pods(100, { cpuMillis: 900 }));
    expect(machines(plan)).toEqual(['m5.24xlarge']);
  });

  test('a machine that is too small for its daemons is on no list, whatever the pods ask for', () => {
    const types = [small, large, xlarge];
    const pools = [aPool({ instanceTypes: types })];
    const daemons = [aDaemon({ cpuMillis: 1500 }), aDaemon({ cpuMillis: 1000 })];
    const [node] = solved(aSnapshot({ pools, daemons }), [aPod()]).newNodes;
    expect(node?.instanceTypes.map(({ name }) => name)).toEqual(['m5.xlarge']);
  });

  test('daemons take their part of every new node', () => {
    const snapshot = aSnapshot({
      pools: [aPool({ instanceTypes: [large] })],
      daemons: [aDaemon({ cpuMillis: 500 })],
    });
    const plan = solved(snapshot, pods(2, { cpuMillis: 1000 }));
    expect(plan.newNodes).toHaveLength(2);
    expect(plan.newNodes[0]?.requests.cpu).toBe(1500);
  });

  test('an order names many types, all of which hold the pods and none of which is far dearer', () => {
    const types = Array.from({ length: 40 }, (_, index) =>
      aType({ name: `x.${index + 10}`, cpu: 4, memoryGi: 8, onDemandUsd: 0.1 + index * 0.005 }),
    );
    const plan = solved(aSnapshot({ pools: [aPool({ instanceTypes: types })] }), pods(1));
    const dearest = plan.newNodes[0]?.instanceTypes.at(-1)?.offerings[0]?.priceUsdPerHour ?? 0;
    expect(plan.newNodes[0]?.instanceTypes.length).toBeGreaterThanOrEqual(10);
    expect(dearest).toBeLessThanOrEqual(0.151);
  });
});

describe('which pool', () => {
  const spotOnly = [{ key: labels.capacityType, operator: 'In' as const, values: ['spot'] }];
  const onDemandOnly = [
    { key: labels.capacityType, operator: 'In' as const, values: ['on-demand'] },
  ];

  test('the heavier pool is used though the lighter one is cheaper', () => {
    const dear = aPool({ name: 'dear', weight: 10, instanceTypes: [xlarge] });
    const cheap = aPool({ name: 'cheap', weight: 1, instanceTypes: [large] });
    const plan = solved(aSnapshot({ pools: [cheap, dear] }), pods(1));
    expect(plan.newNodes[0]?.pool.name).toBe('dear');
  });

  test('among pools of equal weight the cheaper wins', () => {
    const a = aPool({ name: 'a', instanceTypes: [xlarge] });
    const b = aPool({ name: 'b', instanceTypes: [large] });
    expect(solved(aSnapshot({ pools: [a, b] }), pods(1)).newNodes[0]?.pool.name).toBe('b');
  });

  test('when spot has no capacity the pods go to the lighter on-demand pool', () => {
    const dry = {
      ...large,
      offerings: large.offerings.map((o) => ({ ...o, isAvailable: o.capacityType !== 'spot' })),
    };
    const snapshot = aSnapshot({
      pools: [
        aPool({ name: 'spot-pool', weight: 50, requires: spotOnly, instanceTypes: [dry] }),
        aPool({ name: 'ondemand-pool', weight: 10, requires: onDemandOnly, instanceTypes: [dry] }),
      ],
    });
    const plan = solved(snapshot, pods(3));
    expect(plan.newNodes.map((node) => node.pool.name)).toEqual(['ondemand-pool']);
  });

  test('limits are never passed, not even inside one batch, and the rest goes to the next pool', () => {
    const first = aPool({
      name: 'first',
      weight: 9,
      instanceTypes: [large],
      limits: { cpu: 4000 },
    });
    const second = aPool({ name: 'second', instanceTypes: [large], limits: { nodes: 1 } });
    const plan = solved(aSnapshot({ pools: [first, second] }), pods(8, { cpuMillis: 1000 }));
    expect(plan.newNodes.map((node) => node.pool.name)).toEqual(['first', 'first', 'second']);
    expect(plan.unplaced).toHaveLength(2);
  });

  test('nodes ordered and launched count towards the limits, leaving ones do not', () => {
    const pool = aPool({ instanceTypes: [large], limits: { cpu: 6000 } });
    const size = { cpu: 2000, memory: 8 * 2 ** 30, pods: 29 };
    const busy = { capacity: size, allocatable: {} };
    const nodes = [
      aNode({ name: 'ordered', stage: 'ordered', ...busy }),
      aNode({ name: 'launched', stage: 'launched', ...busy }),
      aNode({ name: 'leaving', isLeaving: true, ...busy }),
    ];
    const plan = solved(aSnapshot({ pools: [pool], nodes }), pods(8, { cpuMillis: 1000 }));
    expect(plan.newNodes).toHaveLength(1);
    expect(plan.unplaced[0]?.refusal.sentence).toContain('limit cpu 6 is used up to 6');
  });

  test('minValues widens an order beyond its price margin', () => {
    const others = ['a', 'b', 'c'].map((family, index) =>
      aType({ name: `${family}.large`, cpu: 2, memoryGi: 8, onDemandUsd: 1 + index }),
    );
    const pool = aPool({
      instanceTypes: others,
      minValues: new Map([['karpenter.k8s.aws/instance-family', 3]]),
    });
    const plan = solved(aSnapshot({ pools: [pool] }), pods(1));
    expect(plan.newNodes[0]?.instanceTypes).toHaveLength(3);
  });

  test('minValues that no order can keep is a refusal, not an oversight', () => {
    const pool = aPool({
      instanceTypes: [large, xlarge],
      minValues: new Map([['karpenter.k8s.aws/instance-family', 2]]),
    });
    const plan = solved(aSnapshot({ pools: [pool] }), pods(1));
    expect(plan.unplaced[0]?.refusal.code).toBe('min-values');
  });
});

describe('existing nodes', () => {
  test('pods go where there is room before anything is bought', () => {
    const snapshot = aSnapshot({
      nodes: [aNode({ name: 'b' }), aNode({ name: 'a' })],
      pools: [aPool({ instanceTypes: all })],
    });
    const plan = solved(snapshot, pods(6, { cpuMillis: 1000 }));
    expect(plan.newNodes).toEqual([]);
    expect(plan.placements.map((placement) => placement.nodeName)).toEqual([
      ...Array(4).fill('a'),
      ...Array(2).fill('b'),
    ]);
  });

  test('a reserved place is kept for its pod, and nothing is bought twice', () => {
    const [mine, other] = pods(2, { cpuMillis: 2000 });
    if (mine === undefined || other === undefined) throw new Error('two pods were asked for');
    const ordered = aNode({
      name: 'ordered',
      stage: 'ordered',
      allocatable: { cpu: 2000, pods: 1 },
      reservedFor: [other.uid],
    });
    const snapshot = aSnapshot({ nodes: [ordered], pools: [aPool({ instanceTypes: [large] })] });
    const plan = solved(snapshot, [mine, other]);
    expect(plan.placements).toEqual([{ pod: other, nodeName: 'ordered' }]);
    expect(plan.newNodes.map((node) => node.pods)).toEqual([[mine]]);
  });

  test('a leaving node gets no pods', () => {
    const snapshot = aSnapshot({ nodes: [aNode({ isLeaving: true })] });
    expect(solved(snapshot, pods(1)).unplaced).toHaveLength(1);
  });

  test('room for daemons still to come is kept free', () => {
    const snapshot = aSnapshot({ nodes: [aNode()], daemons: [aDaemon({ cpuMillis: 1000 })] });
    const plan = solved(snapshot, pods(4, { cpuMillis: 1000 }));
    expect(plan.placements).toHaveLength(3);
  });
});

describe('labels', () => {
  test('pods that want different values of an open label do not share a node', () => {
    const pool = aPool({ instanceTypes: all, requires: [{ key: 'team', operator: 'Exists' }] });
    const ofTeam = (team: string): readonly Pod[] =>
      pods(2, { name: team, wants: [[{ key: 'team', operator: 'In', values: [team] }]] });
    const plan = solved(aSnapshot({ pools: [pool] }), [...ofTeam('red'), ...ofTeam('blue')]);
    expect(plan.newNodes).toHaveLength(2);
  });

  test('a pod takes the second alternative where the first cannot be had', () => {
    const inZone = (zone: string) => [
      { key: labels.zone, operator: 'In' as const, values: [zone] },
    ];
    const snapshot = aSnapshot({ pools: [aPool({ instanceTypes: [large] })] });
    const plan = solved(snapshot, pods(1, { wants: [inZone('z'), inZone('b')] }));
    expect(plan.newNodes[0]?.cheapest.zone).toBe('b');
  });

  test('two pods with the same host port get two nodes', () => {
    const port = { ip: '', port: 80, protocol: 'TCP' };
    const snapshot = aSnapshot({ pools: [aPool({ instanceTypes: [giant] })] });
    expect(solved(snapshot, pods(2, { hostPorts: [port] })).newNodes).toHaveLength(2);
  });
});

describe('the order of the input', () => {
  test('plays no part', () => {
    const snapshot = aSnapshot({
      nodes: [aNode({ name: 'b' }), aNode({ name: 'a' })],
      pools: [
        aPool({ name: 'b', instanceTypes: all }),
        aPool({ name: 'a', instanceTypes: [...all].reverse() }),
      ],
      daemons: [aDaemon({ cpuMillis: 100 })],
    });
    const turned: Snapshot = {
      ...snapshot,
      nodes: [...snapshot.nodes].reverse(),
      pools: [...snapshot.pools].reverse(),
    };
    const waiting = [
      ...pods(30, { name: 'x', cpuMillis: 300 }),
      ...pods(30, { name: 'y', memoryGi: 2 }),
    ];
    expect(solved(turned, [...waiting].reverse())).toEqual(solved(snapshot, waiting));
  });
});

describe('purchases', () => {
  test('an offering without a price of its own is still bought', () => {
    const paid = aType({
      name: 'paid.large',
      cpu: 2,
      memoryGi: 8,
      offerings: [anOffering({ capacityType: 'reserved', priceUsdPerHour: 0 })],
    });
    const plan = solved(aSnapshot({ pools: [aPool({ instanceTypes: [paid, large] })] }), [aPod()]);
    expect(plan.newNodes[0]?.cheapest.instanceType).toBe('paid.large');
  });
});
