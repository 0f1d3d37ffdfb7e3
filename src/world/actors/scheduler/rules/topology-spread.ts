import type { TopologySpreadConstraint } from '../../../../api/kubernetes/core.ts';
import { type LabelSelector, selects } from '../../../../core/cluster/label-selector.ts';
import { firstUntolerated } from '../../toleration.ts';
import type { ClusterState } from '../cluster-state.ts';
import { matchesNode } from '../node-selector.ts';
import type { NodeState } from '../node-state.ts';
import type { SchedulingPod } from '../placed-pod.ts';
import { type NodeTest, type Rule, rejection } from '../rule.ts';

const tooUneven = rejection("node(s) didn't match pod topology spread constraints", 'preemptable');
const noDomain = rejection(
  "node(s) didn't match pod topology spread constraints (missing required label)",
  'final',
);

/** Spread constraints with DoNotSchedule: no domain may get too far ahead of the emptiest one. */
export const topologySpread: Rule = {
  name: 'PodTopologySpread',
  prepare(pod, cluster) {
    const constraints = (pod.object.spec.topologySpreadConstraints ?? []).filter(
      (constraint) => constraint.whenUnsatisfiable === 'DoNotSchedule',
    );
    if (constraints.length === 0) return undefined;
    const tests = constraints.map((constraint) =>
      skewTest({ pod, cluster, constraint, constraints }),
    );
    return (node) => {
      for (const test of tests) {
        const answer = test(node);
        if (answer !== undefined) return answer;
      }
      return undefined;
    };
  },
};

interface SpreadQuestion {
  readonly pod: SchedulingPod;
  readonly cluster: ClusterState;
  readonly constraint: TopologySpreadConstraint;
  /** All of the pod's constraints of the same kind: a node lacking any of their keys counts for none. */
  readonly constraints: readonly TopologySpreadConstraint[];
}

function skewTest(question: SpreadQuestion): NodeTest {
  const { pod, cluster, constraint } = question;
  const counts = countDomains(question);
  const leastOf = (some: ReadonlyMap<string, number>): number =>
    some.size >= (constraint.minDomains ?? 1) ? Math.min(...some.values()) : 0;
  const least = leastOf(counts);
  const selector = spreadSelector(pod, constraint);
  const own = selects(selector, pod.peers.labels) ? 1 : 0;
  const isMeant = ({ peers }: SchedulingPod): boolean =>
    peers.namespace === pod.peers.namespace && selects(selector, peers.labels);
  return (node) => {
    const domain = node.labels[constraint.topologyKey];
    if (domain === undefined) return noDomain;
    const count = counts.get(domain) ?? 0;
    if (count + own - least > constraint.maxSkew) return tooUneven;
    // As if those were there already that are nominated for the node.
    const promised = cluster.promisedTo(node.name, pod).filter(isMeant).length;
    if (promised === 0 || !isIncluded(pod, node, constraint)) return undefined;
    const leastThen = leastOf(new Map(counts).set(domain, count + promised));
    return count + promised + own - leastThen > constraint.maxSkew ? tooUneven : undefined;
  };
}

/** Matching pods per domain, over the nodes that the constraint's policies let count. */
export function countDomains(question: SpreadQuestion): Map<string, number> {
  const { pod, cluster, constraint, constraints } = question;
  const selector = spreadSelector(pod, constraint);
  const isCounted = new Map<string, boolean>();
  const counts = new Map<string, number>();
  for (const node of cluster.nodes()) {
    const { labels } = node;
    if (constraints.some((other) => labels[other.topologyKey] === undefined)) continue;
    if (!isIncluded(pod, node, constraint)) continue;
    const domain = labels[constraint.topologyKey] ?? '';
    let count = counts.get(domain) ?? 0;
    for (const peers of node.peerCounts.values()) {
      let matches = isCounted.get(peers.group.id);
      if (matches === undefined) {
        const { group } = peers;
        matches =
          !group.isTerminating &&
          group.namespace === pod.peers.namespace &&
          selects(selector, group.labels);
        isCounted.set(group.id, matches);
      }
      if (matches) count += peers.count;
    }
    counts.set(domain, count);
  }
  return counts;
}

/** The constraint's selector, narrowed to pods that share the named labels with this one. */
function spreadSelector(
  pod: SchedulingPod,
  constraint: TopologySpreadConstraint,
): LabelSelector | undefined {
  const { labelSelector, matchLabelKeys = [] } = constraint;
  if (labelSelector === undefined || matchLabelKeys.length === 0) return labelSelector;
  const shared = matchLabelKeys.flatMap((key) => {
    const value = pod.peers.labels[key];
    return value === undefined ? [] : [{ key, operator: 'In' as const, values: [value] }];
  });
  return {
    ...labelSelector,
    matchExpressions: [...(labelSelector.matchExpressions ?? []), ...shared],
  };
}

function isIncluded(
  pod: SchedulingPod,
  node: NodeState,
  constraint: TopologySpreadConstraint,
): boolean {
  if (constraint.nodeAffinityPolicy !== 'Ignore' && !matchesNode(pod.object, node.node))
    return false;
  if (constraint.nodeTaintsPolicy !== 'Honor') return true;
  const { tolerations } = pod.object.spec;
  const effects = ['NoSchedule', 'NoExecute'] as const;
  return firstUntolerated(node.node.spec?.taints, tolerations, effects) === undefined;
}
