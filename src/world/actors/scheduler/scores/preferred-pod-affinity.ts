import { countPeers, meansPeers } from '../affinity-term.ts';
import { normalized, type Score } from '../score.ts';

/** Preferred pod affinity draws towards, preferred anti-affinity away from, matching pods. */
export const preferredPodAffinity: Score = {
  name: 'InterPodAffinity',
  weight: 2,
  rate({ pod, nodes, cluster }) {
    const affinity = pod.object.spec.affinity;
    const wishes = [
      ...(affinity?.podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []),
      ...(affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
        (wish) => ({ ...wish, weight: -wish.weight }),
      ),
    ];
    if (wishes.length === 0) return undefined;
    const sums = nodes.map(() => 0);
    for (const { weight, podAffinityTerm: term } of wishes) {
      const counts = countPeers(cluster, [term.topologyKey], (group) =>
        meansPeers(term, pod.peers.namespace, { group, cluster }),
      );
      nodes.forEach((node, index) => {
        sums[index] = (sums[index] ?? 0) + weight * counts.at(term.topologyKey, node.labels);
      });
    }
    return normalized(sums, 'highest');
  },
};
