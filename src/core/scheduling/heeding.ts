import type { PodClass } from '../cluster/pod-class.ts';
import type { Given } from './groundwork.ts';
import { Solution } from './solution.ts';

/** A plan, and the order of classes in which it was found. */
export interface Heeded {
  readonly given: Given;
  readonly solution: Solution;
}

/** So often a batch is planned again; more gained next to nothing. */
const mostRounds = 8;

/**
 * Nodes that are there are filled in turn. Who comes late may find the few that would do for it
 * full of pods that could have gone elsewhere, and then a node is bought for it. So those for whom
 * something was bought, or who got nothing, are served before others of their priority the next
 * time, and those for whom it happened more often before these; the cheapest plan counts.
 */
export function* heeding(given: Given, first: Solution): Generator<void, Heeded> {
  let best: Heeded = { given, solution: first };
  if (given.site.slotLists.areEmpty) return best;
  const urgency = new Map<PodClass, number>();
  let last = first;
  for (let round = 0; round < mostRounds && isWorthMore(best.solution); round++) {
    for (const podClass of wanting(given.classes, last))
      urgency.set(podClass, (urgency.get(podClass) ?? 0) + 1);
    const other = { ...given, classes: mostUrgentFirst(given.classes, urgency) };
    last = yield* Solution.find(other, 'prudently');
    if (!last.isHalfKept && last.isBetterThan(best.solution))
      best = { given: other, solution: last };
  }
  return best;
}

function isWorthMore({ newNodes, left }: Solution): boolean {
  return newNodes.length > 0 || left > 0;
}

/** The classes that nodes alone do not hold. */
function wanting(classes: readonly PodClass[], { placements }: Solution): readonly PodClass[] {
  const held = new Set(placements.map(({ pod }) => pod));
  return classes.filter(({ pods }) => pods.some((pod) => !held.has(pod)));
}

function mostUrgentFirst(
  classes: readonly PodClass[],
  urgency: ReadonlyMap<PodClass, number>,
): readonly PodClass[] {
  const urgencyOf = (podClass: PodClass): number => urgency.get(podClass) ?? 0;
  return [...classes].sort(
    (a, b) => b.sample.priority - a.sample.priority || urgencyOf(b) - urgencyOf(a),
  );
}
