import type { Pod } from '../../cluster/pod.ts';
import type { Slot } from '../../cluster/workspace.ts';
import {
  countAt,
  countOnSlot,
  crowding,
  isAllowed,
  isBorneOn,
  wouldBeFirst,
} from '../between-pods/counting.ts';
import type { Ties } from '../between-pods/topology.ts';
import type { Demand, Worth } from '../packing/demand.ts';
import type { Placement } from '../plan.ts';
import { type Option, type Outlook, Outlooks, type Task, type View } from './outlook.ts';

/**
 * Gives pods their places on existing nodes, or the domains in which new nodes are to be opened
 * for them, so that every rule between pods holds once all of them are there.
 */
export class Assigner {
  readonly placements: Placement[] = [];
  readonly demands: Demand[] = [];
  readonly #parts: View;
  readonly #outlooks: Outlooks;
  /** By task, how far its options at the first rung were gone through; those are full for it. */
  readonly #passed = new Map<Task, readonly number[]>();

  constructor(view: View) {
    this.#parts = view;
    this.#outlooks = new Outlooks(view);
  }

  /** How the task stands at the rung: its rules, and where it could go. */
  look(task: Task, rungIndex: number): Outlook | undefined {
    const outlook = this.#outlooks.of(task, rungIndex);
    const passed = rungIndex === 0 ? this.#passed.get(task) : undefined;
    for (const [index, next] of passed?.entries() ?? []) {
      const option = outlook?.options[index];
      if (option !== undefined) option.next = next;
    }
    return outlook;
  }

  /** Places what it can of the task; the rest stays waiting. */
  assign(task: Task, { ties, options }: Outlook): void {
    if (ties.zonal.length === 0 && ties.company.length === 0)
      this.#assignFreely(task, ties, options);
    else this.#assignOneByOne(task, ties, options);
  }

  /** Puts the next pod on an existing node, if there is one for it. */
  placeOnExisting(task: Task, { ties, options }: Outlook): boolean {
    // Others of its kind must follow the first one, so it goes where most of them find room.
    const isLeader = options.length > 1 && wouldBeFirst(ties);
    return (isLeader ? this.#roomiestFirst(task, options) : options).some(
      (option) =>
        option.slots.length > 0 &&
        isAllowed(option.stance.spots) &&
        this.#placeOnSlot(task, ties, option),
    );
  }

  #roomiestFirst({ waiting }: Task, options: readonly Option[]): readonly Option[] {
    const pod = waiting.at(-1);
    if (pod === undefined) return options;
    const { workspace } = this.#parts;
    const roomIn = ({ slots }: Option): number =>
      slots.reduce((sum, slot) => sum + workspace.room(pod, slot), 0);
    return options
      .map((option) => ({ option, room: roomIn(option) }))
      .sort((a, b) => b.room - a.room)
      .map(({ option }) => option);
  }

  /** Puts what it can of the task on nodes to which the scheduler can bind pods now. */
  usePresent(task: Task, rungIndex: number): void {
    const outlook = this.look(task, rungIndex);
    if (outlook === undefined) return;
    const { ties } = outlook;
    const { slotLists } = this.#parts;
    const options = outlook.options.map((one) => ({
      ...one,
      slots: slotLists.presentOf(one.slots),
    }));
    while (task.waiting.length > 0 && this.placeOnExisting(task, { ties, options }));
    // Later looks are spared the nodes that are full for the task; where company comes or volumes
    // differ from pod to pod, a node may do after all.
    const mayDoYet = ties.company.length > 0 || task.podClass.sample.volumes !== undefined;
    if (rungIndex > 0 || mayDoYet) return;
    const passed = options.map(({ next }) => next);
    this.#passed.set(task, passed);
  }

  /** Whether there are nodes to which pods can be bound now. */
  get hasPresent(): boolean {
    return this.#parts.slotLists.hasPresent;
  }

  /** Demands, empty as yet, for the places that the next pod may be bought, the best first. */
  demandsFor(task: Task, { ties, options }: Outlook): readonly Demand[] {
    return options
      .filter((option) => option.worth.tier < Infinity && isAllowed(option.stance.spots))
      .sort(
        ({ stance: a, worth: worthA }, { stance: b, worth: worthB }) =>
          crowding(a.spots) - crowding(b.spots) || (isCheaper(worthA, worthB) ? -1 : 1),
      )
      .map((option) => this.#demandOf(task, ties, option));
  }

  /**
   * Whether the task's pods would be the first of those that they must be with. Others of these may
   * arrive before them, wherever they go; so it is better known first.
   */
  wouldBeFirst(task: Task): boolean {
    const [rung] = task.rungs;
    if (rung === undefined || rung.affinity.length === 0 || task.waiting.length === 0) return false;
    const ties = this.#outlooks.tiesOf(task, 0);
    return ties !== undefined && wouldBeFirst(ties);
  }

  /** Counts a pod that stands on a node already, or is expected there. */
  countReserved(task: Task, slot: Slot): void {
    const ties = this.#outlooks.tiesWherever(task);
    if (ties !== undefined) countOnSlot(ties, slot, 1);
  }

  #assignFreely(task: Task, ties: Ties, options: readonly Option[]): void {
    for (const option of options)
      while (task.waiting.length > 0 && this.#placeOnSlot(task, ties, option));
    const best = this.#cheapest(options);
    if (best === undefined || task.waiting.length === 0) return;
    const demand = this.#demandOf(task, ties, best);
    for (const pod of task.waiting.splice(0)) demand.pods.push(pod);
  }

  #assignOneByOne(task: Task, ties: Ties, options: readonly Option[]): void {
    // Pods that must join others on a node wait until it is known what is on the nodes.
    const needsCompany = ties.company.length > 0;
    const hasSlots = options.some(({ slots }) => slots.length > 0);
    while (task.waiting.length > 0) {
      if (hasSlots && this.placeOnExisting(task, { ties, options })) continue;
      const best = needsCompany ? undefined : this.#calmest(options);
      const pod = best === undefined ? undefined : task.waiting.pop();
      if (best === undefined || pod === undefined) return;
      this.#demandOf(task, ties, best).pods.push(pod);
      countAt(best.stance.spots, 1);
    }
  }

  /** Of options to buy, the one that leaves counts most even; then the cheapest. */
  #calmest(options: readonly Option[]): Option | undefined {
    let best: Option | undefined;
    let bestCount = Infinity;
    for (const option of options) {
      const { worth, stance } = option;
      if (worth.tier === Infinity || !isAllowed(stance.spots)) continue;
      const count = crowding(stance.spots);
      const isBetter =
        best === undefined ||
        count < bestCount ||
        (count === bestCount && isCheaper(worth, best.worth));
      if (!isBetter) continue;
      best = option;
      bestCount = count;
    }
    return best;
  }

  #cheapest(options: readonly Option[]): Option | undefined {
    let best: Option | undefined;
    for (const option of options) {
      const { worth } = option;
      if (worth.tier < Infinity && (best === undefined || isCheaper(worth, best.worth)))
        best = option;
    }
    return best;
  }

  #nextPlace(task: Task, ties: Ties, option: Option): FoundPlace | undefined {
    const pod = task.waiting.at(-1);
    if (pod === undefined) return undefined;
    for (; option.next < option.slots.length; option.next++) {
      const slot = option.slots[option.next];
      if (slot === undefined || !this.#hasRoom(pod, ties, slot)) continue;
      const index = this.#whoCanAttach(task.waiting, slot);
      if (index !== undefined) return { slot, index };
    }
    return undefined;
  }

  #hasRoom(pod: Pod, ties: Ties, slot: Slot): boolean {
    return this.#parts.workspace.room(pod, slot) >= 1 && isBorneOn(ties, slot);
  }

  /** Pods of a class differ in the volumes that they attach, and in that alone. */
  #whoCanAttach(waiting: readonly Pod[], slot: Slot): number | undefined {
    const first = Math.max(0, waiting.length - mostAskedToAttach);
    for (let index = waiting.length - 1; index >= first; index--) {
      const pod = waiting[index];
      if (pod !== undefined && this.#parts.workspace.canAttach(pod, slot)) return index;
    }
    return undefined;
  }

  #placeOnSlot(task: Task, ties: Ties, option: Option): boolean {
    const place = this.#nextPlace(task, ties, option);
    if (place === undefined) return false;
    const { slot, index } = place;
    const isNext = index === task.waiting.length - 1;
    const pod = isNext ? task.waiting.pop() : task.waiting.splice(index, 1)[0];
    if (pod === undefined) return false;
    this.#parts.workspace.place(pod, slot);
    this.placements.push({ pod, nodeName: slot.name });
    countOnSlot(ties, slot, 1);
    return true;
  }

  #demandOf(task: Task, ties: Ties, option: Option): Demand {
    if (option.demand === undefined) {
      const { podClass, need } = task;
      const { tier, usdPerHour: worthUsdPerHour } = option.worth;
      const { pins } = option.stance;
      const wish = option.stance.wish.id;
      const ports = podClass.sample.hostPorts;
      option.demand = { podClass, need, ties, ports, wish, pins, tier, worthUsdPerHour, pods: [] };
      this.demands.push(option.demand);
    }
    return option.demand;
  }
}

/** A node, and which of the waiting pods goes there. */
interface FoundPlace {
  readonly slot: Slot;
  readonly index: number;
}

/** Where none of so many can attach its volumes, a node is taken to be full. */
const mostAskedToAttach = 64;

function isCheaper(a: Worth, b: Worth): boolean {
  return a.tier < b.tier || (a.tier === b.tier && a.usdPerHour < b.usdPerHour);
}
