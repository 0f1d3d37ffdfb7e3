import { countPeers, meansPeers } from '../affinity-term.ts';
import type { NodeState } from '../node-state.ts';
import { type Rule, rejection } from '../rule.ts';

const unwantedCompany = rejection("node(s) didn't match pod anti-affinity rules", 'preemptable');

/**
 * Required pod anti-affinity: none of the pods that a term means is in the node's domain, or
 * nominated for this very node.
 */
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
    const isPromised = ({ name, labels }: NodeState): boolean =>
      cluster
        .promisedTo(name, pod)
        .some(({ peers: group }) =>
          pod.antiAffinity.some(
            (term) =>
              labels[term.topologyKey] !== undefined &&
              meansPeers(term, namespace, { group, cluster }),
          ),
        );
    return (node) =>
      counted.some(({ key, counts }) => counts.at(key, node.labels) > 0) || isPromised(node)
        ? unwantedCompany
        : undefined;
  },
};
