import type { NodeState } from './node-state.ts';
import type { Score, ScoreQuestion } from './score.ts';
import { leastAllocated } from './scores/least-allocated.ts';
import { preferredNodeAffinity } from './scores/preferred-node-affinity.ts';
import { preferredPodAffinity } from './scores/preferred-pod-affinity.ts';
import { preferredTaints } from './scores/preferred-taints.ts';
import { softSpread } from './scores/soft-spread.ts';

/** Every soft wish, with the weights of kube-scheduler. */
const scores: readonly Score[] = [
  preferredTaints,
  preferredNodeAffinity,
  leastAllocated,
  softSpread,
  preferredPodAffinity,
];

/** The node with the highest weighted score; of equals the first by name. */
export function chooseNode(question: ScoreQuestion): NodeState | undefined {
  const { nodes } = question;
  if (nodes.length < 2) return nodes[0];
  const totals = nodes.map(() => 0);
  for (const score of scores) {
    const ratings = score.rate(question);
    ratings?.forEach((rating, index) => {
      totals[index] = (totals[index] ?? 0) + score.weight * rating;
    });
  }
  let best = 0;
  for (let index = 1; index < totals.length; index++) {
    if ((totals[index] ?? 0) > (totals[best] ?? 0)) best = index;
  }
  return nodes[best];
}
