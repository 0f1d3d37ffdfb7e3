import type { PodAffinityTerm } from '../../../api/kubernetes/core.ts';
import { selects } from '../../../core/cluster/label-selector.ts';
import type { ClusterState } from './cluster-state.ts';
import type { PeerGroup } from './placed-pod.ts';

/** Whether pods of the group are meant by the term of a pod in `ownNamespace`. */
export function meansPeers(
  term: PodAffinityTerm,
  ownNamespace: string,
  question: { readonly group: PeerGroup; readonly cluster: ClusterState },
): boolean {
  const { group, cluster } = question;
  return (
    meansNamespace(term, ownNamespace, { namespace: group.namespace, cluster }) &&
    selects(term.labelSelector, group.labels)
  );
}

function meansNamespace(
  term: PodAffinityTerm,
  ownNamespace: string,
  question: { readonly namespace: string; readonly cluster: ClusterState },
): boolean {
  const { namespace, cluster } = question;
  const names = term.namespaces ?? [];
  if (names.length === 0 && term.namespaceSelector === undefined) return namespace === ownNamespace;
  if (names.includes(namespace)) return true;
  if (term.namespaceSelector === undefined) return false;
  return selects(term.namespaceSelector, cluster.surroundings.namespaceLabels(namespace));
}

/** Counts per `key=value` of a node label. */
export class DomainCounts {
  readonly #counts = new Map<string, number>();

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  add(topologyKey: string, labels: Readonly<Record<string, string>>, amount: number): void {
    const value = labels[topologyKey];
    if (value === undefined || amount === 0) return;
    const pair = `${topologyKey}=${value}`;
    this.#counts.set(pair, (this.#counts.get(pair) ?? 0) + amount);
  }

  /** How many were counted in the domain of a node with these labels. */
  at(topologyKey: string, labels: Readonly<Record<string, string>>): number {
    const value = labels[topologyKey];
    return value === undefined ? 0 : (this.#counts.get(`${topologyKey}=${value}`) ?? 0);
  }
}

/** Counts, per domain of the term, the pods for which `isMeant` holds. */
export function countPeers(
  cluster: ClusterState,
  topologyKeys: readonly string[],
  isMeant: (group: PeerGroup) => boolean,
): DomainCounts {
  const verdicts = new Map<string, boolean>();
  const counts = new DomainCounts();
  for (const node of cluster.nodes()) {
    for (const { group, count } of node.peerCounts.values()) {
      let verdict = verdicts.get(group.id);
      if (verdict === undefined) {
        verdict = isMeant(group);
        verdicts.set(group.id, verdict);
      }
      if (!verdict) continue;
      for (const key of topologyKeys) counts.add(key, node.labels, count);
    }
  }
  return counts;
}
