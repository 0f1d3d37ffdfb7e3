import { isVirtual, type VirtualPod } from '../../core/cluster/buffer.ts';
import type { Pod } from '../../core/cluster/pod.ts';
import type { Plan } from '../../core/scheduling/plan.ts';
import { isSameValue } from '../cluster-state/same-value.ts';

/** What the latest plan made of a buffer: there is room for all of it, or nodes are missing. */
export type BufferOutcome = 'fits' | 'needs-nodes';

/** The pods that stand for the room which CapacityBuffers keep, and where the last plan put them. */
export class BufferBook {
  readonly #pods = new Map<string, readonly VirtualPod[]>();
  readonly #outcomes = new Map<string, BufferOutcome>();
  readonly #listeners = new Set<(key: string) => void>();
  #all: readonly VirtualPod[] = [];
  #uids = new Set<string>();

  /** All of them, buffers in the order of their keys; the same list until one changes. */
  pods(): readonly VirtualPod[] {
    return this.#all;
  }

  has(podUid: string): boolean {
    return this.#uids.has(podUid);
  }

  /** Undefined until a plan has been made with the buffer. */
  outcomeOf(key: string): BufferOutcome | undefined {
    return this.#outcomes.get(key);
  }

  /** Replaces the pods of a buffer, `namespace/name`; pods that are as before stay the same values. */
  set(key: string, pods: readonly VirtualPod[]): void {
    const before = this.#pods.get(key) ?? [];
    if (isSameValue(before, pods)) return;
    const known = new Map(before.map((pod) => [pod.uid, pod]));
    const kept = pods.map((pod) => {
      const same = known.get(pod.uid);
      return same !== undefined && isSameValue(same, pod) ? same : pod;
    });
    if (kept.length === 0) this.#pods.delete(key);
    else this.#pods.set(key, kept);
    this.#outcomes.delete(key);
    this.#changed(key);
  }

  /** Takes note of where a plan put the pods. */
  settle(plan: Plan): void {
    if (this.#pods.size === 0) return;
    const missing = new Set([
      ...plan.newNodes.flatMap((node) => node.pods.flatMap(bufferKeys)),
      ...plan.unplaced.flatMap(({ pod }) => bufferKeys(pod)),
    ]);
    for (const key of this.#pods.keys()) {
      const outcome = missing.has(key) ? 'needs-nodes' : 'fits';
      if (this.#outcomes.get(key) === outcome) continue;
      this.#outcomes.set(key, outcome);
      this.#tell(key);
    }
  }

  /** Calls back with the key of a buffer whose pods or outcome changed, until told to stop. */
  onChange(listener: (key: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(key: string): void {
    this.#all = [...this.#pods.keys()].sort().flatMap((name) => this.#pods.get(name) ?? []);
    this.#uids = new Set(this.#all.map((pod) => pod.uid));
    this.#tell(key);
  }

  #tell(key: string): void {
    for (const listener of [...this.#listeners]) listener(key);
  }
}

function bufferKeys(pod: Pod): readonly string[] {
  return isVirtual(pod) ? [`${pod.buffer.namespace}/${pod.buffer.name}`] : [];
}
