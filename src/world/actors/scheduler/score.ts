import type { ClusterState } from './cluster-state.ts';
import type { NodeState } from './node-state.ts';
import type { SchedulingPod } from './placed-pod.ts';

/** What a score looks at: the pod, and the nodes that all rules accept. */
export interface ScoreQuestion {
  readonly pod: SchedulingPod;
  readonly nodes: readonly NodeState[];
  readonly cluster: ClusterState;
}

/**
 * One soft wish of kube-scheduler. Answers a value from 0 to 100 per node, in the order of the
 * nodes, or undefined when it makes no difference to this pod.
 */
export interface Score {
  readonly name: string;
  readonly weight: number;
  rate(question: ScoreQuestion): readonly number[] | undefined;
}

/** Stretches raw values so that the best gets 100: the highest, or with `lowest` the lowest. */
export function normalized(
  values: readonly number[],
  best: 'highest' | 'lowest',
): readonly number[] | undefined {
  const most = Math.max(...values);
  const least = Math.min(...values);
  if (most === least) return undefined;
  const share = (value: number): number => ((value - least) * 100) / (most - least);
  return values.map((value) => (best === 'highest' ? share(value) : 100 - share(value)));
}
