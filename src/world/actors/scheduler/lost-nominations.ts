import type { PodObject } from '../../../api/kubernetes/core.ts';
import { keyOf } from '../../../api/resource.ts';
import { nominatedNodeOf } from './waiting-pods.ts';

const firstPauseMs = 1_000;
const longestPauseMs = 10_000;

/**
 * When a failure ends a pod's nomination, as with kube-scheduler 1.36: it looks for pods to evict and,
 * finding none, forgets the nomination at once, whoever wrote it; a pod that may not evict others
 * keeps it. A pod that failed is left alone for 1 s, 2 s, 4 s and so on to 10 s there. Here it is tried
 * all the time, so that what is written within that time outlasts further failures.
 */
export class LostNominations {
  readonly #pauses = new Map<string, { readonly lengthMs: number; readonly overAtMs: number }>();

  /** Takes in that the pod failed. Answers whether it is nominated no longer. */
  failed(pod: PodObject, nowMs: number): boolean {
    if (nominatedNodeOf(pod) === '' || pod.spec.preemptionPolicy === 'Never') return false;
    const key = keyOf(pod);
    const pause = this.#pauses.get(key);
    if (pause !== undefined && nowMs < pause.overAtMs) return false;
    const lengthMs =
      pause === undefined ? firstPauseMs : Math.min(longestPauseMs, pause.lengthMs * 2);
    this.#pauses.set(key, { lengthMs, overAtMs: nowMs + lengthMs });
    return true;
  }

  /** In how many milliseconds the pod would be tried again; undefined where it is not left alone. */
  restMs(pod: PodObject, nowMs: number): number | undefined {
    const { overAtMs = 0 } = this.#pauses.get(keyOf(pod)) ?? {};
    return overAtMs > nowMs && nominatedNodeOf(pod) !== '' ? overAtMs - nowMs : undefined;
  }

  forget(key: string): void {
    this.#pauses.delete(key);
  }
}
