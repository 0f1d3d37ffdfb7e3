import type { TopologySpreadConstraint } from '../../../../api/kubernetes/core.ts';
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
    const constraints = softConstraints(question);
    if (constraints.length === 0) return undefined;
    const { pod, cluster, nodes } = question;
    const sums = nodes.map(() => 0);
    for (const constraint of constraints) {
      const counts = countDomains({ pod, cluster, constraint, constraints: [constraint] });
      nodes.forEach((node, index) => {
        const domain = node.labels[constraint.topologyKey];
        // A node outside every domain is worse than the fullest domain.
        const count = domain === undefined ? cluster.nodes().length : (counts.get(domain) ?? 0);
        sums[index] = (sums[index] ?? 0) + count / constraint.maxSkew;
      });
    }
    return normalized(sums, 'lowest');
  },
};

function softConstraints({ pod }: ScoreQuestion): readonly TopologySpreadConstraint[] {
  const own = pod.object.spec.topologySpreadConstraints ?? [];
  if (own.length > 0) return own.filter((c) => c.whenUnsatisfiable === 'ScheduleAnyway');
  if (Object.keys(pod.peers.labels).length === 0) return [];
  const labelSelector = { matchLabels: pod.peers.labels };
  return [
    { ...builtIn, maxSkew: 3, topologyKey: 'kubernetes.io/hostname', labelSelector },
    { ...builtIn, maxSkew: 5, topologyKey: 'topology.kubernetes.io/zone', labelSelector },
  ];
}

const builtIn = { whenUnsatisfiable: 'ScheduleAnyway' } as const;
