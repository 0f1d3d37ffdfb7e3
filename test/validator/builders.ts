import type { CapacityType, InstanceType, Offering } from '../../src/core/catalog/instance-type.ts';
import type { Pod, Toleration } from '../../src/core/cluster/pod.ts';
import type { Node, Pool, Snapshot } from '../../src/core/cluster/snapshot.ts';
import {
  combine,
  labelsAsRequirements,
  type RequirementTerm,
  requirementsOf,
} from '../../src/core/requirements/requirements.ts';
import { labels } from '../../src/core/requirements/well-known.ts';

export const gibibyte = 2 ** 30;

export interface PodWish extends Partial<Omit<Pod, 'requests'>> {
  readonly cpuMillis?: number;
  readonly memoryGi?: number;
  readonly requests?: Pod['requests'];
  /** Alternatives for the node's labels, as manifests write them. */
  readonly wants?: readonly (readonly RequirementTerm[])[];
}

/** A pending pod; without wishes it asks for nothing but a place. */
export function aPod(wish: PodWish = {}): Pod {
  const { cpuMillis = 0, memoryGi = 0, requests = {}, wants = [[]], ...rest } = wish;
  const name = rest.name ?? 'pod';
  return {
    uid: `uid-${name}`,
    namespace: 'default',
    name,
    createdAtMs: 0,
    labels: {},
    requests: { cpu: cpuMillis, memory: memoryGi * gibibyte, pods: 1, ...requests },
    nodeAlternatives: wants.map(requirementsOf),
    tolerations: [],
    hostPorts: [],
    unsupported: [],
    priority: 0,
    isDaemon: false,
    isMirror: false,
    isTerminal: false,
    isTerminating: false,
    isUnschedulable: true,
    doNotDisrupt: false,
    ...rest,
  };
}

/** So many equal pods with names of their own. */
export function pods(amount: number, wish: PodWish = {}): readonly Pod[] {
  const name = wish.name ?? 'web';
  return Array.from({ length: amount }, (_, index) =>
    aPod({ owner: { kind: 'Deployment', name }, ...wish, name: `${name}-${index}` }),
  );
}

export interface TypeWish {
  readonly name: string;
  readonly cpu: number;
  readonly memoryGi: number;
  readonly pods?: number;
  readonly onDemandUsd?: number;
  readonly spotUsd?: number;
  readonly zones?: readonly string[];
  readonly offerings?: readonly Offering[];
  readonly arch?: string;
  readonly allocatable?: InstanceType['allocatable'];
}

/** An instance type whose whole capacity is allocatable unless the wish says otherwise. */
export function aType(wish: TypeWish): InstanceType {
  const { name, cpu, memoryGi, zones = ['a', 'b', 'c'], arch = 'amd64' } = wish;
  const capacity = { cpu: cpu * 1000, memory: memoryGi * gibibyte, pods: wish.pods ?? 110 };
  const offerings = wish.offerings ?? zones.flatMap((zone) => offeringsIn(zone, wish));
  return {
    name,
    requirements: requirementsOf([
      { key: labels.instanceType, operator: 'In', values: [name] },
      { key: labels.arch, operator: 'In', values: [arch] },
      { key: labels.os, operator: 'In', values: ['linux'] },
      { key: labels.zone, operator: 'In', values: [...new Set(offerings.map((o) => o.zone))] },
      {
        key: labels.capacityType,
        operator: 'In',
        values: [...new Set(offerings.map((o) => o.capacityType))],
      },
      {
        key: 'karpenter.k8s.aws/instance-family',
        operator: 'In',
        values: [name.split('.')[0] ?? ''],
      },
    ]),
    capacity,
    allocatable: wish.allocatable ?? capacity,
    offerings,
  };
}

function offeringsIn(zone: string, { onDemandUsd, spotUsd }: TypeWish): readonly Offering[] {
  return [
    ...(onDemandUsd === undefined ? [] : [anOffering({ zone, priceUsdPerHour: onDemandUsd })]),
    ...(spotUsd === undefined
      ? []
      : [anOffering({ zone, capacityType: 'spot' as const, priceUsdPerHour: spotUsd })]),
  ];
}

export function anOffering(wish: Partial<Offering> = {}): Offering {
  const capacityType: CapacityType = 'on-demand';
  return { zone: 'a', capacityType, priceUsdPerHour: 1, isAvailable: true, ...wish };
}

export interface PoolWish extends Partial<Omit<Pool, 'requirements' | 'labels'>> {
  readonly requires?: readonly RequirementTerm[];
  readonly labels?: Readonly<Record<string, string>>;
}

export function aPool(wish: PoolWish = {}): Pool {
  const { requires = [], labels: own = {}, ...rest } = wish;
  const name = rest.name ?? 'default';
  const nodeLabels = { ...own, [labels.nodePool]: name };
  return {
    name,
    uid: `uid-${name}`,
    weight: 0,
    requirements: combine(requirementsOf(requires), labelsAsRequirements(nodeLabels)),
    labels: nodeLabels,
    taints: [],
    limits: {},
    instanceTypes: [],
    disruption: {
      policy: 'WhenEmptyOrUnderutilized',
      consolidateAfterMs: 0,
      budgets: [{ nodes: '100%' }],
    },
    ...rest,
  };
}

/** An initialized, ready node of the pool `default`. */
export function aNode(wish: Partial<Node> = {}): Node {
  const name = wish.name ?? 'node';
  const size = { cpu: 4000, memory: 16 * gibibyte, pods: 58 };
  return {
    name,
    claimName: `claim-of-${name}`,
    poolName: 'default',
    stage: 'initialized',
    labels: { [labels.hostname]: name },
    taints: [],
    allocatable: size,
    capacity: size,
    pods: [],
    reservedFor: [],
    isReady: true,
    isLeaving: false,
    createdAtMs: 0,
    doNotDisrupt: false,
    ...wish,
  };
}

export function aSnapshot(wish: Partial<Snapshot> = {}): Snapshot {
  return { atMs: 0, nodes: [], pools: [], daemons: [], ...wish };
}

/** A daemon that tolerates everything and runs everywhere. */
export function aDaemon(wish: PodWish = {}): Pod {
  const name = wish.name ?? 'daemon';
  const tolerations: readonly Toleration[] = [{ operator: 'Exists' }];
  return aPod({ tolerations, owner: { kind: 'DaemonSet', name }, isDaemon: true, ...wish });
}
