import { type HostPort, portsClash } from '../cluster/pod.ts';
import { take, timesFitting, type Vector } from '../quantity/columns.ts';
import type { Requirements } from '../requirements/requirements.ts';
import { joined, type Purchase } from './market.ts';

/** A class of equal pods, as packing sees it. */
export interface Item {
  readonly need: Vector;
  readonly group: number;
  readonly hostPorts: readonly HostPort[];
  /** What one such pod costs at the least, on machines full of its like: its worth when placed. */
  readonly worthUsdPerHour: number;
}

/** How many pods of which class, by index of the class. */
export interface Count {
  readonly item: number;
  readonly pods: number;
}

/** A machine and what would run on it. */
export interface Load {
  readonly purchase: Purchase;
  /** In the order in which they were put on it; each class once. */
  readonly counts: readonly Count[];
  readonly worthUsdPerHour: number;
}

export interface Demand {
  readonly items: readonly Item[];
  /** How many pods of each item wait; packing counts down. */
  readonly waiting: number[];
  /** Items by worth, the dearest first: pods that only dear machines hold choose first. */
  readonly order: readonly number[];
}

/** Classes weighed against each other for a balanced load; more would cost time for little. */
const mostBalanced = 12;
/** After so many classes in a row that do not fit, a machine counts as full. */
const patience = 256;

/** The better of two ways to fill the machine from what waits. */
export function bestLoad(purchase: Purchase, demand: Demand): Load {
  const inOrder = loadInOrder(purchase, demand);
  if (inOrder.counts.length === 0) return inOrder;
  const balanced = loadBalanced(purchase, demand);
  return balanced.worthUsdPerHour > inOrder.worthUsdPerHour * (1 + 1e-9) ? balanced : inOrder;
}

/** The machine with exactly these pods, or undefined where it does not hold them. */
export function exactLoad(
  purchase: Purchase,
  items: readonly Item[],
  counts: readonly Count[],
): Load | undefined {
  const filling = new Filling(purchase);
  for (const { item, pods } of counts)
    if (filling.add(items, item, pods) !== pods) return undefined;
  return filling.load(items);
}

/** How many pods of one class an otherwise empty machine holds. */
export function roomFor(purchase: Purchase, item: Item): number {
  return new Filling(purchase).room([item], 0);
}

/** Class by class, the dearest pods first, as many as fit of each. */
function loadInOrder(purchase: Purchase, demand: Demand): Load {
  const filling = new Filling(purchase);
  let misses = 0;
  for (const item of demand.order) {
    const waiting = demand.waiting[item] ?? 0;
    if (waiting === 0) continue;
    misses = filling.add(demand.items, item, waiting) > 0 ? 0 : misses + 1;
    if (misses >= patience) break;
  }
  return filling.load(demand.items);
}

/**
 * A little of each class in turn, always of the one whose worth is highest for its share of the
 * scarcest room left. So pods heavy in CPU and pods heavy in memory come to share a machine.
 */
function loadBalanced(purchase: Purchase, demand: Demand): Load {
  const filling = new Filling(purchase);
  const left = new Map<number, number>();
  for (const item of demand.order) {
    const waiting = demand.waiting[item] ?? 0;
    if (waiting > 0 && left.size < mostBalanced) left.set(item, waiting);
  }
  if (left.size < 2) return filling.load(demand.items);
  for (;;) {
    const item = filling.mostWorthwhile(demand.items, left);
    if (item === undefined) return filling.load(demand.items);
    const waiting = left.get(item) ?? 0;
    const portion = Math.max(1, Math.floor(filling.room(demand.items, item) / 8));
    const added = filling.add(demand.items, item, Math.min(waiting, portion));
    if (added === 0 || added === waiting) left.delete(item);
    else left.set(item, waiting - added);
  }
}

/** A machine while it is being filled. */
class Filling {
  readonly #purchase: Purchase;
  readonly #free: Vector;
  readonly #counts = new Map<number, number>();
  #ports: readonly HostPort[];
  #requirements: Requirements;

  constructor(purchase: Purchase) {
    this.#purchase = purchase;
    this.#free = purchase.shape.free.slice();
    this.#ports = purchase.shape.daemonPorts;
    this.#requirements = purchase.shape.pool.requirements;
  }

  room(items: readonly Item[], index: number): number {
    const item = items[index];
    if (item === undefined || this.#purchase.groups[item.group] !== 1) return 0;
    const times = timesFitting(item.need, this.#free);
    if (item.hostPorts.length === 0 || times === 0) return times;
    return portsClash(item.hostPorts, this.#ports) ? 0 : 1;
  }

  /** Adds as many pods as fit, up to `most`, and says how many. */
  add(items: readonly Item[], index: number, most: number): number {
    const item = items[index];
    const pods = Math.min(most, this.room(items, index));
    if (item === undefined || pods === 0 || !this.#agrees(item)) return 0;
    take(this.#free, item.need, pods);
    this.#counts.set(index, (this.#counts.get(index) ?? 0) + pods);
    if (item.hostPorts.length > 0) this.#ports = [...this.#ports, ...item.hostPorts];
    return pods;
  }

  mostWorthwhile(items: readonly Item[], left: ReadonlyMap<number, number>): number | undefined {
    let best: number | undefined;
    let bestScore = 0;
    for (const index of left.keys()) {
      const item = items[index];
      if (item === undefined || this.room(items, index) === 0) continue;
      const score = item.worthUsdPerHour / largestShare(item.need, this.#free);
      if (score <= bestScore) continue;
      best = index;
      bestScore = score;
    }
    return best;
  }

  load(items: readonly Item[]): Load {
    const counts = [...this.#counts].map(([item, pods]) => ({ item, pods }));
    const worthUsdPerHour = counts.reduce(
      (sum, { item, pods }) => sum + pods * (items[item]?.worthUsdPerHour ?? 0),
      0,
    );
    return { purchase: this.#purchase, counts, worthUsdPerHour };
  }

  /** Whether the pods agree with those already here about labels that the purchase leaves open. */
  #agrees(item: Item): boolean {
    if (this.#purchase.asksOpenLabels[item.group] !== true) return true;
    const together = joined(this.#purchase, this.#requirements, item.group);
    if (together === undefined) return false;
    this.#requirements = together;
    return true;
  }
}

function largestShare(need: Vector, free: Vector): number {
  let largest = 0;
  for (let index = 0; index < need.length; index++) {
    const amount = need[index] ?? 0;
    if (amount > 0) largest = Math.max(largest, amount / (free[index] ?? 0));
  }
  return largest;
}
