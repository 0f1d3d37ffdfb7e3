import type { HostPort } from '../../cluster/pod.ts';
import type { Vector } from '../../quantity/columns.ts';
import { sorting } from '../../steps.ts';
import { compareText } from '../../text-order.ts';
import type { Ties } from '../between-pods/topology.ts';
import type { Demand } from './demand.ts';

/** Demands alike in size, wish and worth: to packing they differ only in whom they bear. */
export interface Bin {
  readonly need: Vector;
  readonly wish: number;
  readonly ports: readonly HostPort[];
  /** At first what one pod costs at the least on machines full of its like; then what it fetched. */
  worthUsdPerHour: number;
  readonly queues: readonly Queue[];
  /** Pods that wait in all queues together. */
  left: number;
  /** The queue that is asked first; moves on, so that all queues shrink alike. */
  first: number;
}

export interface Queue {
  /** Its place in the bin. */
  readonly index: number;
  readonly demand: Demand;
  readonly groups: Int32Array;
  readonly matches: Uint8Array;
  readonly caps: Float64Array;
  left: number;
  /** Pods that the machine in hand takes, not yet subtracted from `left`. */
  taken: number;
}

/** So many demands are looked at in one step. */
const demandsPerStep = 256;

/** The bins of the demands, the dearest pods first; ties by class. In small steps of work. */
export function* binning(demands: readonly Demand[]): Generator<void, readonly Bin[]> {
  const sizes = new Map<Vector, Map<string, Demand[]>>();
  for (const [index, demand] of demands.entries()) {
    if (index % demandsPerStep === demandsPerStep - 1) yield;
    if (demand.pods.length === 0) continue;
    const { hostPorts } = demand.podClass.sample;
    const ports = hostPorts.length > 0 ? demand.podClass.key : '';
    const text = `${demand.wish} ${demand.ties.soloCap} ${ports}`;
    const groups = sizes.get(demand.need) ?? new Map<string, Demand[]>();
    sizes.set(demand.need, groups);
    const group = groups.get(text);
    if (group === undefined) groups.set(text, [demand]);
    else group.push(demand);
  }
  const bins: Bin[] = [];
  for (const groups of sizes.values())
    for (const group of groups.values()) {
      bins.push(binOf(group));
      if (bins.length % demandsPerStep === 0) yield;
    }
  return yield* sorting(bins, byWorthThenClass);
}

function byWorthThenClass(a: Bin, b: Bin): number {
  return dearestFirst(a, b) || keyOf(a) - keyOf(b) || compareText(String(a.wish), String(b.wish));
}

function keyOf({ queues }: Bin): number {
  return queues[0]?.demand.podClass.key ?? 0;
}

/** Of equals the order is left as it was. */
export function dearestFirst(a: Bin, b: Bin): number {
  return b.worthUsdPerHour - a.worthUsdPerHour;
}

function binOf(demands: readonly Demand[]): Bin {
  const queues = [...demands].sort(longestFirst).map(queueOf);
  const [first] = queues;
  if (first === undefined) throw new Error('a bin needs a demand');
  return {
    need: first.demand.need,
    wish: first.demand.wish,
    ports: first.demand.podClass.sample.hostPorts,
    worthUsdPerHour: first.demand.worthUsdPerHour,
    queues,
    left: queues.reduce((sum, queue) => sum + queue.left, 0),
    first: 0,
  };
}

type Rules = Pick<Queue, 'groups' | 'matches' | 'caps'>;

/** Demands share their ties, and so these rows. */
const known = new WeakMap<Ties, Rules>();

function queueOf(demand: Demand, index: number): Queue {
  const rules = known.get(demand.ties) ?? rulesOf(demand.ties);
  known.set(demand.ties, rules);
  const { groups, matches, caps } = rules;
  return { index, demand, groups, matches, caps, left: demand.pods.length, taken: 0 };
}

function rulesOf({ host }: Ties): Rules {
  return {
    groups: Int32Array.from(host, ({ group }) => group.id),
    matches: Uint8Array.from(host, ({ matches }) => (matches ? 1 : 0)),
    caps: Float64Array.from(host, ({ cap }) => cap),
  };
}

function longestFirst(a: Demand, b: Demand): number {
  return b.pods.length - a.pods.length || a.podClass.key - b.podClass.key;
}
