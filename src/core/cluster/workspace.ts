import {
  type Columns,
  columnsOf,
  take,
  timesFitting,
  type Vector,
  vectorOf,
} from '../quantity/columns.ts';
import type { Resources } from '../quantity/resources.ts';
import {
  firstUnmet,
  labelsAsRequirements,
  type Requirements,
} from '../requirements/requirements.ts';
import { isWellKnownLabel } from '../requirements/well-known.ts';
import { byName } from '../text-order.ts';
import { daemonsToCome } from './daemons.ts';
import { firstRepellingTaint, type HostPort, type Pod, portsClash, type Taint } from './pod.ts';
import type { Node, Snapshot } from './snapshot.ts';

/** A place that pods can be put: a node of the snapshot, or one opened in thought. */
export interface Slot {
  readonly name: string;
  /** Undefined for a node that exists in thought only. */
  readonly node?: Node | undefined;
  readonly requirements: Requirements;
  readonly taints: readonly Taint[];
  /** Which labels may be missing because they are settled when the machine is bought. */
  readonly mayBeUndefined: (key: string) => boolean;
}

export interface OpenedNode {
  readonly name: string;
  readonly requirements: Requirements;
  readonly taints: readonly Taint[];
  /** What is left for pods once its daemons run. */
  readonly free: Resources;
}

/** A moment in the life of a workspace, to come back to. */
export type Mark = number;

/**
 * What-if questions about a snapshot: pods are placed and removed, nodes opened, and all of it
 * undone, back to any mark, without copying anything. Free is what bound pods, the pods that a
 * node is reserved for and the daemons still to come leave over.
 */
export class Workspace {
  readonly #columns: Columns;
  readonly #slots: Slot[] = [];
  readonly #free = new Map<Slot, Vector>();
  readonly #ports = new Map<Slot, readonly HostPort[]>();
  readonly #placed = new Map<string, { readonly pod: Pod; readonly slot: Slot }>();
  readonly #undoLog: (() => void)[] = [];
  readonly #needs = new Map<Pod, Vector>();

  /** `waiting` are the pods that may be placed here; reservations hold for them alone. */
  constructor(snapshot: Snapshot, waiting: readonly Pod[]) {
    const bound = snapshot.nodes.flatMap((node) => node.pods);
    this.#columns = columnsOf(
      [...waiting, ...snapshot.daemons, ...bound].map((pod) => pod.requests),
    );
    const nodes = snapshot.nodes.filter((node) => !node.isLeaving).sort(settledFirst);
    for (const node of nodes) this.#addNode(node, snapshot.daemons);
    this.#reserve(waiting);
  }

  /** All places, initialized nodes first, then by name; opened ones last. */
  get slots(): readonly Slot[] {
    return this.#slots;
  }

  /** Where a pod is: bound, reserved or placed here. */
  slotOf(uid: string): Slot | undefined {
    return this.#placed.get(uid)?.slot;
  }

  /** Whether the pod may be there at all, however full it is. */
  admits(pod: Pod, slot: Slot): boolean {
    if (firstRepellingTaint(pod.tolerations, slot.taints) !== undefined) return false;
    return pod.nodeAlternatives.some(
      (wanted) => firstUnmet(slot.requirements, wanted, slot.mayBeUndefined) === undefined,
    );
  }

  /** How many pods like this one there is room for, at most one where it wants host ports. */
  room(pod: Pod, slot: Slot): number {
    const free = this.#free.get(slot);
    if (free === undefined) return 0;
    const times = timesFitting(this.#need(pod), free);
    if (pod.hostPorts.length === 0) return times;
    return portsClash(pod.hostPorts, this.#ports.get(slot) ?? []) ? 0 : Math.min(1, times);
  }

  /** Puts the pod there. The caller has asked `admits` and `room`. */
  place(pod: Pod, slot: Slot): void {
    this.#enter(pod, slot);
    this.#undoLog.push(() => this.#leave(pod.uid));
  }

  /** Takes out a pod that was bound or placed here; false where it was not. */
  remove(uid: string): boolean {
    const place = this.#placed.get(uid);
    if (place === undefined) return false;
    this.#leave(uid);
    this.#undoLog.push(() => this.#enter(place.pod, place.slot));
    return true;
  }

  /** A node that does not exist yet, as a place like any other. */
  open(opened: OpenedNode): Slot {
    const slot: Slot = { ...opened, mayBeUndefined: isWellKnownLabel };
    this.#slots.push(slot);
    this.#free.set(slot, vectorOf(this.#columns, opened.free));
    this.#undoLog.push(() => {
      this.#slots.pop();
      this.#free.delete(slot);
    });
    return slot;
  }

  mark(): Mark {
    return this.#undoLog.length;
  }

  /** Goes back to the mark: everything since is as if it had not been. */
  undo(mark: Mark): void {
    while (this.#undoLog.length > mark) this.#undoLog.pop()?.();
  }

  #addNode(node: Node, daemons: readonly Pod[]): void {
    const slot: Slot = {
      name: node.name,
      node,
      requirements: labelsAsRequirements(node.labels),
      taints: node.taints,
      mayBeUndefined: () => false,
    };
    const toCome = daemonsToCome(node, daemons);
    const free = vectorOf(this.#columns, node.allocatable);
    for (const daemon of toCome) take(free, this.#need(daemon), 1);
    this.#slots.push(slot);
    this.#free.set(slot, free);
    this.#ports.set(
      slot,
      toCome.flatMap((daemon) => daemon.hostPorts),
    );
    for (const pod of node.pods) this.#enter(pod, slot);
  }

  #reserve(waiting: readonly Pod[]): void {
    const byUid = new Map(waiting.map((pod) => [pod.uid, pod]));
    for (const slot of this.#slots) {
      for (const uid of [...(slot.node?.reservedFor ?? [])].sort()) {
        const pod = byUid.get(uid);
        if (pod === undefined || this.#placed.has(uid)) continue;
        // Until the machine is bought its labels are open, and its order was made for this pod.
        const isAdmitted = slot.node?.stage === 'ordered' || this.admits(pod, slot);
        if (isAdmitted && this.room(pod, slot) > 0) this.#enter(pod, slot);
      }
    }
  }

  #enter(pod: Pod, slot: Slot): void {
    const free = this.#free.get(slot);
    if (free === undefined || this.#placed.has(pod.uid))
      throw new Error(`placing pod ${pod.namespace}/${pod.name} a second time`);
    take(free, this.#need(pod), 1);
    this.#placed.set(pod.uid, { pod, slot });
    if (pod.hostPorts.length > 0)
      this.#ports.set(slot, [...(this.#ports.get(slot) ?? []), ...pod.hostPorts]);
  }

  #leave(uid: string): void {
    const place = this.#placed.get(uid);
    const free = place === undefined ? undefined : this.#free.get(place.slot);
    if (place === undefined || free === undefined) throw new Error(`removing pod ${uid} twice`);
    take(free, this.#need(place.pod), -1);
    this.#placed.delete(uid);
    if (place.pod.hostPorts.length > 0)
      this.#ports.set(
        place.slot,
        (this.#ports.get(place.slot) ?? []).filter((port) => !place.pod.hostPorts.includes(port)),
      );
  }

  #need(pod: Pod): Vector {
    const known = this.#needs.get(pod);
    if (known !== undefined) return known;
    const need = vectorOf(this.#columns, pod.requests);
    this.#needs.set(pod, need);
    return need;
  }
}

function settledFirst(a: Node, b: Node): number {
  const rank = (node: Node): number => (node.stage === 'initialized' ? 0 : 1);
  return rank(a) - rank(b) || byName(a, b);
}
