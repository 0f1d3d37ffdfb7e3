import type { ClusterState } from './cluster-state.ts';
import type { NodeState } from './node-state.ts';
import type { SchedulingPod } from './placed-pod.ts';
import type { NodeTest, Rejection } from './rule.ts';
import { rules } from './rules.ts';

type Feasibility =
  | { readonly kind: 'feasible'; readonly nodes: readonly NodeState[] }
  | { readonly kind: 'unschedulable'; readonly message: string };

/**
 * Every node that all rules accept for the pod, by name; or why there is none. The node that it
 * is nominated for is asked first, and then no other.
 */
export function feasibility(pod: SchedulingPod, cluster: ClusterState): Feasibility {
  const tests: NodeTest[] = [];
  for (const rule of rules) {
    const test = rule.prepare(pod, cluster);
    if (test !== undefined) tests.push(test);
  }
  const nominated = cluster.node(pod.object.status?.nominatedNodeName ?? '');
  if (nominated !== undefined && firstRejection(tests, nominated) === undefined)
    return { kind: 'feasible', nodes: [nominated] };
  const nodes: NodeState[] = [];
  const rejections: Rejection[] = [];
  for (const node of cluster.nodes()) {
    const rejection = firstRejection(tests, node);
    if (rejection === undefined) nodes.push(node);
    else rejections.push(rejection);
  }
  if (nodes.length > 0) return { kind: 'feasible', nodes };
  return { kind: 'unschedulable', message: unschedulableMessage(rejections) };
}

function firstRejection(tests: readonly NodeTest[], node: NodeState): Rejection | undefined {
  for (const test of tests) {
    const rejection = test(node);
    if (rejection !== undefined) return rejection;
  }
  return undefined;
}

/**
 * In the words of kube-scheduler, which people and tools read. We never preempt, so that the
 * second half says what a scheduler says that looked for victims and found none; nor do we give out
 * device claims, of which version 1.36 speaks in between.
 */
function unschedulableMessage(rejections: readonly Rejection[]): string {
  if (rejections.length === 0) return 'no nodes available to schedule pods';
  const head = `0/${rejections.length} nodes are available:`;
  const reasons = histogram(rejections.flatMap((rejection) => rejection.reasons));
  const victims = histogram(
    rejections.map((rejection) =>
      rejection.couldPreempt
        ? 'No preemption victims found for incoming pod'
        : 'Preemption is not helpful for scheduling',
    ),
  );
  return `${head} ${reasons}. no new claims to deallocate, preemption: ${head} ${victims}.`;
}

function histogram(reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ');
}
