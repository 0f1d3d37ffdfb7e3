import { DomainCounts, meansPeers } from '../affinity-term.ts';
import { type Rule, rejection } from '../rule.ts';

const refused = rejection(
  "node(s) didn't satisfy existing pods anti-affinity rules",
  'preemptable',
);

/** The other direction of anti-affinity: pods already placed keep this one out of their domains. */
export const guardedDomains: Rule = {
  name: 'InterPodAffinity',
  prepare(pod, cluster) {
    const counts = new DomainCounts();
    const keys = new Set<string>();
    for (const guard of cluster.guardedPods()) {
      const node = cluster.node(guard.nodeName);
      if (node === undefined) continue;
      for (const term of guard.pod.antiAffinity) {
        if (!meansPeers(term, guard.pod.peers.namespace, { group: pod.peers, cluster })) continue;
        counts.add(term.topologyKey, node.labels, 1);
        keys.add(term.topologyKey);
      }
    }
    if (counts.isEmpty) return undefined;
    const guardedKeys = [...keys];
    return (node) =>
      guardedKeys.some((key) => counts.at(key, node.labels) > 0) ? refused : undefined;
  },
};
