import { factsOf } from '../cluster/node-facts.ts';
import type { Pod, PodTerm } from '../cluster/pod.ts';
import { classesOf, type PodClass } from '../cluster/pod-class.ts';
import type { Snapshot } from '../cluster/snapshot.ts';
import type { Refusal } from '../explain/reason.ts';
import type { Plan, Unplaced } from './plan.ts';
import { Refusals, refusalOfPod } from './refusal.ts';
import { type SolveSettings, settingsOf } from './settings.ts';
import { Solution } from './solution.ts';

export type { SolveSettings } from './settings.ts';

/**
 * Where every pod goes: existing and ordered nodes first, then new nodes, from heavier pools
 * before lighter ones, at the least price. Pure, and the same whatever the order of its input.
 *
 * `pods` are all pods that wait for a place, those that a node is reserved for included: a
 * reservation (`Node.reservedFor`) holds only for pods that are named here, and such a pod is
 * placed on its node again in every plan until it is bound.
 */
export function solve(
  snapshot: Snapshot,
  pods: readonly Pod[],
  settings: SolveSettings = {},
): Plan {
  const steps = solving(snapshot, pods, settings);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** The same, in small steps of work, for callers that have other things to do in between. */
export function* solving(
  snapshot: Snapshot,
  pods: readonly Pod[],
  settings: SolveSettings = {},
): Generator<void, Plan> {
  const refused = new Map<PodClass, Refusal>();
  const classes = classesOf(pods, keptAwayTerms(snapshot));
  yield;
  for (const podClass of classes) {
    const refusal = refusalOfPod(podClass.sample);
    if (refusal !== undefined) refused.set(podClass, refusal);
  }
  const sound = classes.filter((podClass) => !refused.has(podClass));
  const given = { snapshot, classes: sound, settings: settingsOf(settings) };
  let solution = yield* Solution.find(given, 'fast');
  // A limit that stops part of a batch would leave rules between pods half kept.
  if (solution.isHalfKept) solution = yield* Solution.find(given, 'careful');
  const unplaced: Unplaced[] = [];
  const plan = { placements: solution.placements, newNodes: solution.newNodes, unplaced };
  const refusals = new Refusals(snapshot, plan, given.settings);
  for (const podClass of classes) {
    const own = refused.get(podClass);
    const left = own === undefined ? solution.unplacedOf(podClass) : podClass.pods;
    const [first] = left;
    if (first === undefined) continue;
    const refusal = own ?? refusals.of(first);
    for (const pod of left) unplaced.push({ pod, refusal });
    yield;
  }
  return plan;
}

/** What bound pods have against others, so that classes are told apart by it. */
function* keptAwayTerms({ nodes }: Snapshot): Iterable<PodTerm> {
  for (const node of nodes) for (const pod of factsOf(node).keepers) yield* pod.antiAffinity ?? [];
}
