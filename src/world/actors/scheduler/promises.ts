import type { SchedulingPod } from './placed-pod.ts';

/**
 * Room that nominations keep (`status.nominatedNodeName`): a pod without a node counts on the one
 * it is nominated for, against pods of its own priority and below, as with kube-scheduler.
 */
export class Promises {
  readonly #nodeOf = new Map<string, string>();
  readonly #podsOf = new Map<string, Map<string, SchedulingPod>>();

  /** Takes in what the pod says now. Answers whether room was given up. */
  keep(pod: SchedulingPod): boolean {
    const nodeName = pod.object.status?.nominatedNodeName ?? '';
    const before = this.release(pod.key);
    if (nodeName !== '') {
      this.#nodeOf.set(pod.key, nodeName);
      const pods = this.#podsOf.get(nodeName) ?? new Map<string, SchedulingPod>();
      this.#podsOf.set(nodeName, pods.set(pod.key, pod));
    }
    return before !== undefined && before !== nodeName;
  }

  /** Gives up what is kept for the pod, and answers on which node that was. */
  release(key: string): string | undefined {
    const nodeName = this.#nodeOf.get(key);
    if (nodeName === undefined) return undefined;
    this.#nodeOf.delete(key);
    const pods = this.#podsOf.get(nodeName);
    pods?.delete(key);
    if (pods?.size === 0) this.#podsOf.delete(nodeName);
    return nodeName;
  }

  /** The others whose room on the node this pod may not take. */
  against(pod: SchedulingPod, nodeName: string): readonly SchedulingPod[] {
    const pods = this.#podsOf.get(nodeName);
    if (pods === undefined) return nobody;
    return [...pods.values()].filter(
      (other) => other.key !== pod.key && other.priority >= pod.priority,
    );
  }
}

const nobody: readonly SchedulingPod[] = [];
