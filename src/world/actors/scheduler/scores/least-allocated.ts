import type { NodeState } from '../node-state.ts';
import type { SchedulingPod } from '../placed-pod.ts';
import type { Score } from '../score.ts';

/** Prefers nodes with much CPU and memory left after the pod is there. */
export const leastAllocated: Score = {
  name: 'NodeResourcesFit',
  weight: 1,
  rate: ({ pod, nodes }) =>
    nodes.map((node) => (left('cpu', pod, node) + left('memory', pod, node)) / 2),
};

function left(resource: string, pod: SchedulingPod, node: NodeState): number {
  const capacity = node.allocatable[resource] ?? 0;
  if (capacity === 0) return 0;
  const used = (node.requested[resource] ?? 0) + (pod.requests[resource] ?? 0);
  return (Math.max(0, capacity - used) * 100) / capacity;
}
