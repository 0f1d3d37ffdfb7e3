import {
  type NodeObject,
  nodes,
  type PodObject,
  pods,
  type TaintObject,
} from '../../../api/kubernetes/core.ts';
import { keyOf } from '../../../api/resource.ts';
import { timestamp } from '../../../api/timestamp.ts';
import { isKubeError } from '../../../ports/kube.ts';
import { after, onChange, type Requeue } from '../../../runtime/reconcile.ts';
import { isSame } from '../canonical-json.ts';
import { podIndex } from '../pod-index.ts';
import { isTerminal, isTerminating } from '../pod-state.ts';
import type { Stage } from '../stage.ts';
import { covers } from '../toleration.ts';

/** Deletes pods from nodes with NoExecute taints: at once, or when their toleration runs out. */
export function runTaintEviction(stage: Stage): Promise<void> {
  const index = podIndex(stage);
  const seen = new TaintTimes(() => stage.ports.clock.nowMs());
  const loop = stage.loop('taint-eviction', (key) => reconcile(stage, seen, key));
  index.informer.onChange(({ type, object, previous }) => {
    if (type === 'deleted' || !object.spec.nodeName) return;
    const isMoved = previous?.spec.nodeName !== object.spec.nodeName;
    if (isMoved || !isSame(previous?.spec.tolerations, object.spec.tolerations))
      loop.enqueue(keyOf(object));
  });
  stage.informer(nodes).onChange(({ type, object, previous }) => {
    seen.note(object.metadata.name, type === 'deleted' ? [] : noExecute(object));
    if (type === 'deleted' || isSame(noExecute(object), noExecute(previous))) return;
    for (const pod of index.onNode(object.metadata.name)) loop.enqueue(keyOf(pod));
  });
  return loop.done;
}

async function reconcile(stage: Stage, seen: TaintTimes, key: string): Promise<Requeue> {
  const pod = stage.informer(pods).get(key);
  if (pod === undefined || isTerminating(pod) || isTerminal(pod)) return onChange;
  const node = stage.informer(nodes).get(pod.spec.nodeName ?? '');
  const nowMs = stage.ports.clock.nowMs();
  const taints = seen.dated(pod.spec.nodeName ?? '', noExecute(node));
  const atMs = evictionTimeMs(pod, taints, nowMs);
  if (atMs === undefined) return onChange;
  if (atMs > nowMs) return after(atMs - nowMs);
  await evict(stage, pod);
  return onChange;
}

/** When NoExecute taints appeared; those set by hand do not say so themselves. */
class TaintTimes {
  readonly #now: () => number;
  readonly #seenAtMs = new Map<string, ReadonlyMap<string, number>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  note(nodeName: string, taints: readonly TaintObject[]): void {
    const before = this.#seenAtMs.get(nodeName);
    const times = taints.map(
      (taint) => [idOf(taint), before?.get(idOf(taint)) ?? this.#now()] as const,
    );
    if (times.length === 0) this.#seenAtMs.delete(nodeName);
    else this.#seenAtMs.set(nodeName, new Map(times));
  }

  dated(nodeName: string, taints: readonly TaintObject[]): readonly TaintObject[] {
    const times = this.#seenAtMs.get(nodeName);
    return taints.map((taint) => {
      const seenAtMs = times?.get(idOf(taint));
      if (taint.timeAdded !== undefined || seenAtMs === undefined) return taint;
      return { ...taint, timeAdded: timestamp(seenAtMs) };
    });
  }
}

function idOf({ key, value = '' }: TaintObject): string {
  return `${key}=${value}`;
}

function noExecute(node: NodeObject | undefined): readonly TaintObject[] {
  return (node?.spec?.taints ?? []).filter((taint) => taint.effect === 'NoExecute');
}

/**
 * When the taints drive the pod away: now if one is not tolerated, after the shortest toleration
 * if all are, undefined if they are tolerated for ever.
 */
function evictionTimeMs(
  pod: PodObject,
  taints: readonly TaintObject[],
  nowMs: number,
): number | undefined {
  let earliest: number | undefined;
  for (const taint of taints) {
    const matching = (pod.spec.tolerations ?? []).filter((toleration) => covers(toleration, taint));
    if (matching.length === 0) return nowMs;
    const seconds = matching
      .map((toleration) => toleration.tolerationSeconds ?? Number.POSITIVE_INFINITY)
      .reduce((a, b) => Math.min(a, b));
    if (seconds === Number.POSITIVE_INFINITY) continue;
    const sinceMs = Math.max(Date.parse(taint.timeAdded ?? '') || nowMs, boundAtMs(pod, nowMs));
    const atMs = sinceMs + Math.max(0, seconds) * 1000;
    earliest = Math.min(earliest ?? atMs, atMs);
  }
  return earliest;
}

/** A pod that comes after the taint has its whole time. */
function boundAtMs(pod: PodObject, nowMs: number): number {
  const scheduled = pod.status?.conditions?.find((entry) => entry.type === 'PodScheduled');
  if (scheduled?.status !== 'True') return nowMs;
  return Date.parse(scheduled.lastTransitionTime ?? '') || 0;
}

async function evict(stage: Stage, pod: PodObject): Promise<void> {
  const { kube, clock } = stage.ports;
  const { name, namespace, uid } = pod.metadata;
  const reason = 'DeletionByTaintManager';
  const message = 'Taint manager: deleting due to NoExecute taint';
  const lastTransitionTime = timestamp(clock.nowMs());
  const type = 'DisruptionTarget';
  const target = { type, status: 'True', reason, message, lastTransitionTime };
  const others = (pod.status?.conditions ?? []).filter((entry) => entry.type !== type);
  try {
    await kube.patch(
      pods,
      { name, namespace },
      {
        type: 'merge',
        subresource: 'status',
        body: { metadata: { uid }, status: { conditions: [...others, target] } },
      },
    );
    await kube.delete(pods, { name, namespace }, { uid });
  } catch (error) {
    if (!isKubeError(error, 'not-found', 'conflict')) throw error;
  }
  await stage.events.record({
    resource: pods,
    about: pod,
    type: 'Normal',
    reason: 'TaintManagerEviction',
    message: `Marking for deletion Pod ${keyOf(pod)}`,
    component: 'taint-eviction-controller',
  });
}
