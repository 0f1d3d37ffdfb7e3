import { factsOf } from '../../cluster/node-facts.ts';
import type { Pod, PodTerm } from '../../cluster/pod.ts';
import { classesOf } from '../../cluster/pod-class.ts';
import type { Node, Pool, Snapshot } from '../../cluster/snapshot.ts';
import { largest, noResources } from '../../quantity/resources.ts';
import type { Requirements } from '../../requirements/requirements.ts';
import { allowsAbsence, firstValueOf } from '../../requirements/value-set.ts';
import { isWellKnownLabel, labels } from '../../requirements/well-known.ts';
import { finish } from '../../steps.ts';
import { ladderOf } from '../assigning/ladder.ts';
import { Domains } from '../between-pods/domains.ts';
import { type GroupRule, termRule } from '../between-pods/group.ts';
import { noTies, type Ties, Topology } from '../between-pods/topology.ts';
import { withoutTaken } from '../market/reserved.ts';
import { type Stock, stocking } from '../market/stock.ts';
import { LimitLedger } from '../ordering/limits.ts';
import type { NewNode, Plan } from '../plan.ts';
import type { Settings } from '../settings.ts';

interface Keeping {
  readonly term: PodTerm;
  readonly rule: GroupRule;
}

/** The cluster as it stands once a plan is carried out: what a refused pod then finds. */
export interface Aftermath {
  readonly snapshot: Snapshot;
  readonly settings: Pick<Settings, 'minValuesPolicy'>;
  /** Nodes that the plan orders. What machines they become is open, so nothing is built on it. */
  readonly planned: ReadonlySet<string>;
  readonly ledger: LimitLedger;
  /** The rules that pods which are there have against others, each once. */
  readonly keeping: readonly Keeping[];
}

/** The snapshot with the plan's pods on their nodes and its orders as nodes; neither is changed. */
export function aftermathOf(snapshot: Snapshot, plan: Plan, settings: AfterSettings): Aftermath {
  return finish(reachingAftermath(snapshot, plan, settings));
}

type AfterSettings = Aftermath['settings'];

/** So many nodes are looked at in one step; new ones may have hundreds of pods each. */
const nodesPerStep = 8;

/** The same in small steps of work. */
export function* reachingAftermath(
  snapshot: Snapshot,
  plan: Plan,
  settings: AfterSettings,
): Generator<void, Aftermath> {
  const nodes = [...settledNodes(snapshot, plan)];
  const planned = new Set<string>();
  for (const [index, order] of plan.newNodes.entries()) {
    const node = plannedNode(order, index);
    planned.add(node.name);
    nodes.push(node);
    if (index % nodesPerStep === 0) yield;
  }
  const terms = new Set<PodTerm>();
  for (const [index, node] of nodes.entries()) {
    for (const keeper of factsOf(node).keepers)
      for (const term of keeper.antiAffinity ?? []) terms.add(term);
    if (index % nodesPerStep === 0) yield;
  }
  const taken = plan.newNodes.flatMap(({ requirements }) => [
    ...(requirements.get(labels.reservationId)?.values ?? []),
  ]);
  const pools = withoutTaken(snapshot.pools, taken);
  const ledger = LimitLedger.of(pools, nodes);
  const keeping = keepingOf(terms, snapshot);
  return { snapshot: { ...snapshot, nodes, pools }, settings, planned, ledger, keeping };
}

function keepingOf(terms: Iterable<PodTerm>, { namespaces }: Snapshot): readonly Keeping[] {
  const distinct = new Map<string, PodTerm>();
  for (const term of terms) distinct.set(JSON.stringify(term), term);
  return [...distinct.values()].map((term) => ({
    term,
    rule: termRule('anti-affinity', [term], { key: term.topologyKey, isHard: true, namespaces }),
  }));
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
  // What it takes of a reservation is not in the pools any more.
  const { [labels.reservationId]: _, ...settled } = settledLabels(order.requirements);
  return {
    name,
    poolName: pool.name,
    stage: 'ordered',
    labels: {
      ...settledLabels(type?.requirements),
      ...ownLabels(order.requirements),
      ...settled,
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
  for (const [key, set] of requirements) {
    const value = isWellKnownLabel(key) || allowsAbsence(set) ? undefined : firstValueOf(set);
    if (value !== undefined) own[key] = value;
  }
  return own;
}

function settledLabels(requirements: Requirements | undefined): Record<string, string> {
  const settled: Record<string, string> = {};
  for (const [key, set] of requirements ?? [])
    if (set.kind === 'only' && set.values.size === 1)
      for (const value of set.values) settled[key] = value;
  return settled;
}

/** What other pods mean for one pod, with everything that it would merely like given up. */
export interface Company {
  readonly ties: Ties;
  readonly domainsOf: (key: string) => readonly string[];
}

const alone: Company = {
  ties: noTies,
  domainsOf: () => [],
};

/** In small steps. `pools` are those of the aftermath or, asked what would be if, changed ones. */
export function* meetingCompany(
  pod: Pod,
  aftermath: Aftermath,
  pools: readonly Pool[],
): Generator<void, Company> {
  const hasRules =
    (pod.affinity?.length ?? 0) > 0 ||
    (pod.antiAffinity?.length ?? 0) > 0 ||
    pod.spread?.some(({ isHard }) => isHard) === true;
  if (!hasRules && !aftermath.keeping.some(({ rule }) => rule.matches(pod))) return alone;
  const { nodes, daemons } = aftermath.snapshot;
  const usable = pools.filter((pool) => pool.notReady === undefined && pool.isStatic !== true);
  const stocks: Stock[] = [];
  for (const pool of usable) stocks.push(yield* stocking(pool, daemons));
  const terms = aftermath.keeping.map(({ term }) => term);
  const classes = classesOf([pod], terms);
  const domains = new Domains(stocks, nodes, classes);
  yield;
  const topology = new Topology({ ...aftermath.snapshot, pools }, domains);
  yield;
  const [rung] = ladderOf(pod, { policy: 'Ignore', hasDiscouraging: false });
  const [podClass] = classes;
  if (rung === undefined || podClass === undefined) return alone;
  topology.register(pod, rung);
  yield* topology.lookingAround();
  yield;
  return {
    ties: topology.tiesOf(podClass, rung),
    domainsOf: (key) => domains.all(key),
  };
}
