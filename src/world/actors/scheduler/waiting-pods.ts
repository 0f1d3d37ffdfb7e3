import type { PodObject } from '../../../api/kubernetes/core.ts';
import { compareText } from '../../../core/text-order.ts';
import { createdAtMs, isTerminal, isTerminating } from '../pod-state.ts';
import { type SchedulingPod, schedulingPod } from './placed-pod.ts';

/** A pod that wants a node, with what makes its chances equal to those of another. */
export interface WaitingPod {
  readonly pod: SchedulingPod;
  /** Equal for pods that every rule judges alike, wherever they are nominated. */
  readonly kind: string;
  /** The same for pods that are nominated alike as well. */
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
  const kind = JSON.stringify([
    pod.peers.id,
    pod.requests,
    pod.hostPorts,
    affinity,
    nodeSelector,
    tolerations,
    topologySpreadConstraints,
    claims?.filter((claim) => claim !== undefined),
    pod.priority,
  ]);
  const likeness = `${kind} ${nominatedNodeOf(object)}`;
  const looksAtPods =
    affinity?.podAffinity !== undefined || (topologySpreadConstraints?.length ?? 0) > 0;
  return { pod, kind, likeness, looksAtPods, createdAtMs: createdAtMs(object) };
}

/** Whether the change to a waiting pod is a reason to try it, or others, again. */
export function isWorthATry(before: WaitingPod | undefined, now: WaitingPod): boolean {
  if (before === undefined || before.kind !== now.kind) return true;
  if (before.pod.object.metadata.uid !== now.pod.object.metadata.uid) return true;
  // A nomination keeps room from others and makes none; one that is over gives it back.
  const nodeName = nominatedNodeOf(before.pod.object);
  return nodeName !== '' && nodeName !== nominatedNodeOf(now.pod.object);
}

/** The node that it is nominated for, whoever did so; empty where there is none. */
export function nominatedNodeOf({ status }: PodObject): string {
  return status?.nominatedNodeName ?? '';
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
