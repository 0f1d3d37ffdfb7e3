import type { TopologySpreadConstraint } from '../../../../api/kubernetes/core.ts';
import type { NodeState } from '../node-state.ts';
import { countDomains } from '../rules/topology-spread.ts';
import { normalized, type Score, type ScoreQuestion } from '../score.ts';

/**
 * ScheduleAnyway constraints: fewer matching pods in the node's domain is better. A pod without
 * any spread constraint is spread over nodes and zones among its like, as kube-scheduler's
 * built-in defaults do for the pods of a workload.
 */
export const softSpread: Score = {
  name: 'PodTopologySpread',
  weight: 2,
  rate(question) {
    const own = question.pod.object.spec.topologySpreadConstraints ?? [];
    if (own.length === 0) return spreadAmongPeers(question);
    const soft = own.filter((constraint) => constraint.whenUnsatisfiable === 'ScheduleAnyway');
    return soft.length === 0 ? undefined : spreadAsAsked(question, soft);
  },
};

function spreadAsAsked(
  { pod, cluster, nodes }: ScoreQuestion,
  soft: readonly TopologySpreadConstraint[],
): readonly number[] | undefined {
  const sums = nodes.map(() => 0);
  for (const constraint of soft) {
    const counts = countDomains({ pod, cluster, constraint, constraints: [constraint] });
    nodes.forEach((node, index) => {
      const domain = node.labels[constraint.topologyKey];
      // A node outside every domain is worse than the fullest domain.
      const count = domain === undefined ? cluster.nodes().length : (counts.get(domain) ?? 0);
      sums[index] = (sums[index] ?? 0) + count / constraint.maxSkew;
    });
  }
  return normalized(sums, 'lowest');
}

/** The built-in defaults allow a skew of three between nodes and of five between zones. */
function spreadAmongPeers({ pod, cluster, nodes }: ScoreQuestion): readonly number[] | undefined {
  if (Object.keys(pod.peers.labels).length === 0) return undefined;
  const peersOn = (node: NodeState): number => node.peerCounts.get(pod.peers.id)?.count ?? 0;
  const inZone = new Map<string, number>();
  for (const node of cluster.nodes()) {
    const zone = node.labels[zoneLabel] ?? '';
    inZone.set(zone, (inZone.get(zone) ?? 0) + peersOn(node));
  }
  const sums = nodes.map((node) => {
    const zone = node.labels[zoneLabel] ?? '';
    return peersOn(node) / 3 + (inZone.get(zone) ?? 0) / 5;
  });
  return normalized(sums, 'lowest');
}

const zoneLabel = 'topology.kubernetes.io/zone';
