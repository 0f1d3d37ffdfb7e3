import { describe, expect, test } from 'vitest';
import type { Pod, SpreadConstraint } from '../../src/core/cluster/pod.ts';
import type { Snapshot } from '../../src/core/cluster/snapshot.ts';
import { labels } from '../../src/core/requirements/well-known.ts';
import { aNode, aPool, aType, type PodWish } from './builders.ts';
import { anOrder, faults, overHosts, overZones, small, web } from './sample-plans.ts';

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

  test('pods that a leaving node still has count, and so does its domain, but not if they move', () => {
    const wants = [[{ key: labels.zone, operator: 'NotIn' as const, values: ['c'] }]];
    const ignoring = { ...overZones, honorsNodeAffinity: false };
    const inC = { labels: { [labels.zone]: 'c' }, isLeaving: true };
    const held = { nodes: [aNode({ ...inC, pods: [web('held')] })] };
    expect(faults(inZones(ignoring, 'abab', { wants }), held)).toEqual([]);
    expect(faults(inZones(ignoring, 'ababab', { wants }), held)).toHaveLength(2);
    const byOthers = { nodes: [aNode({ ...inC, pods: [web('other', { labels: {} })] })] };
    expect(faults(inZones(ignoring, 'ab', { wants }), byOthers)).toEqual([]);
    expect(faults(inZones(ignoring, 'abab', { wants }), byOthers)).toHaveLength(2);
    const moving = spread('held', ignoring, { wants });
    const moved = {
      newNodes: [anOrder([moving]), ...inZones(ignoring, 'bab', { wants }).newNodes],
    };
    expect(faults(moved, { nodes: [aNode({ ...inC, pods: [moving] })] })).toEqual([]);
    expect(faults(inZones(ignoring, 'abab', { wants }), { nodes: [aNode(inC)] })).toEqual([]);
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

  test('a pod that must come early may hold up others until it is there', () => {
    const early = spread('early', { ...overZones, maxSkew: 3, minDomains: 3 });
    const evenly = (name: string): Pod => spread(name, { ...overZones, honorsTaints: true });
    const inA = { labels: { [labels.zone]: 'a' }, pods: [web('old')] };
    const taints = [{ key: 'gpu', effect: 'NoSchedule' as const }];
    const nodes = [aNode({ name: 'n1', ...inA }), aNode({ name: 'n2', taints, ...inA })];
    const type = aType({ name: small.name, cpu: 2, memoryGi: 8, zones: ['a', 'b'] });
    const inB = ['two', 'three', 'four', 'five'].map(evenly);
    const newNodes = [anOrder([evenly('one')]), anOrder(inB, { zone: 'b' }), anOrder([early])];
    const world = { nodes, pools: [aPool({ instanceTypes: [type] })] };
    expect(faults({ newNodes }, world)).toEqual([]);
    expect(faults({ newNodes: newNodes.slice(0, 2) }, world)).toHaveLength(1);
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
