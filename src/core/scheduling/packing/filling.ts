import { type HostPort, portsClash } from '../../cluster/pod.ts';
import { timesFitting, type Vector } from '../../quantity/columns.ts';
import type { Markets } from '../market/market.ts';
import type { Good } from '../market/stock.ts';
import { impossible, type Wishes } from '../market/wish.ts';
import type { Bin, Queue } from './bin.ts';

/** How many pods of one queue. */
export interface Part {
  readonly bin: Bin;
  readonly queue: Queue;
  readonly pods: number;
}

/** A machine and what would run on it. */
export interface Load {
  readonly good: Good;
  readonly parts: readonly Part[];
  readonly pods: number;
  /** The wish of everyone on it together. */
  readonly wish: number;
  readonly worthUsdPerHour: number;
}

/** So many queues of a bin are asked for one that bears the company, before the bin is passed by. */
const patience = 12;
const noPorts: readonly HostPort[] = [];

/**
 * A machine while it is being filled. One object serves for all machines, one after the other;
 * `taken` of the queues is what the machine in hand has of them.
 */
export class Filling {
  readonly #markets: Markets;
  readonly #wishes: Wishes;
  readonly #free: Vector;
  /** By group: matching pods on the machine, and how many those there bear. */
  readonly #counts: Int32Array;
  readonly #caps: Float64Array;
  /** Groups that are not as in an empty machine; the list outlives the machine. */
  readonly #touched: number[] = [];
  #touches = 0;
  /** What the machine has so far, and behind it what others had: a load gets parts of its own. */
  readonly #parts: { bin: Bin; queue: Queue; pods: number }[] = [];
  #size = 0;
  #good: Good | undefined;
  #wish = impossible;
  #ports: readonly HostPort[] = noPorts;
  #room = 0;
  #worth = 0;
  #pods = 0;

  constructor(parts: {
    readonly markets: Markets;
    readonly wishes: Wishes;
    readonly groups: number;
  }) {
    this.#markets = parts.markets;
    this.#wishes = parts.wishes;
    this.#free = new Float64Array(parts.markets.columns.names.length);
    this.#counts = new Int32Array(parts.groups);
    this.#caps = new Float64Array(parts.groups).fill(Infinity);
  }

  /** Begins with an empty machine that shall hold at most so many pods. */
  begin(good: Good, mostPods: number): void {
    this.giveUp();
    this.#good = good;
    this.#markets.copyFree(good.shape, this.#free);
    this.#ports = good.shape.daemonPorts;
    this.#room = mostPods;
  }

  /** Writes by column which part of the room left one unit is; more than any part for none left. */
  measure(perUnit: Vector): void {
    const free = this.#free;
    for (let index = 0; index < free.length; index++) {
      const left = this.#room > 0 ? (free[index] ?? 0) : 0;
      perUnit[index] = left > 0 ? 1 / left : Number.MAX_VALUE;
    }
  }

  /** Adds up to `most` pods of the bin, from the first queue that will; says how many. */
  add(bin: Bin, most: number): number {
    return this.#addFitting(bin, Math.min(most, this.#roomFor(bin.need)));
  }

  /** The same for one of so many parts of the room that is left for such pods, and at least one. */
  addPart(bin: Bin, parts: number): number {
    const room = this.#roomFor(bin.need);
    return this.#addFitting(bin, Math.min(room, Math.max(1, Math.floor(room / parts))));
  }

  #roomFor(need: Vector): number {
    return this.#room <= 0 ? 0 : Math.min(this.#room, timesFitting(need, this.#free));
  }

  #addFitting(bin: Bin, room: number): number {
    const { queues, ports } = bin;
    const fitting = ports.length === 0 ? room : Math.min(1, room);
    if (fitting <= 0 || (ports.length > 0 && portsClash(ports, this.#ports))) return 0;
    const wish = this.#joined(bin);
    if (wish === impossible) return 0;
    let index = bin.first;
    for (let step = 0, asked = 0; step < queues.length && asked < patience; step++) {
      const queue = queues[index];
      index = index + 1 < queues.length ? index + 1 : 0;
      if (queue === undefined || queue.left <= queue.taken) continue;
      asked += 1;
      const pods = Math.min(fitting, queue.left - queue.taken, this.#borne(queue));
      if (pods <= 0) continue;
      this.#take(bin, queue, pods);
      this.#wish = wish;
      return pods;
    }
    return 0;
  }

  get worthUsdPerHour(): number {
    return this.#worth;
  }

  /** The machine as filled; `taken` of its queues is given back. */
  load(): Load {
    const good = this.#good;
    if (good === undefined) throw new Error('no machine was begun');
    const load = {
      good,
      parts: this.#ownParts(),
      pods: this.#pods,
      wish: this.#wish,
      worthUsdPerHour: this.#worth,
    };
    this.giveUp();
    return load;
  }

  #ownParts(): readonly Part[] {
    const parts = new Array<Part>(this.#size);
    for (let index = 0; index < parts.length; index++) {
      const { bin, queue, pods } = this.#parts[index] as Part;
      parts[index] = { bin, queue, pods };
    }
    return parts;
  }

  /** Forgets the machine; `taken` of its queues is given back. */
  giveUp(): void {
    for (let index = 0; index < this.#size; index++) {
      const part = this.#parts[index];
      if (part !== undefined) part.queue.taken = 0;
    }
    for (let index = 0; index < this.#touches; index++) {
      const group = this.#touched[index] ?? 0;
      this.#counts[group] = 0;
      this.#caps[group] = Infinity;
    }
    this.#touches = 0;
    this.#size = 0;
    this.#wish = impossible;
    this.#ports = noPorts;
    this.#worth = 0;
    this.#pods = 0;
  }

  #joined(bin: Bin): number {
    if (this.#wish === impossible || this.#wish === bin.wish) return bin.wish;
    const joined = this.#wishes.join(this.#wish, bin.wish);
    if (joined === impossible || joined === this.#wish || this.#good === undefined) return joined;
    return this.#markets.of(joined).has(this.#good) ? joined : impossible;
  }

  /** How many pods of the queue the others on the machine bear, and it them. */
  #borne({ groups, matches, caps }: Queue): number {
    let most = Infinity;
    for (let index = 0; index < groups.length; index++) {
      const group = groups[index] ?? 0;
      const cap = Math.min(this.#caps[group] ?? Infinity, caps[index] ?? Infinity);
      const room = cap - (this.#counts[group] ?? 0);
      if (room < 0) return 0;
      if (matches[index] === 1 && room < most) most = room;
    }
    return most;
  }

  #take(bin: Bin, queue: Queue, pods: number): void {
    const { need } = bin;
    const free = this.#free;
    for (let index = 0; index < free.length; index++)
      free[index] = (free[index] ?? 0) - pods * (need[index] ?? 0);
    const { groups, matches, caps } = queue;
    for (let index = 0; index < groups.length; index++) {
      const group = groups[index] ?? 0;
      this.#touched[this.#touches] = group;
      this.#touches += 1;
      if (matches[index] === 1) this.#counts[group] = (this.#counts[group] ?? 0) + pods;
      this.#caps[group] = Math.min(this.#caps[group] ?? Infinity, caps[index] ?? Infinity);
    }
    if (bin.ports.length > 0) this.#ports = [...this.#ports, ...bin.ports];
    this.#note(bin, queue, pods);
    queue.taken += pods;
    this.#room -= pods;
    this.#pods += pods;
    this.#worth += pods * bin.worthUsdPerHour;
  }
  #note(bin: Bin, queue: Queue, pods: number): void {
    const place = queue.taken > 0 ? this.#placeOf(queue) : this.#size;
    const part = this.#parts[place];
    if (part === undefined) this.#parts.push({ bin, queue, pods });
    else if (place < this.#size) part.pods += pods;
    else {
      part.bin = bin;
      part.queue = queue;
      part.pods = pods;
    }
    if (place === this.#size) this.#size += 1;
  }

  #placeOf(queue: Queue): number {
    let place = this.#size - 1;
    while (place >= 0 && this.#parts[place]?.queue !== queue) place -= 1;
    return place;
  }
}
