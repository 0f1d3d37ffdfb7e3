import type { Pod } from '../cluster/pod.ts';
import { classing, type PodClass } from '../cluster/pod-class.ts';
import type { Snapshot } from '../cluster/snapshot.ts';
import type { Refusal } from '../explain/reason.ts';
import { finish } from '../steps.ts';
import { attempts, cheapestOf } from './attempts.ts';
import { keepingOn } from './between-pods/census.ts';
import { waitingForClaims } from './exclusive-volumes.ts';
import { type Given, podsIn } from './groundwork.ts';
import { heeding } from './heeding.ts';
import { isTorn } from './kin.ts';
import { afterLeaving } from './leaving-nodes.ts';
import { reservationsOfOrders, withoutTaken } from './market/reserved.ts';
import type { Plan, Unplaced } from './plan.ts';
import { Refusals, refusalOfPod } from './refusing/refusal.ts';
import { safest } from './safest.ts';
import { type Answer, lookAgain } from './second-look.ts';
import { mediumBatch, type SolveSettings, settingsOf, smallBatch } from './settings.ts';
import { meetNodes, surveying } from './site.ts';
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
  return finish(solving(snapshot, pods, settings));
}

/** The same, in small steps of work, for callers that have other things to do in between. */
export function* solving(
  cluster: Snapshot,
  pods: readonly Pod[],
  settings: SolveSettings = {},
): Generator<void, Plan> {
  const snapshot = afterLeaving(afterOrders(cluster), pods);
  const refused = new Map<PodClass, Refusal>();
  yield* meetNodes(snapshot);
  // Who moves takes its claim along, and so comes before others that wait for it.
  const waiting = waitingForClaims(cluster, pods);
  const stuck = new Set(waiting.map(({ pod }) => pod));
  const free = stuck.size === 0 ? pods : pods.filter((pod) => !stuck.has(pod));
  // What bound pods have against others tells classes apart.
  const keptAway = keepingOn(snapshot).map(({ term }) => term);
  const classes = yield* classing(free, keptAway);
  yield;
  for (const podClass of classes) {
    const refusal = refusalOfPod(podClass.sample);
    if (refusal !== undefined) refused.set(podClass, refusal);
  }
  const sound = classes.filter((podClass) => !refused.has(podClass));
  const site = yield* surveying(snapshot, sound);
  const given = { snapshot, classes: sound, settings: settingsOf(settings), site };
  const solution = yield* bestSolution(given);
  const { placements, newNodes, left } = yield* lookAgain(given, answerOf(solution, sound));
  const unplaced: Unplaced[] = [...waiting];
  const plan = { placements, newNodes, unplaced };
  const refusals = new Refusals(snapshot, plan, given.settings);
  for (const podClass of classes) {
    const own = refused.get(podClass);
    const pods = own === undefined ? left.get(podClass) : podClass.pods;
    const [first] = pods ?? [];
    if (pods === undefined || first === undefined) continue;
    const refusal = own ?? refusals.of(first);
    for (const pod of pods) unplaced.push({ pod, refusal });
    yield;
  }
  return plan;
}

/** The cluster with reservations less what machines on order will take of them. */
function afterOrders(cluster: Snapshot): Snapshot {
  const pools = withoutTaken(cluster.pools, reservationsOfOrders(cluster.nodes));
  return pools === cluster.pools ? cluster : { ...cluster, pools };
}

function answerOf(solution: Solution, classes: readonly PodClass[]): Answer {
  const { placements, newNodes, unplaced } = solution;
  const left = new Map<PodClass, readonly Pod[]>();
  for (const podClass of unplaced.size === 0 ? [] : classes) {
    const pods = unplaced.get(podClass);
    if (pods !== undefined) left.set(podClass, pods);
  }
  return { placements, newNodes, left };
}

/**
 * Who must be with others of its kind had better wait until these have their places, since they
 * may arrive first. It waits for those that matter less only where nobody is worse served so.
 */
function* bestSolution(given: Given): Generator<void, Solution> {
  if (!(yield* isTorn(given.classes, given.snapshot))) return yield* bestInTurn(given);
  const patient = yield* bestInTurn({ ...given, isPatient: true });
  if (patient.left === 0) return patient;
  const other = yield* bestInTurn(given);
  return !patient.isHalfKept && patient.compareLeft(other) <= 0 ? patient : other;
}

function* bestInTurn(given: Given): Generator<void, Solution> {
  const best = yield* Solution.find(given, 'prudently');
  const pods = podsIn(given);
  // A limit that stops part of a batch would leave rules between pods half kept.
  if (best.isHalfKept) {
    const careful = yield* Solution.find(given, 'one by one');
    return pods <= smallBatch ? yield* cheapestOf(given, careful, attempts) : careful;
  }
  if (best.newNodes.length === 0) return best;
  const heeded = pods <= mediumBatch ? yield* heeding(given, best) : { given, solution: best };
  if (heeded.solution.newNodes.length === 0) return heeded.solution;
  if (pods > smallBatch) return yield* safest(heeded.given, heeded.solution);
  const cheapest = yield* cheapestOf(given, heeded.solution, attempts);
  return heeded.given === given ? cheapest : yield* cheapestOf(heeded.given, cheapest, attempts);
}
