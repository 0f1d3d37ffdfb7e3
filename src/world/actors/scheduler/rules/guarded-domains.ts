import { DomainCounts, meansPeers } from '../affinity-term.ts';
import type { NodeState } from '../node-state.ts';
import { type Rule, rejection } from '../rule.ts';

const refused = rejection(
  "node(s) didn't satisfy existing pods anti-affinity rules",
  'preemptable',
);

/**
 * The other direction of anti-affinity: pods already placed keep this one out of their domains, and
 * pods that are nominated for a node out of that node.
 */
export const guardedDomains: Rule = {
  name: 'InterPodAffinity',
  prepare(pod, cluster) {
    const counts = new DomainCounts();
    const keys = new Set<string>();
    for (const guards of cluster.guards()) {
      for (const term of guards.terms) {
        if (!meansPeers(term, guards.namespace, { group: pod.peers, cluster })) continue;
        keys.add(term.topologyKey);
        for (const nodeName of guards.counts.keys())
          counts.add(term.topologyKey, cluster.node(nodeName)?.labels ?? {}, 1);
      }
    }
    const guardedKeys = [...keys];
    const isPromised = ({ name, labels }: NodeState): boolean =>
      cluster
        .promisedTo(name, pod)
        .some(({ antiAffinity, peers: { namespace } }) =>
          antiAffinity.some(
            (term) =>
              labels[term.topologyKey] !== undefined &&
              meansPeers(term, namespace, { group: pod.peers, cluster }),
          ),
        );
    return (node) =>
      guardedKeys.some((key) => counts.at(key, node.labels) > 0) || isPromised(node)
        ? refused
        : undefined;
  },
};
