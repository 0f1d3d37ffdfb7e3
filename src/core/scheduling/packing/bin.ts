import type { HostPort } from '../../cluster/pod.ts';
import type { Vector } from '../../quantity/columns.ts';
import { sorting } from '../../steps.ts';
import { compareText } from '../../text-order.ts';
import type { HostRows } from '../between-pods/topology.ts';
import type { Demand } from './demand.ts';

/** Demands alike in size, wish and worth: to packing they differ only in whom they bear. */
export interface Bin {
  readonly need: Vector;
  /** Equal for bins of the same need. */
  readonly size: number;
  readonly wish: number;
  /** How many pods of one queue a node holds at most by their own rules. */
  readonly soloCap: number;
  readonly ports: readonly HostPort[];
  /** At first what one pod costs at the least on machines full of its like; then what it fetched. */
  worthUsdPerHour: number;
  readonly queues: readonly Queue[];
  /** Pods that wait in all queues together. */
  left: number;
  /** The queue that is asked first; moves on, so that all queues shrink alike. */
  first: number;
}

export interface Queue extends HostRows {
  /** Its place in the bin. */
  readonly index: number;
  readonly demand: Demand;
  left: number;
  /** Pods that the machine in hand takes, not yet subtracted from `left`. */
  taken: number;
}

/** So many demands are looked at in one step. */
const demandsPerStep = 256;

/** The bins of the demands, the dearest pods first; ties by class. In small steps of work. */
export function* binning(demands: readonly Demand[]): Generator<void, readonly Bin[]> {
  const bins: Bin[] = [];
  const sizes = new Map<Vector, number>();
  for (const group of yield* grouping(demands)) {
    bins.push(binOf(group, sizes));
    if (bins.length % demandsPerStep === 0) yield;
  }
  return yield* sorting(bins, byWorthThenClass);
}

/** Demands by size, and by what else makes a bin. */
function* grouping(demands: readonly Demand[]): Generator<void, readonly Demand[][]> {
  const groups: Demand[][] = [];
  const sizes = new Map<Vector, Map<string | number, Demand[]>[]>();
  let looked = 0;
  for (const demand of demands) {
    looked += 1;
    if (looked % demandsPerStep === 0) yield;
    if (demand.pods.length === 0) continue;
    const { need, wish } = demand;
    const byWish = sizes.get(need) ?? [];
    if (byWish.length === 0) sizes.set(need, byWish);
    const byMark = byWish[wish] ?? new Map<string | number, Demand[]>();
    if (byMark.size === 0) byWish[wish] = byMark;
    const mark = markOf(demand);
    const group = byMark.get(mark);
    if (group === undefined) {
      const own = [demand];
      byMark.set(mark, own);
      groups.push(own);
    } else group.push(demand);
  }
  return groups;
}

/** How many pods a node holds by their own rules, and for those with ports the class. */
function markOf({ podClass, ties, ports }: Demand): string | number {
  return ports.length === 0 ? ties.soloCap : `${ties.soloCap} ${podClass.key}`;
}

function byWorthThenClass(a: Bin, b: Bin): number {
  return dearestFirst(a, b) || keyOf(a) - keyOf(b) || compareText(String(a.wish), String(b.wish));
}

function keyOf({ queues }: Bin): number {
  return queues[0]?.demand.podClass.key ?? 0;
}

export function podsIn(bins: readonly Bin[]): number {
  let pods = 0;
  for (const bin of bins) pods += bin.left;
  return pods;
}

/** Of equals the order is left as it was. */
export function dearestFirst(a: Bin, b: Bin): number {
  return b.worthUsdPerHour - a.worthUsdPerHour;
}

function binOf(demands: Demand[], sizes: Map<Vector, number>): Bin {
  const queues = demands.sort(longestFirst).map(queueOf);
  const [first] = queues;
  if (first === undefined) throw new Error('a bin needs a demand');
  const { need } = first.demand;
  const size = sizes.get(need) ?? sizes.size;
  sizes.set(need, size);
  return {
    need,
    size,
    wish: first.demand.wish,
    soloCap: first.demand.ties.soloCap,
    ports: first.demand.ports,
    worthUsdPerHour: first.demand.worthUsdPerHour,
    queues,
    left: queues.reduce((sum, queue) => sum + queue.left, 0),
    first: 0,
  };
}

function queueOf(demand: Demand, index: number): Queue {
  const { groups, matches, caps } = demand.ties.hostRows;
  return { index, demand, groups, matches, caps, left: demand.pods.length, taken: 0 };
}

function longestFirst(a: Demand, b: Demand): number {
  return b.pods.length - a.pods.length || a.podClass.key - b.podClass.key;
}
