import {
  type Columns,
  columnsOf,
  take,
  timesFitting,
  type Vector,
  vectorOf,
} from '../quantity/columns.ts';
import type { Resources } from '../quantity/resources.ts';
import { labelsSurelyMeet, type Requirements } from '../requirements/requirements.ts';
import { byName } from '../text-order.ts';
import { Attachments } from './attachments.ts';
import { expectedOn, factsOf } from './node-facts.ts';
import { firstRepellingTaint, type HostPort, type Pod, portsClash, type Taint } from './pod.ts';
import type { Node, Snapshot } from './snapshot.ts';

/** A place that pods can be put: a node of the snapshot, or one opened in thought. */
export interface Slot {
  readonly name: string;
  /** Undefined for a node that exists in thought only. */
  readonly node?: Node | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** What bound pods, pods placed here and daemons still to come leave over. */
  readonly free: Vector;
}

export interface OpenedNode {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
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
  readonly columns: Columns;
  readonly #slots: Slot[] = [];
  /** Ports and volumes that came or went here, on top of those of the node value. */
  readonly #ports = new Map<Slot, readonly HostPort[]>();
  readonly #attachments = new Attachments();
  readonly #placed = new Map<string, { readonly pod: Pod; readonly slot: Slot }>();
  readonly #removed = new Set<string>();
  readonly #undoLog: (() => void)[] = [];
  readonly #needs = new Map<Pod, Vector>();
  readonly #daemons: readonly Pod[];
  #bound: Map<string, { readonly pod: Pod; readonly slot: Slot }> | undefined;

  /**
   * `waiting` are the pods that may be placed here; reservations hold for them alone. Where many
   * ask for the same, `samples` are enough of them to see everything that is asked for.
   */
  constructor(snapshot: Snapshot, waiting: readonly Pod[], samples: Iterable<Pod> = waiting) {
    this.columns = columnsOf(requestsOf(samples));
    this.#daemons = snapshot.daemons;
    const nodes = snapshot.nodes.filter((node) => !node.isLeaving).sort(settledFirst);
    for (const node of nodes) this.#addNode(node);
    this.#reserve(waiting);
    // Pods that an order was made for fit beside all its daemons; others must leave these room.
    for (const { node, free } of this.#slots)
      if (node?.possibleTypes !== undefined)
        take(free, vectorOf(this.columns, expectedOn(node, this.#daemons).ofSomeTypes), 1);
  }

  /** All places, initialized nodes first, then by name; opened ones last. */
  get slots(): readonly Slot[] {
    return this.#slots;
  }

  /** Where a pod is: bound, reserved or placed here. */
  slotOf(uid: string): Slot | undefined {
    return this.#placed.get(uid)?.slot ?? this.#boundOf(uid)?.slot;
  }

  /** Whether any pod was put here, or is expected by a reservation. */
  get hasPlaced(): boolean {
    return this.#placed.size > 0;
  }

  /** Where a waiting pod was put here, or is expected by a reservation. */
  placeOf(uid: string): Slot | undefined {
    return this.#placed.get(uid)?.slot;
  }

  /** Whether the pod may be there at all, however full it is. */
  admits(pod: Pod, slot: Slot): boolean {
    if (firstRepellingTaint(pod.tolerations, slot.taints) !== undefined) return false;
    return meetsAny(slot, pod.nodeAlternatives) && meetsAny(slot, pod.volumes?.alternatives);
  }

  /** How many pods like this one there is room for, at most one where it wants host ports. */
  room(pod: Pod, slot: Slot): number {
    const times = timesFitting(this.need(pod), slot.free);
    if (pod.hostPorts.length === 0 || times === 0) return times;
    return portsClash(pod.hostPorts, this.#portsOf(slot)) ? 0 : 1;
  }

  /** Whether the pod's volumes can be attached beside those that are there. */
  canAttach(pod: Pod, slot: Slot): boolean {
    return this.#attachments.canAttach(pod, slot);
  }

  /** Puts the pod there. The caller has asked `admits` and `room`. */
  place(pod: Pod, slot: Slot): void {
    this.#enter(pod, slot);
    this.#undoLog.push(() => this.#leave(pod.uid));
  }

  /** Takes out a pod that was bound or placed here; false where it was not. */
  remove(uid: string): boolean {
    const place = this.#placed.get(uid) ?? this.#boundOf(uid);
    if (place === undefined) return false;
    this.#leave(uid);
    this.#undoLog.push(() => this.#enter(place.pod, place.slot));
    return true;
  }

  /** A node that does not exist yet, as a place like any other. */
  open(opened: OpenedNode): Slot {
    const slot: Slot = { ...opened, free: vectorOf(this.columns, opened.free) };
    this.#slots.push(slot);
    this.#undoLog.push(() => this.#slots.pop());
    return slot;
  }

  mark(): Mark {
    return this.#undoLog.length;
  }

  /** Goes back to the mark: everything since is as if it had not been. */
  undo(mark: Mark): void {
    while (this.#undoLog.length > mark) this.#undoLog.pop()?.();
  }

  /** What the pod asks for, in the columns of this workspace. */
  need(pod: Pod): Vector {
    const known = this.#needs.get(pod);
    if (known !== undefined) return known;
    const need = vectorOf(this.columns, pod.requests);
    this.#needs.set(pod, need);
    return need;
  }

  #addNode(node: Node): void {
    const { used, labels } = factsOf(node);
    const { requests } = expectedOn(node, this.#daemons);
    const { names } = this.columns;
    const free = new Float64Array(names.length);
    for (let index = 0; index < names.length; index++) {
      const name = names[index] ?? '';
      free[index] = (node.allocatable[name] ?? 0) - (used[name] ?? 0) - (requests[name] ?? 0);
    }
    this.#slots.push({ name: node.name, node, labels, taints: node.taints, free });
  }

  #reserve(waiting: readonly Pod[]): void {
    if (!this.#slots.some(({ node }) => (node?.reservedFor.length ?? 0) > 0)) return;
    const byUid = new Map(waiting.map((pod) => [pod.uid, pod]));
    for (const slot of this.#slots) {
      for (const uid of [...(slot.node?.reservedFor ?? [])].sort()) {
        const pod = byUid.get(uid);
        if (pod === undefined || this.#placed.has(uid)) continue;
        // Until the machine is bought its labels are open, and its order was made for this pod.
        const isAdmitted = slot.node?.stage === 'ordered' || this.admits(pod, slot);
        if (isAdmitted && this.room(pod, slot) > 0 && this.canAttach(pod, slot))
          this.#enter(pod, slot);
      }
    }
  }

  #portsOf(slot: Slot): readonly HostPort[] {
    const { node } = slot;
    const own = this.#ports.get(slot) ?? [];
    if (node === undefined) return own;
    const bound =
      this.#removed.size === 0
        ? factsOf(node).ports
        : node.pods.flatMap((pod) => (this.#removed.has(pod.uid) ? [] : pod.hostPorts));
    return [...bound, ...expectedOn(node, this.#daemons).ports, ...own];
  }

  #boundOf(uid: string): { readonly pod: Pod; readonly slot: Slot } | undefined {
    if (this.#removed.has(uid)) return undefined;
    this.#bound ??= new Map(
      this.#slots.flatMap((slot) =>
        (slot.node?.pods ?? []).map((pod) => [pod.uid, { pod, slot }] as const),
      ),
    );
    return this.#bound.get(uid);
  }

  #enter(pod: Pod, slot: Slot): void {
    if (this.#placed.has(pod.uid))
      throw new Error(`placing pod ${pod.namespace}/${pod.name} a second time`);
    take(slot.free, this.need(pod), 1);
    if (this.#removed.has(pod.uid) && this.#bound?.get(pod.uid)?.slot === slot) {
      this.#removed.delete(pod.uid);
      return;
    }
    this.#placed.set(pod.uid, { pod, slot });
    if (pod.hostPorts.length > 0)
      this.#ports.set(slot, [...(this.#ports.get(slot) ?? []), ...pod.hostPorts]);
    this.#attachments.attach(pod, slot);
  }

  #leave(uid: string): void {
    const placed = this.#placed.get(uid);
    const place = placed ?? this.#boundOf(uid);
    if (place === undefined) throw new Error(`removing pod ${uid} twice`);
    const { pod, slot } = place;
    take(slot.free, this.need(pod), -1);
    if (placed === undefined) {
      this.#removed.add(uid);
      return;
    }
    this.#placed.delete(uid);
    if (pod.hostPorts.length > 0)
      this.#ports.set(
        slot,
        (this.#ports.get(slot) ?? []).filter((port) => !pod.hostPorts.includes(port)),
      );
    this.#attachments.detach(pod, slot);
  }
}

function meetsAny(slot: Slot, alternatives: readonly Requirements[] | undefined): boolean {
  if (alternatives === undefined || alternatives.length === 0) return true;
  const { labels, node } = slot;
  return alternatives.some((wanted) => labelsSurelyMeet(labels, node?.openLabels, wanted));
}

/** Each once, as far as pods share them. */
function requestsOf(pods: Iterable<Pod>): Iterable<Resources> {
  const lists = new Set<Resources>();
  for (const { requests } of pods) lists.add(requests);
  return lists;
}

function settledFirst(a: Node, b: Node): number {
  const rank = (node: Node): number => (node.stage === 'initialized' ? 0 : 1);
  return rank(a) - rank(b) || byName(a, b);
}
