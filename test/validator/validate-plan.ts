import type { Pod } from '../../src/core/cluster/pod.ts';
import type { Snapshot } from '../../src/core/cluster/snapshot.ts';
import type { MinValuesPolicy } from '../../src/core/scheduling/ordering/order.ts';
import type { Plan } from '../../src/core/scheduling/plan.ts';
import { existingNodeFaults } from './existing-node-faults.ts';
import { keepingApartFaults } from './keeping-apart.ts';
import { newNodeFaults } from './new-node-faults.ts';
import { orderOfArrival } from './order-of-arrival.ts';
import { nameOfNew, placesOf } from './places.ts';
import { purchaseFaults } from './purchase-faults.ts';

/**
 * Judges a plan slowly and by the plainest reading of the rules, with nothing of the engine but
 * its value types. Returns one sentence per fault; none means that the plan is sound.
 */
export function validatePlan(
  snapshot: Snapshot,
  pods: readonly Pod[],
  plan: Plan,
): readonly string[] {
  return [...placingFaults(snapshot, pods, plan), ...refusalFaults(plan)];
}

/** By plan, what was found about it, and for which question. */
const judged = new WeakMap<Plan, { readonly question: unknown[]; readonly faults: string[] }>();

/** The same without a look at refusals, which are worked out only when somebody reads them. */
export function placingFaults(
  snapshot: Snapshot,
  pods: readonly Pod[],
  plan: Plan,
  minValuesPolicy: MinValuesPolicy = 'Strict',
): readonly string[] {
  const question = [snapshot, pods, minValuesPolicy];
  const known = judged.get(plan);
  if (known?.question.every((part, index) => part === question[index])) return known.faults;
  const places = placesOf(snapshot, plan);
  const faults = [
    ...everyPodOnce(pods, plan),
    ...existingNodeFaults(snapshot, plan),
    ...plan.newNodes.flatMap((node, index) => newNodeFaults(snapshot, node, nameOfNew(index))),
    ...purchaseFaults(snapshot, plan, minValuesPolicy),
    ...keepingApartFaults(snapshot, places),
    ...orderOfArrival(snapshot, places, orderIn(plan)).faults,
    ...claimFaults(snapshot, plan),
  ];
  judged.set(plan, { question, faults });
  return faults;
}

/** The order in which the plan filled the nodes that are there. */
function orderIn({ placements }: Plan): readonly Pod[] {
  return placements.map(({ pod }) => pod);
}

/** A claim for one pod at a time has one user, bound pods included; who moves is no second one. */
function claimFaults(snapshot: Snapshot, plan: Plan): readonly string[] {
  const users = new Map<string, Set<string>>();
  const placed = [
    ...plan.placements.map(({ pod }) => pod),
    ...plan.newNodes.flatMap((node) => node.pods),
  ];
  for (const pod of [...placed, ...snapshot.nodes.flatMap((node) => node.pods)])
    for (const claim of pod.volumes?.exclusive ?? [])
      users.set(claim, new Set([...(users.get(claim) ?? []), pod.uid]));
  const isUsed = new Set(placed.flatMap((pod) => pod.volumes?.exclusive ?? []));
  return [...users]
    .filter(([claim, uids]) => isUsed.has(claim) && uids.size > 1)
    .map(([claim, uids]) => `claim ${claim} has ${uids.size} users`);
}

function everyPodOnce(pods: readonly Pod[], plan: Plan): readonly string[] {
  const places = new Map<string, number>();
  const seen = [
    ...plan.placements.map(({ pod }) => pod),
    ...plan.newNodes.flatMap((node) => node.pods),
    ...plan.unplaced.map(({ pod }) => pod),
  ];
  for (const pod of seen) places.set(pod.uid, (places.get(pod.uid) ?? 0) + 1);
  const known = new Set(pods.map((pod) => pod.uid));
  return [
    ...pods
      .filter((pod) => places.get(pod.uid) !== 1)
      .map((pod) => `pod ${pod.name} has ${places.get(pod.uid) ?? 0} answers`),
    ...[...places.keys()].filter((uid) => !known.has(uid)).map((uid) => `pod ${uid} was not asked`),
  ];
}

function refusalFaults(plan: Plan): readonly string[] {
  return plan.unplaced
    .filter(({ refusal }) => refusal.sentence.length < 20)
    .map(({ pod }) => `pod ${pod.name} is refused without a reason`);
}
