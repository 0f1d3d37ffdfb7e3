import { isTolerated } from '../../toleration.ts';
import { normalized, type Score } from '../score.ts';

/** Avoids nodes with PreferNoSchedule taints that the pod does not tolerate. */
export const preferredTaints: Score = {
  name: 'TaintToleration',
  weight: 3,
  rate({ pod, nodes }) {
    const { tolerations } = pod.object.spec;
    const counts = nodes.map((node) => {
      const soft = (node.node.spec?.taints ?? []).filter((t) => t.effect === 'PreferNoSchedule');
      return soft.filter((taint) => !isTolerated(taint, tolerations)).length;
    });
    return normalized(counts, 'lowest');
  },
};
