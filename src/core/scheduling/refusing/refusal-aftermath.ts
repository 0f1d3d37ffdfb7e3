import type { InstanceType } from '../../catalog/instance-type.ts';
import { factsOf } from '../../cluster/node-facts.ts';
import type { Pod } from '../../cluster/pod.ts';
import { classesOf } from '../../cluster/pod-class.ts';
import type { Node, Pool, Snapshot } from '../../cluster/snapshot.ts';
import { largest, noResources } from '../../quantity/resources.ts';
import type { Requirements } from '../../requirements/requirements.ts';
import { allowsAbsence } from '../../requirements/value-set.ts';
import { isWellKnownLabel, labels } from '../../requirements/well-known.ts';
import { ladderOf } from '../assigning/ladder.ts';
import { Domains, firstValueOf } from '../between-pods/domains.ts';
import { type Ties, Topology } from '../between-pods/topology.ts';
import { stockOf } from '../market/stock.ts';
import { LimitLedger } from '../ordering/limits.ts';
import type { NewNode, Plan } from '../plan.ts';
import type { Settings } from '../settings.ts';

/** The cluster as it stands once a plan is carried out: what a refused pod then finds. */
export interface Aftermath {
  readonly snapshot: Snapshot;
  readonly settings: Pick<Settings, 'minValuesPolicy'>;
  /** Nodes that the plan orders. What machines they become is open, so nothing is built on it. */
  readonly planned: ReadonlySet<string>;
  readonly ledger: LimitLedger;
  /** Whether pods that are there have rules against others. */
  readonly hasKeepers: boolean;
}

/** The snapshot with the plan's pods on their nodes and its orders as nodes; neither is changed. */
export function aftermathOf(
  snapshot: Snapshot,
  plan: Plan,
  settings: Pick<Settings, 'minValuesPolicy'>,
): Aftermath {
  const ordered = plan.newNodes.map(plannedNode);
  const nodes = [...settledNodes(snapshot, plan), ...ordered];
  const pools = poolsAfter(snapshot.pools, plan.newNodes);
  return {
    snapshot: { ...snapshot, nodes, pools },
    settings,
    planned: new Set(ordered.map((node) => node.name)),
    ledger: LimitLedger.of(pools, nodes),
    hasKeepers: nodes.some((node) => factsOf(node).keepers.length > 0),
  };
}

/** Existing nodes with the pods that the plan puts there, and without those that it moves. */
function settledNodes({ nodes }: Snapshot, plan: Plan): readonly Node[] {
  const coming = new Map<string, Pod[]>();
  for (const { pod, nodeName } of plan.placements) {
    const list = coming.get(nodeName);
    if (list === undefined) coming.set(nodeName, [pod]);
    else list.push(pod);
  }
  if (coming.size === 0 && !nodes.some((node) => node.isLeaving)) return nodes;
  const moving = new Set(
    [
      ...plan.placements.map(({ pod }) => pod),
      ...plan.unplaced.map(({ pod }) => pod),
      ...plan.newNodes.flatMap((node) => node.pods),
    ].map((pod) => pod.uid),
  );
  return nodes.map((node) => {
    const more = coming.get(node.name) ?? [];
    if (!node.isLeaving)
      return more.length === 0 ? node : { ...node, pods: [...node.pods, ...more] };
    return { ...node, pods: node.pods.filter((pod) => !moving.has(pod.uid)) };
  });
}

function plannedNode(order: NewNode, index: number): Node {
  const { pool, pods, cheapest, instanceTypes } = order;
  const name = `planned-${index}`;
  const type = instanceTypes.find((one) => one.name === cheapest.instanceType);
  return {
    name,
    poolName: pool.name,
    stage: 'ordered',
    labels: {
      ...settledLabels(type?.requirements),
      ...ownLabels(order.requirements),
      ...settledLabels(order.requirements),
      ...pool.labels,
      [labels.zone]: cheapest.zone,
      [labels.capacityType]: cheapest.capacityType,
      [labels.instanceType]: cheapest.instanceType,
      [labels.hostname]: name,
    },
    taints: pool.taints,
    allocatable: type?.allocatable ?? noResources,
    // An order counts against the limits as the largest that it may become.
    capacity: instanceTypes.map((one) => one.capacity).reduce(largest, noResources),
    pods,
    reservedFor: [],
    isReady: false,
    isLeaving: false,
    createdAtMs: 0,
    doNotDisrupt: false,
  };
}

/** Labels of the user's own that the order leaves open get a value when it is made. */
function ownLabels(requirements: Requirements): Record<string, string> {
  const own: Record<string, string> = {};
  for (const [key, set] of requirements)
    if (!isWellKnownLabel(key) && !allowsAbsence(set)) own[key] = firstValueOf(set);
  return own;
}

function settledLabels(requirements: Requirements | undefined): Record<string, string> {
  const settled: Record<string, string> = {};
  for (const [key, set] of requirements ?? [])
    if (set.kind === 'only' && set.values.size === 1)
      for (const value of set.values) settled[key] = value;
  return settled;
}

/** The pools with what the plan's orders leave of reservations. */
function poolsAfter(pools: readonly Pool[], orders: readonly NewNode[]): readonly Pool[] {
  const taken = new Map<string, number>();
  for (const { requirements } of orders)
    for (const id of requirements.get(labels.reservationId)?.values ?? [])
      taken.set(id, (taken.get(id) ?? 0) + 1);
  if (taken.size === 0) return pools;
  return pools.map((pool) => ({
    ...pool,
    instanceTypes: pool.instanceTypes.map((type) => withLess(type, taken)),
  }));
}

function withLess(type: InstanceType, taken: ReadonlyMap<string, number>): InstanceType {
  if (!type.offerings.some(({ reservation }) => taken.has(reservation?.id ?? ''))) return type;
  return {
    ...type,
    offerings: type.offerings.map((offering) => {
      const { reservation } = offering;
      if (reservation === undefined) return offering;
      const left = reservation.left - (taken.get(reservation.id) ?? 0);
      return { ...offering, reservation: { ...reservation, left } };
    }),
  };
}

/** What other pods mean for one pod, with everything that it would merely like given up. */
export interface Company {
  readonly ties: Ties;
  readonly domainsOf: (key: string) => readonly string[];
}

const alone: Company = {
  ties: { zonal: [], host: [], company: [], pinned: [], soloCap: Infinity },
  domainsOf: () => [],
};

/** `pools` are those of the aftermath or, asked what would be if, changed ones. */
export function companyOf(pod: Pod, aftermath: Aftermath, pools: readonly Pool[]): Company {
  const hasRules =
    (pod.affinity?.length ?? 0) > 0 ||
    (pod.antiAffinity?.length ?? 0) > 0 ||
    pod.spread?.some(({ isHard }) => isHard) === true;
  if (!hasRules && !aftermath.hasKeepers) return alone;
  const { nodes, daemons } = aftermath.snapshot;
  const usable = pools.filter((pool) => pool.notReady === undefined && pool.isStatic !== true);
  const stocks = usable.map((pool) => stockOf(pool, daemons));
  const staying = nodes.filter((node) => !node.isLeaving);
  const domains = new Domains(stocks, staying);
  const topology = new Topology({ ...aftermath.snapshot, pools }, [pod], domains);
  const [rung] = ladderOf(pod, { policy: 'Ignore', hasDiscouraging: false });
  const keepers = nodes.flatMap((node) =>
    factsOf(node).keepers.flatMap((keeper) => keeper.antiAffinity ?? []),
  );
  const [podClass] = classesOf([pod], keepers);
  if (rung === undefined || podClass === undefined) return alone;
  topology.register(pod, rung);
  return {
    ties: topology.tiesOf(podClass, rung),
    domainsOf: (key) => domains.all(key),
  };
}
