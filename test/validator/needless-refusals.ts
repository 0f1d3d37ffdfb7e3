import type { InstanceType, Offering } from '../../src/core/catalog/instance-type.ts';
import type { Pod } from '../../src/core/cluster/pod.ts';
import type { Pool, Snapshot } from '../../src/core/cluster/snapshot.ts';
import {
  combine,
  labelsAsRequirements,
  type Requirements,
} from '../../src/core/requirements/requirements.ts';
import { labels } from '../../src/core/requirements/well-known.ts';
import type { NewNode, Plan } from '../../src/core/scheduling/plan.ts';
import { keepingApartFaults } from './keeping-apart.ts';
import { newNodeFaults } from './new-node-faults.ts';
import { orderOfArrival } from './order-of-arrival.ts';
import { placesOf } from './places.ts';
import { isUnplaceable, volumeAlternatives } from './pod-rules.ts';
import { textOf } from './reach.ts';
import { placingFaults } from './validate-plan.ts';

/**
 * Refused pods for whom there is a place beside everything that the plan does, one sentence each:
 * every place is tried, on nodes that are there, on those that the plan orders and alone on a new
 * one. Pods that could come only before others of the plan are not named. Of pods that are alike,
 * one is asked about. Pools with `minValues` are left aside, since no single machine keeps them.
 */
export function needlessRefusals(
  snapshot: Snapshot,
  pods: readonly Pod[],
  plan: Plan,
): readonly string[] {
  if (placingFaults(snapshot, pods, plan).length > 0) return [];
  const seen = new Set<string>();
  return plan.unplaced.flatMap(({ pod }) => {
    // Of pods with one claim for one pod, the one that may have it is chosen before all else.
    if (isUnplaceable(pod) || pod.volumes?.exclusive !== undefined) return [];
    const { uid: _uid, name: _name, ...kind } = pod;
    if (seen.has(textOf(kind))) return [];
    seen.add(textOf(kind));
    for (const { plan: more, where } of plansWith(snapshot, plan, pod))
      if (isRight(snapshot, pods, { plan: more, pod }))
        return [`pod ${pod.name} would fit ${where}`];
    return [];
  });
}

interface Candidate {
  readonly plan: Plan;
  readonly where: string;
}

/** The plan is sound with the pod, which comes last of all. */
function isRight(
  snapshot: Snapshot,
  pods: readonly Pod[],
  { plan, pod }: { readonly plan: Plan; readonly pod: Pod },
): boolean {
  if (placingFaults(snapshot, pods, plan).length > 0) return false;
  const places = placesOf(snapshot, plan).map((place) => ({
    ...place,
    residents: [...place.residents, ...place.newcomers.filter((one) => one !== pod)],
    newcomers: place.newcomers.filter((one) => one === pod),
    // Who stays on a leaving node for the time being keeps others away for as long.
    isLeaving: false,
  }));
  const isApart = keepingApartFaults(snapshot, places).length === 0;
  return isApart && orderOfArrival(snapshot, places).faults.length === 0;
}

function* plansWith(snapshot: Snapshot, plan: Plan, pod: Pod): Iterable<Candidate> {
  const unplaced = plan.unplaced.filter((one) => one.pod !== pod);
  for (const { name, isLeaving } of snapshot.nodes) {
    const placements = [...plan.placements, { pod, nodeName: name }];
    if (!isLeaving) yield { plan: { ...plan, unplaced, placements }, where: `on ${name}` };
  }
  for (const [index, node] of plan.newNodes.entries())
    for (const order of ordersFor(node, [...node.pods, pod])) {
      if (newNodeFaults(snapshot, order, '').length > 0) continue;
      const newNodes = plan.newNodes.with(index, order);
      yield { plan: { ...plan, unplaced, newNodes }, where: `on new node ${index}` };
    }
  for (const pool of snapshot.pools)
    for (const order of ordersFor({ pool, requirements: pool.requirements }, [pod])) {
      if (newNodeFaults(snapshot, order, '').length > 0) continue;
      const newNodes = [...plan.newNodes, order];
      yield { plan: { ...plan, unplaced, newNodes }, where: `alone on a node of ${pool.name}` };
    }
}

/** Every way to buy one machine of the pool for the pods, all labels settled. */
function* ordersFor(
  { pool, requirements }: Pick<NewNode, 'pool' | 'requirements'>,
  pods: readonly Pod[],
): Iterable<NewNode> {
  if (pool.minValues !== undefined) return;
  const last = pods.at(-1);
  if (last === undefined) return;
  const wanted = last.nodeAlternatives.flatMap((one) =>
    volumeAlternatives(last).map((other) => combine(combine(requirements, one), other)),
  );
  for (const type of pool.instanceTypes)
    for (const offering of type.offerings)
      for (const settled of wanted.filter((one) => isKnown(one, pool, type)).flatMap(settlings))
        yield orderOf({ pool, pods, requirements: settled, type, offering });
}

/** No pool gives its nodes labels that it does not name, and that are not those of machines. */
function isKnown(wanted: Requirements, pool: Pool, type: InstanceType): boolean {
  return [...wanted].every(
    ([key, set]) =>
      set.mayBeAbsent ||
      pool.requirements.has(key) ||
      type.requirements.has(key) ||
      isOfMachine(key),
  );
}

/** The requirements with every choice for a label that leaves one. */
function settlings(requirements: Requirements): readonly Requirements[] {
  const open = [...requirements].find(
    ([key, set]) => !isOfMachine(key) && set.kind === 'only' && set.values.size > 1,
  );
  if (open === undefined) return [requirements];
  const [key, { values }] = open;
  return [...values].flatMap((value) =>
    settlings(combine(requirements, labelsAsRequirements({ [key]: value }))),
  );
}

function isOfMachine(key: string): boolean {
  const own: readonly string[] = [labels.zone, labels.capacityType, labels.arch, labels.os];
  return own.includes(key) || key.includes('instance') || key.startsWith('karpenter.');
}

function orderOf(parts: {
  readonly pool: Pool;
  readonly pods: readonly Pod[];
  readonly requirements: Requirements;
  readonly type: InstanceType;
  readonly offering: Offering;
}): NewNode {
  const { pool, pods, type, offering } = parts;
  const { zone, capacityType, priceUsdPerHour } = offering;
  const bought = labelsAsRequirements({ [labels.zone]: zone, [labels.capacityType]: capacityType });
  return {
    pool,
    pods,
    requirements: combine(parts.requirements, bought),
    instanceTypes: [type],
    requests: {},
    cheapest: { instanceType: type.name, zone, capacityType, priceUsdPerHour },
  } as NewNode;
}
