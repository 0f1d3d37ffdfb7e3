import type { PodObject } from '../../api/kubernetes/core.ts';
import { compareText } from '../../core/text-order.ts';
import { createdAtMs, isReady, readySinceMs } from './pod-state.ts';

interface DeletionQuestion {
  readonly candidates: readonly PodObject[];
  /** Pods of the same workload, sister ReplicaSets included; crowded nodes are thinned first. */
  readonly related: readonly PodObject[];
  readonly nowMs: number;
}

/**
 * Which pod goes first when a ReplicaSet shrinks: unassigned, pending, not ready, of lower
 * deletion cost, crowded, younger. Ages count in powers of two, so that the choice among pods
 * of about the same age is by uid and takes no zone's pods all at once.
 */
export function inDeletionOrder(question: DeletionQuestion): readonly PodObject[] {
  const crowd = new Map<string, number>();
  for (const pod of question.related) {
    const node = pod.spec.nodeName;
    if (node) crowd.set(node, (crowd.get(node) ?? 0) + 1);
  }
  const ranked = question.candidates.map((pod) => ({
    pod,
    rank: rankOf(pod, crowd, question.nowMs),
  }));
  ranked.sort((a, b) => {
    for (const [index, value] of a.rank.entries()) {
      const difference = value - (b.rank[index] ?? 0);
      if (difference !== 0) return difference;
    }
    return compareText(a.pod.metadata.uid ?? '', b.pod.metadata.uid ?? '');
  });
  return ranked.map(({ pod }) => pod);
}

const phaseOrder = { Pending: 0, Unknown: 1, Running: 2, Succeeded: 3, Failed: 3 } as const;

/** Smaller goes first, the earlier entries deciding. */
function rankOf(
  pod: PodObject,
  crowd: ReadonlyMap<string, number>,
  nowMs: number,
): readonly number[] {
  const node = pod.spec.nodeName;
  return [
    node ? 1 : 0,
    phaseOrder[pod.status?.phase ?? 'Pending'],
    isReady(pod) ? 1 : 0,
    deletionCost(pod),
    -(node ? (crowd.get(node) ?? 0) : 0),
    ageRank(readySinceMs(pod), nowMs),
    -restarts(pod),
    ageRank(createdAtMs(pod), nowMs),
  ];
}

function ageRank(sinceMs: number | undefined, nowMs: number): number {
  if (sinceMs === undefined || sinceMs >= nowMs) return -1;
  return Math.floor(Math.log2(nowMs - sinceMs));
}

function deletionCost(pod: PodObject): number {
  const cost = Number(
    pod.metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? 0,
  );
  return Number.isInteger(cost) ? cost : 0;
}

function restarts(pod: PodObject): number {
  const statuses = (pod.status?.containerStatuses ?? []) as readonly { restartCount?: number }[];
  return Math.max(0, ...statuses.map((status) => status.restartCount ?? 0));
}
