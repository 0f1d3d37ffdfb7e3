import { countPeers, meansPeers } from '../affinity-term.ts';
import { type Rule, rejection } from '../rule.ts';

const noCompany = rejection("node(s) didn't match pod affinity rules", 'final');

/**
 * Required pod affinity: in each term's domain there is a pod that matches all terms. The first
 * pod of a group that wants its own kind nearby may go anywhere that has the labels.
 */
export const podAffinity: Rule = {
  name: 'InterPodAffinity',
  prepare(pod, cluster) {
    const terms =
      pod.object.spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    if (terms.length === 0) return undefined;
    const { namespace } = pod.peers;
    const keys = [...new Set(terms.map((term) => term.topologyKey))];
    const matchesAll = (group: typeof pod.peers): boolean =>
      terms.every((term) => meansPeers(term, namespace, { group, cluster }));
    const counts = countPeers(cluster, keys, matchesAll);
    const isFirstOfItsKind = counts.isEmpty && matchesAll(pod.peers);
    return (node) => {
      if (keys.some((key) => node.labels[key] === undefined)) return noCompany;
      if (isFirstOfItsKind) return undefined;
      return keys.every((key) => counts.at(key, node.labels) > 0) ? undefined : noCompany;
    };
  },
};
