import fc from 'fast-check';
import type { CapacityType, InstanceType } from '../../src/core/catalog/instance-type.ts';
import type { NodePreference, Pod, WeightedPodTerm } from '../../src/core/cluster/pod.ts';
import type { Node, Pool } from '../../src/core/cluster/snapshot.ts';
import { type RequirementTerm, requirementsOf } from '../../src/core/requirements/requirements.ts';
import { labels } from '../../src/core/requirements/well-known.ts';
import { aPool } from './builders.ts';
import { type Case, instanceType, randomCaseWithAllRules, term } from './random-cluster.ts';
import { driver, podTerm } from './random-rules.ts';

/**
 * What real clusters have beyond rules: pools that take nearly everybody, so that most pods find
 * a place; pods that matter more than others; wishes; nodes that are not all alike; pods that
 * move; prices and devices that an overlay gives.
 */

const mostly = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, ...others.map((one) => fc.constant(one)));

const nodePreference: fc.Arbitrary<NodePreference> = fc.record({
  weight: fc.constantFrom(1, 50),
  requirements: term.map((one) => requirementsOf([one])),
});

const weighted: fc.Arbitrary<WeightedPodTerm> = fc
  .tuple(podTerm, fc.constantFrom(1, 50))
  .map(([one, weight]) => ({ ...one, weight }));

const wishes: fc.Arbitrary<Partial<Pod>> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.array(nodePreference, { minLength: 1, maxLength: 2 }).map((list) => ({
    nodePreferences: list,
  })),
  weighted.map((one) => ({ preferredAffinity: [one] })),
  fc.tuple(weighted, weighted, nodePreference).map(([near, far, label]) => ({
    preferredAffinity: [near],
    preferredAntiAffinity: [far],
    nodePreferences: [label],
  })),
);

const hostPorts = mostly<Pod['hostPorts']>(
  [],
  [{ ip: '', port: 80, protocol: 'TCP' }],
  [{ ip: '10.0.0.1', port: 80, protocol: 'TCP' }],
  [{ ip: '', port: 80, protocol: 'UDP' }],
);

/** How the pods of a workload are, beside its rules. */
const workload = fc.record({
  priority: mostly(0, 10, 1_000),
  wishes,
  hostPorts,
  devices: mostly(0, 1),
  /** Each pod has a volume of its own, as in a StatefulSet. */
  hasOwnVolumes: mostly(false, true),
  /** Some of its pods are of a later version, which selectors can tell apart. */
  versions: mostly(1, 2),
  /** Whether it keeps all that it asks of labels and claims, or next to nothing of it. */
  asks: mostly<'little' | 'something' | 'all'>('little', 'something', 'all'),
});

const node = fc.record({
  team: fc.constantFrom('red', 'blue', undefined),
  rack: fc.constantFrom('r1', 'r2', undefined),
  capacityType: fc.constantFrom<CapacityType>('on-demand', 'spot'),
  isOpen: fc.boolean(),
  hasOtherHostName: mostly(false, true),
  isPodGoing: mostly(false, true),
});

const pool: fc.Arbitrary<Pool> = fc
  .record({
    weight: fc.constantFrom(0, 10),
    requires: mostly<readonly RequirementTerm[]>(
      [{ key: 'team', operator: 'In', values: ['red', 'blue'] }],
      [],
      [{ key: 'team', operator: 'Exists' }],
      [{ key: 'rack', operator: 'In', values: ['r1', 'r2', 'r3'] }],
    ),
    limits: mostly<Pool['limits']>({}, { cpu: 12_000 }, { nodes: 3 }),
    instanceTypes: fc.uniqueArray(instanceType, {
      minLength: 2,
      maxLength: 6,
      selector: ({ name }) => name,
    }),
  })
  .map((wish) => aPool({ ...wish, name: 'general' }));

export interface Variety {
  /** One per workload; used in turn, as are those of nodes. */
  readonly workloads: readonly (typeof workload extends fc.Arbitrary<infer T> ? T : never)[];
  readonly nodes: readonly (typeof node extends fc.Arbitrary<infer T> ? T : never)[];
  readonly general: Pool;
  /** Pods of leaving nodes look for new places. */
  readonly areMoving: boolean;
  readonly daemonPorts: Pod['hostPorts'];
  /** Of the other pools, the last one keeps its size. */
  readonly isStatic: boolean;
  /** What machines cost in zone b, as a part of what they cost elsewhere. */
  readonly overlaidPrice: number;
}

const variety: fc.Arbitrary<Variety> = fc.record({
  workloads: fc.array(workload, { minLength: 1, maxLength: 4 }),
  nodes: fc.array(node, { minLength: 1, maxLength: 3 }),
  general: pool,
  areMoving: fc.boolean(),
  daemonPorts: mostly<Pod['hostPorts']>([], [], [{ ip: '', port: 80, protocol: 'TCP' }]),
  isStatic: mostly(false, true),
  overlaidPrice: fc.constantFrom(1, 1, 0.5, 2, 0),
});

/** Every rule and everything that clusters have beyond them. */
export const randomCaseOfEveryKind: fc.Arbitrary<Case> = fc
  .tuple(randomCaseWithAllRules, variety)
  .map(([plain, more]) => withVariety(plain, more));

function withVariety({ snapshot, pods }: Case, more: Variety): Case {
  const nodes = snapshot.nodes.map((one, index) =>
    varied(one, { like: turnOf(more.nodes, index), types: more.general.instanceTypes }),
  );
  const waiting = pods.map((pod) => variedPod(pod, more));
  const moving = nodes.filter(({ isLeaving }) => isLeaving).flatMap((one) => one.pods);
  return {
    pods: [...waiting, ...(more.areMoving ? moving.filter((pod) => !pod.isTerminating) : [])],
    snapshot: {
      ...snapshot,
      nodes,
      pools: [...snapshot.pools, more.general].map((one) => ({
        ...one,
        isStatic: more.isStatic && one.name === `pool-${snapshot.pools.length - 1}`,
        instanceTypes: one.instanceTypes.map((type, index) =>
          overlaid(type, more.overlaidPrice, index === 0 ? 2 : 0),
        ),
      })),
      // Two daemons cannot have the same port.
      daemons: snapshot.daemons.map((one, index) => ({
        ...one,
        hostPorts: index === 0 ? more.daemonPorts : [],
      })),
    },
  };
}

function turnOf<T>(list: readonly T[], index: number): T {
  const one = list[index % list.length];
  if (one === undefined) throw new Error('there is at least one');
  return one;
}

function variedPod(pod: Pod, { workloads }: Variety): Pod {
  const [, workload = '0', index = '0'] = /^w(\d+)-(\d+)/.exec(pod.name) ?? [];
  const like = turnOf(workloads, Number(workload));
  const { wishes, hostPorts, priority, devices } = like;
  return {
    ...pod,
    ...wishes,
    priority,
    hostPorts,
    unsupported: like.asks === 'all' ? pod.unsupported : [],
    nodeAlternatives: asked(pod, like.asks),
    labels: { ...pod.labels, version: `v${Number(index) % like.versions}` },
    requests: { ...pod.requests, ...(devices > 0 ? { 'example.com/device': devices } : {}) },
    volumes: like.asks === 'little' ? unshared(pod.volumes) : pod.volumes,
    ...(like.hasOwnVolumes ? { volumes: ownVolumes(pod) } : {}),
  };
}

function asked(
  { nodeAlternatives: all }: Pod,
  asks: 'little' | 'something' | 'all',
): Pod['nodeAlternatives'] {
  if (asks === 'all') return all;
  return asks === 'little' ? [requirementsOf([])] : all.slice(0, 1);
}

function unshared(volumes: Pod['volumes']): Pod['volumes'] {
  return volumes === undefined ? undefined : { ...volumes, exclusive: undefined };
}

function ownVolumes(pod: Pod): Pod['volumes'] {
  return {
    alternatives: pod.volumes?.alternatives ?? [requirementsOf([])],
    attachments: { [driver]: [`volume-of-${pod.name}`] },
  };
}

function varied(
  one: Node,
  { like, types }: { like: Variety['nodes'][number]; types: readonly InstanceType[] },
): Node {
  const { team, rack, capacityType } = like;
  const { [labels.zone]: zone = '', ...others } = one.labels;
  const isOpen = like.isOpen && one.stage === 'ordered';
  return {
    ...one,
    labels: {
      ...others,
      ...(like.hasOtherHostName ? { [labels.hostname]: `host-of-${one.name}` } : {}),
      ...(isOpen ? {} : { [labels.zone]: zone, [labels.capacityType]: capacityType }),
      ...(team === undefined ? {} : { team }),
      ...(rack === undefined ? {} : { rack }),
    },
    pods: one.pods.map((pod, index) => ({
      ...pod,
      nodeName: one.name,
      isTerminating: like.isPodGoing && index === 0,
      // One pod at most can have such a claim and be bound.
      volumes: one.name === 'node-0' && index === 0 ? pod.volumes : unshared(pod.volumes),
    })),
    ...(isOpen ? anOpenOrder(one, types) : {}),
  };
}

/** Before the launch, zone and type are not known yet. */
function anOpenOrder(one: Node, types: readonly InstanceType[]): Partial<Node> {
  return {
    pods: [],
    possibleTypes: types,
    openLabels: requirementsOf([
      { key: labels.zone, operator: 'In', values: ['a', 'b'] },
      { key: labels.capacityType, operator: 'In', values: ['on-demand', 'spot'] },
    ]),
    allocatable: least(types.map(({ allocatable }) => allocatable)),
    capacity: one.capacity,
  };
}

function least(lists: readonly Node['allocatable'][]): Node['allocatable'] {
  const names = Object.keys(lists[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, Math.min(...lists.map((list) => list[name] ?? 0))]),
  );
}

/** The type with other prices in one zone, and with devices. */
function overlaid(type: InstanceType, price: number, devices: number): InstanceType {
  const more = devices === 0 ? {} : { 'example.com/device': devices };
  return {
    ...type,
    capacity: { ...type.capacity, ...more },
    allocatable: { ...type.allocatable, ...more },
    offerings: type.offerings.map((offering) =>
      offering.zone === 'b'
        ? { ...offering, priceUsdPerHour: offering.priceUsdPerHour * price, isOverlaid: true }
        : offering,
    ),
  };
}
