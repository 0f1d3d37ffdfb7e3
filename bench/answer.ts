import type { InstanceType, Offering } from '../src/core/catalog/instance-type.ts';
import { has } from '../src/core/requirements/value-set.ts';
import { labels } from '../src/core/requirements/well-known.ts';
import type { NewNode, Plan } from '../src/core/scheduling/plan.ts';

/** A plan in the words of the anchor's output, and what we say about it beyond that. */
export interface Answer {
  readonly scheduled_to_existing: number;
  readonly new_nodes: readonly AnsweredNode[];
  readonly new_node_count: number;
  readonly cost_per_hour: number;
  /** If every order is launched as the dearest that it allows, whatever the kind of capacity. */
  readonly dearest_cost_per_hour: number;
  /** How many types the orders name. */
  readonly types_per_order: Counts;
  /** How many purchases the orders allow: a type, a zone and a kind of capacity each. */
  readonly launches_per_order: Counts;
  readonly unschedulable: Readonly<Record<string, string>>;
  readonly unschedulable_count: number;
  readonly undecided: number;
  /** Of the pods on new nodes, how many the fullest node holds. */
  readonly largest_node_share: number;
  /** Of the pods on new nodes, how many die with the largest spot pool (type and zone). */
  readonly largest_spot_pool_share: number;
}

/** The least, what nine of ten exceed or equal, and the middle. */
interface Counts {
  readonly min: number;
  readonly p10: number;
  readonly median: number;
}

interface AnsweredNode {
  readonly nodepool: string;
  readonly pods: readonly string[];
  readonly cheapest: {
    readonly instanceType: string;
    readonly zone: string;
    readonly capacityType: string;
    readonly price: number;
  };
  readonly n_instance_types: number;
}

export function answerOf(plan: Plan, podCount: number): Answer {
  const nodes = plan.newNodes.map(answeredNode).sort((a, b) => compare(a.pods[0], b.pods[0]));
  const refused = plan.unplaced.map(({ pod, refusal }): [string, string] => [
    `${pod.namespace}/${pod.name}`,
    refusal.sentence,
  ]);
  const placed = plan.newNodes.reduce((sum, node) => sum + node.pods.length, 0);
  return {
    scheduled_to_existing: plan.placements.length,
    new_nodes: nodes,
    new_node_count: nodes.length,
    cost_per_hour: sum(plan.newNodes.map((node) => node.cheapest.priceUsdPerHour)),
    dearest_cost_per_hour: sum(plan.newNodes.map(dearestPrice)),
    types_per_order: countsOf(plan.newNodes.map((node) => node.instanceTypes.length)),
    launches_per_order: countsOf(plan.newNodes.map((node) => allLaunchesOf(node).length)),
    unschedulable: Object.fromEntries(refused.sort(([a], [b]) => compare(a, b))),
    unschedulable_count: refused.length,
    undecided: podCount - plan.placements.length - placed - refused.length,
    largest_node_share: share(Math.max(0, ...nodes.map((node) => node.pods.length)), placed),
    largest_spot_pool_share: share(largestSpotPool(nodes), placed),
  };
}

function answeredNode(node: NewNode): AnsweredNode {
  const { priceUsdPerHour: price, instanceType, zone, capacityType } = node.cheapest;
  return {
    nodepool: node.pool.name,
    pods: node.pods.map((pod) => `${pod.namespace}/${pod.name}`).sort(),
    cheapest: { instanceType, zone, capacityType, price },
    n_instance_types: node.instanceTypes.length,
  };
}

function dearestPrice(node: NewNode): number {
  const prices = allLaunchesOf(node).map((offering) => offering.priceUsdPerHour);
  return Math.max(node.cheapest.priceUsdPerHour, ...prices);
}

function allLaunchesOf(node: NewNode): readonly Offering[] {
  return node.instanceTypes.flatMap((type) => launchesOf(node, type));
}

/** The offerings of the type that the order leaves open. */
function launchesOf(node: NewNode, type: InstanceType): readonly Offering[] {
  const allows = (key: string, value: string | undefined): boolean => {
    const set = node.requirements.get(key);
    return set === undefined || value === undefined || has(set, value);
  };
  return type.offerings.filter(
    (offering) =>
      offering.isAvailable &&
      allows(labels.zone, offering.zone) &&
      allows(labels.zoneId, offering.zoneId) &&
      allows(labels.capacityType, offering.capacityType),
  );
}

function countsOf(counts: readonly number[]): Counts {
  const sorted = [...counts].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { min: at(0), p10: at(0.1), median: at(0.5) };
}

function largestSpotPool(nodes: readonly AnsweredNode[]): number {
  const pools = new Map<string, number>();
  for (const { cheapest, pods } of nodes) {
    if (cheapest.capacityType !== 'spot') continue;
    const pool = `${cheapest.instanceType} ${cheapest.zone}`;
    pools.set(pool, (pools.get(pool) ?? 0) + pods.length);
  }
  return Math.max(0, ...pools.values());
}

/** The sum in a fixed order, since that of floats depends on it. */
function sum(amounts: readonly number[]): number {
  return [...amounts].sort((a, b) => a - b).reduce((total, amount) => total + amount, 0);
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

function compare(a = '', b = ''): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
