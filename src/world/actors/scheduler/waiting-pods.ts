import type { PodObject } from '../../../api/kubernetes/core.ts';
import { keyOf } from '../../../api/resource.ts';
import { byAge, isTerminal, isTerminating } from '../pod-state.ts';
import { type SchedulingPod, schedulingPod } from './placed-pod.ts';

/** A pod that wants a node, with what makes its chances equal to those of another. */
export interface WaitingPod {
  readonly pod: SchedulingPod;
  /** Equal for pods that every rule judges alike. */
  readonly likeness: string;
  /** Whether its chances depend on where other pods are. */
  readonly looksAtPods: boolean;
}

/** Whether our scheduler is to find a node for it now. */
export function wantsNode(pod: PodObject): boolean {
  const { nodeName, schedulerName, schedulingGates } = pod.spec;
  return (
    !nodeName &&
    (schedulerName ?? 'default-scheduler') === 'default-scheduler' &&
    (schedulingGates?.length ?? 0) === 0 &&
    !isTerminal(pod) &&
    !isTerminating(pod)
  );
}

export function waitingPod(object: PodObject): WaitingPod {
  const pod = schedulingPod(object);
  const { affinity, nodeSelector, tolerations, topologySpreadConstraints, volumes } = object.spec;
  const claims = volumes?.map((volume) => volume.persistentVolumeClaim?.claimName);
  const likeness = JSON.stringify([
    pod.peers.id,
    pod.requests,
    pod.hostPorts,
    affinity,
    nodeSelector,
    tolerations,
    topologySpreadConstraints,
    claims?.filter((claim) => claim !== undefined),
  ]);
  const looksAtPods =
    affinity?.podAffinity !== undefined || (topologySpreadConstraints?.length ?? 0) > 0;
  return { pod, likeness, looksAtPods };
}

/** The order of the queue: higher priority first, then the older, then by name. */
export function byUrgency(a: WaitingPod, b: WaitingPod): number {
  const [first, second] = [a.pod.object, b.pod.object];
  const difference = (second.spec.priority ?? 0) - (first.spec.priority ?? 0);
  if (difference !== 0) return difference;
  return byAge(first, second) || (keyOf(first) < keyOf(second) ? -1 : 1);
}
