import type { PodObject } from '../../../api/kubernetes/core.ts';
import { compareText } from '../../../core/text-order.ts';
import { createdAtMs, isTerminal, isTerminating } from '../pod-state.ts';
import { type SchedulingPod, schedulingPod } from './placed-pod.ts';

/** A pod that wants a node, with what makes its chances equal to those of another. */
export interface WaitingPod {
  readonly pod: SchedulingPod;
  /** Equal for pods that every rule judges alike. */
  readonly likeness: string;
  /** Whether its chances depend on where other pods are. */
  readonly looksAtPods: boolean;
  readonly createdAtMs: number;
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
    pod.priority,
    object.status?.nominatedNodeName,
  ]);
  const looksAtPods =
    affinity?.podAffinity !== undefined || (topologySpreadConstraints?.length ?? 0) > 0;
  return { pod, likeness, looksAtPods, createdAtMs: createdAtMs(object) };
}

/** The order of the queue: higher priority first, then the older, then by name. */
export function byUrgency(a: WaitingPod, b: WaitingPod): number {
  return (
    b.pod.priority - a.pod.priority ||
    a.createdAtMs - b.createdAtMs ||
    compareText(a.pod.object.metadata.name, b.pod.object.metadata.name) ||
    compareText(a.pod.key, b.pod.key)
  );
}
