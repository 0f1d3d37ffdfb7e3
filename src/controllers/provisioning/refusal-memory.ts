import type { Pod } from '../../core/cluster/pod.ts';
import type { Node, Snapshot } from '../../core/cluster/snapshot.ts';
import type { Refusal } from '../../core/explain/reason.ts';
import { canHelp } from '../../core/scheduling/between-pods/help.ts';
import type { Plan, Unplaced } from '../../core/scheduling/plan.ts';
import { isSameList } from '../cluster-state/same-value.ts';

/** What is to be planned. `supply` changes whenever a pod without a place might find one. */
export interface Question {
  readonly snapshot: Snapshot;
  readonly pods: readonly Pod[];
  readonly supply: string;
}

/** The pods of a question: those to ask about, and those of whom the answer is known. */
export interface Sorted {
  readonly open: readonly Pod[];
  readonly known: readonly Unplaced[];
}

/** A refusal of pods to whom it matters what other pods do. */
interface Tied {
  /** All who were asked about at that time. */
  readonly batch: ReadonlySet<Pod>;
  /** Whether it could help them where the other is. */
  readonly isHelpedBy: (other: Pod) => boolean;
}

/**
 * Which pods were refused, as long as it is sure that they would be again. Any change of the supply
 * ends that. Pods that stand alone are helped by nothing else; the others also by
 *
 * - a pod that their rules are about, when it has been bound or is asked about anew;
 * - a pod that they were asked about together with, when it no longer waits, or no longer so: it
 *   may have been first with a claim, or the only one to open a zone that counted as empty.
 */
export class RefusalMemory {
  readonly #refused = new Map<Pod, Refusal>();
  readonly #tied = new Map<Refusal, Tied>();
  /** Pods for which the last plan had a place, as they were then. */
  #placed: ReadonlyMap<string, Pod> = new Map();
  #last: Question | undefined;
  #sorted: Sorted | undefined;

  /** Forgets what may no longer hold. The same answer again while nothing has changed. */
  sort(question: Question): Sorted {
    this.#forgetOutdated(question);
    this.#last = question;
    this.#sorted ??= this.#sort(question.pods);
    return this.#sorted;
  }

  /**
   * Remembers the answer for the pods that were asked about. Beside nodes that are to be ordered,
   * refusals may be their doing: they use limits up. Should an order come to nothing, no change of
   * the cluster would tell.
   */
  remember({ unplaced, placements, newNodes }: Plan, { open }: Sorted, snapshot: Snapshot): void {
    this.#placed = new Map(placements.map(({ pod }) => [pod.uid, pod]));
    if (newNodes.length > 0 || unplaced.length === 0) return;
    const batch = new Set(open);
    for (const { pod, refusal } of unplaced) {
      this.#refused.set(pod, refusal);
      if (standsAlone(pod) || this.#tied.has(refusal)) continue;
      // One refusal is for pods of one class, whose rules are the same.
      this.#tied.set(refusal, { batch, isHelpedBy: canHelp(pod, snapshot) });
    }
    this.#sorted = undefined;
  }

  forget(): void {
    this.#refused.clear();
    this.#tied.clear();
    this.#sorted = undefined;
  }

  #sort(pods: readonly Pod[]): Sorted {
    const open: Pod[] = [];
    const known: Unplaced[] = [];
    for (const pod of pods) {
      const refusal = this.#refused.get(pod);
      if (refusal === undefined) open.push(pod);
      else known.push({ pod, refusal });
    }
    return { open, known };
  }

  #forgetOutdated({ snapshot, pods, supply }: Question): void {
    const last = this.#last;
    if (last === undefined) return;
    const { come, gone } = changeOf(last.pods, pods);
    const bound =
      last.supply === supply ? newlyBound(last.snapshot.nodes, snapshot.nodes) : undefined;
    // A pod that waits for its place and has become smaller leaves more of it to others.
    const isResized = come.some(({ uid }) => this.#placed.has(uid));
    if (bound === undefined || isResized) this.forget();
    if (come.length + gone.length > 0) this.#sorted = undefined;
    for (const pod of gone) this.#refused.delete(pod);
    this.#wake(gone, [...come, ...(bound ?? [])]);
  }

  /** Whoever is asked about anew may help others, who are then asked about as well. */
  #wake(gone: readonly Pod[], others: readonly Pod[]): void {
    const batches = new Set([...this.#tied.values()].map(({ batch }) => batch));
    const broken = new Set([...batches].filter((batch) => gone.some((pod) => batch.has(pod))));
    const woken = this.#takeTied(({ batch }) => broken.has(batch));
    let moving = oneOfEach([...others, ...woken]);
    while (moving.length > 0 && this.#tied.size > 0)
      moving = oneOfEach(this.#takeTied(({ isHelpedBy }) => moving.some(isHelpedBy)));
  }

  #takeTied(isOver: (tied: Tied) => boolean): readonly Pod[] {
    const over = new Set<Refusal>();
    for (const [refusal, tied] of this.#tied) if (isOver(tied)) over.add(refusal);
    if (over.size === 0) return [];
    this.#sorted = undefined;
    const pods = [...this.#refused].flatMap(([pod, refusal]) => (over.has(refusal) ? [pod] : []));
    for (const refusal of over) this.#tied.delete(refusal);
    for (const pod of pods) this.#refused.delete(pod);
    return pods;
  }
}

/** The pods that only one of the lists has; one that has changed is another one. */
function changeOf(
  before: readonly Pod[],
  after: readonly Pod[],
): { readonly come: readonly Pod[]; readonly gone: readonly Pod[] } {
  if (isSameList(before, after)) return { come: [], gone: [] };
  const [were, are] = [new Set(before), new Set(after)];
  return {
    come: after.filter((pod) => !were.has(pod)),
    gone: before.filter((pod) => !are.has(pod)),
  };
}

/** One pod of those that no rule can tell apart, as far as that is seen at once. */
function oneOfEach(pods: readonly Pod[]): readonly Pod[] {
  const seen = new Map<Pod['labels'], Set<string>>();
  return pods.filter(({ labels, namespace }) => {
    const namespaces = seen.get(labels) ?? new Set();
    if (namespaces.has(namespace)) return false;
    seen.set(labels, namespaces.add(namespace));
    return true;
  });
}

/** Pods that were not on their nodes before; undefined where these are other nodes. */
function newlyBound(before: readonly Node[], after: readonly Node[]): readonly Pod[] | undefined {
  if (before === after) return [];
  if (before.length !== after.length) return undefined;
  const bound: Pod[] = [];
  for (const [index, node] of after.entries()) {
    const earlier = before[index];
    if (node === earlier) continue;
    if (node.name !== earlier?.name) return undefined;
    const known = new Set(earlier.pods);
    for (const pod of node.pods) if (!known.has(pod)) bound.push(pod);
  }
  return bound;
}

/**
 * Whether what other pods do can never help it: one that does not stand alone goes where they are,
 * evens them out, or has a claim after them.
 */
function standsAlone(pod: Pod): boolean {
  const isRivalled = pod.volumes?.exclusive !== undefined;
  const isSpread = pod.spread?.some(({ isHard }) => isHard) === true;
  return pod.affinity === undefined && !isSpread && !isRivalled;
}
