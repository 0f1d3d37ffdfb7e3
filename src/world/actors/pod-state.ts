import type { PodObject } from '../../api/kubernetes/core.ts';
import { conditionOf, isTrue } from '../../api/resource.ts';
import { compareText } from '../../core/text-order.ts';

/** It has ended, well or badly, and will never run again. */
export function isTerminal(pod: PodObject): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

export function isTerminating(pod: PodObject): boolean {
  return pod.metadata.deletionTimestamp !== undefined;
}

/** It counts as a replica: neither ended nor on its way out. */
export function isActive(pod: PodObject): boolean {
  return !isTerminal(pod) && !isTerminating(pod);
}

export function isReady(pod: PodObject): boolean {
  return isTrue(pod, 'Ready');
}

/** When the Ready condition last changed, in milliseconds; undefined for a pod that is not ready. */
export function readySinceMs(pod: PodObject): number | undefined {
  const condition = conditionOf(pod, 'Ready');
  if (condition?.status !== 'True') return undefined;
  return Date.parse(condition.lastTransitionTime ?? pod.metadata.creationTimestamp ?? '') || 0;
}

/** When a ready pod becomes available; undefined while it is not ready. */
export function availableAtMs(pod: PodObject, minReadySeconds: number): number | undefined {
  const since = readySinceMs(pod);
  return since === undefined ? undefined : since + minReadySeconds * 1000;
}

export function isAvailable(pod: PodObject, minReadySeconds: number, nowMs: number): boolean {
  const at = availableAtMs(pod, minReadySeconds);
  return at !== undefined && at <= nowMs;
}

export function createdAtMs(object: { readonly metadata: PodObject['metadata'] }): number {
  return Date.parse(object.metadata.creationTimestamp ?? '') || 0;
}

/** Orders by age, oldest first, then by name. */
export function byAge(
  a: { readonly metadata: PodObject['metadata'] },
  b: { readonly metadata: PodObject['metadata'] },
): number {
  return createdAtMs(a) - createdAtMs(b) || compareText(a.metadata.name, b.metadata.name);
}
