import { matchesTerm } from '../node-selector.ts';
import { normalized, type Score } from '../score.ts';

/** Adds up the weights of the preferred node affinity terms that a node meets. */
export const preferredNodeAffinity: Score = {
  name: 'NodeAffinity',
  weight: 2,
  rate({ pod, nodes }) {
    const wishes =
      pod.object.spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    if (wishes.length === 0) return undefined;
    const sums = nodes.map((node) => {
      const met = wishes.filter((wish) => matchesTerm(wish.preference, node.node));
      return met.reduce((sum, wish) => sum + wish.weight, 0);
    });
    return normalized(sums, 'highest');
  },
};
