import type { ClusterState } from './cluster-state.ts';
import type { NodeState } from './node-state.ts';
import type { SchedulingPod } from './placed-pod.ts';

/** Why a node cannot take a pod. */
export interface Rejection {
  /** As kube-scheduler words them; counted over all nodes in the pod's message. */
  readonly reasons: readonly string[];
  /** Whether evicting other pods could make room; false when only a change to the node could. */
  readonly couldPreempt: boolean;
}

/** Judges one node for the pod the rule was prepared for. */
export type NodeTest = (node: NodeState) => Rejection | undefined;

/**
 * One hard constraint of kube-scheduler. `prepare` does what is common to all nodes; it answers
 * undefined when the pod does not use the constraint at all.
 */
export interface Rule {
  readonly name: string;
  prepare(pod: SchedulingPod, cluster: ClusterState): NodeTest | undefined;
}

export function rejection(reason: string, couldPreempt: 'preemptable' | 'final'): Rejection {
  return { reasons: [reason], couldPreempt: couldPreempt === 'preemptable' };
}
