import { countPeers, meansPeers } from '../affinity-term.ts';
import { type Rule, rejection } from '../rule.ts';

const unwantedCompany = rejection("node(s) didn't match pod anti-affinity rules", 'preemptable');

/** Required pod anti-affinity: none of the pods that a term means is in the node's domain. */
export const podAntiAffinity: Rule = {
  name: 'InterPodAffinity',
  prepare(pod, cluster) {
    if (pod.antiAffinity.length === 0) return undefined;
    const { namespace } = pod.peers;
    const counted = pod.antiAffinity.map((term) => ({
      key: term.topologyKey,
      counts: countPeers(cluster, [term.topologyKey], (group) =>
        meansPeers(term, namespace, { group, cluster }),
      ),
    }));
    return (node) =>
      counted.some(({ key, counts }) => counts.at(key, node.labels) > 0)
        ? unwantedCompany
        : undefined;
  },
};
