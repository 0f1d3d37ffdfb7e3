import type { Pod } from '../cluster/pod.ts';
import { type Bin, binsOf } from './bin.ts';
import type { Demand } from './demand.ts';
import type { Load } from './filling.ts';
import { cheapestFor, enter, exchange, type OpenNode, openNode, type Trade } from './open-node.ts';
import { type Choice, Shelf, type ShelfParts } from './shelf.ts';
import { cheapestFirst, type Good } from './stock.ts';

export interface Packing extends ShelfParts {
  /** All of one tier; their pods are taken as they are packed. */
  readonly demands: readonly Demand[];
  /** Whether a node for so much can be ordered under the pool's `minValues`. */
  readonly isOrderable: (node: OpenNode) => boolean;
}

/**
 * Buys again and again the machine that gives most worth for its price, counting only pods that
 * still wait. So bulk goes to what is cheapest per pod, the rest to what is cheapest for the
 * rest. Yields between machines; what is left in the demands could not be bought for.
 */
export function* pack(packing: Packing): Generator<void, readonly OpenNode[]> {
  const nodes: OpenNode[] = [];
  const bins = binsOf(packing.demands);
  yield;
  const choices = choicesFor(bins, packing.trade);
  yield;
  const shelf = new Shelf(packing, choices);
  yield;
  for (let load = yield* shelf.best(); load !== undefined; load = yield* shelf.best()) {
    const opened = open(load, packing);
    if (opened.length === 0) shelf.drop(load.good);
    for (const node of opened) nodes.push(node);
    yield;
  }
  return nodes;
}

/** Everything worth buying for some bin, cheapest first, with all bins that may be on it. */
function choicesFor(bins: readonly Bin[], { markets }: Trade): readonly Choice[] {
  const wishes = [...new Set(bins.map((bin) => bin.wish))];
  const goods = new Set(wishes.flatMap((wish) => markets.of(wish).front));
  const lists = new Map<string, readonly Bin[]>();
  return [...goods].sort(cheapestFirst).map((good) => {
    const open = new Set(wishes.filter((wish) => markets.of(wish).has(good)));
    const text = [...open].join();
    const list = lists.get(text) ?? bins.filter((bin) => open.has(bin.wish));
    lists.set(text, list);
    return { good, bins: list };
  });
}

/** Machines for the load, as many as there are pods for; none where no order can be made. */
function open(load: Load, packing: Packing): readonly OpenNode[] {
  const { trade, ledger } = packing;
  const nodes: OpenNode[] = [];
  const times = repeats(load);
  // Each may turn out to be another machine, so that the limits are asked every time.
  for (let time = 0; time < times && ledger.affordable(load.good) >= 1; time++) {
    const node = fill(load, trade);
    if (node === undefined) break;
    if (time === 0 && !packing.isOrderable(node)) {
      for (const [demand, pods] of node.guests) demand.pods.push(...pods);
      return [];
    }
    ledger.charge(load.good, 1);
    const good = nodes[time - 1]?.good ?? cheaperFor(node, trade);
    if (good !== undefined && good !== load.good && trade.isAffordable(good, load.good))
      exchange(node, good, trade);
    nodes.push(node);
  }
  for (const { bin, queue, pods } of load.parts) {
    queue.left -= pods * nodes.length;
    bin.left -= pods * nodes.length;
    bin.first = (bin.queues.indexOf(queue) + 1) % bin.queues.length;
  }
  return nodes;
}

function cheaperFor({ wish, stock, used, ports, good }: OpenNode, trade: Trade): Good | undefined {
  const isAffordable = (other: Good): boolean => trade.isAffordable(other, good);
  return cheapestFor({ wish, stock, total: used, ports }, trade, isAffordable);
}

function fill(load: Load, trade: Trade): OpenNode | undefined {
  const [first] = load.parts;
  if (first === undefined) return undefined;
  const node = openNode(first.queue.demand, load.good, trade);
  node.wish = load.wish;
  for (const { queue, pods } of load.parts)
    enter(node, queue.demand, takeLast(queue.demand.pods, pods));
  return node;
}

function takeLast(pods: Pod[], amount: number): readonly Pod[] {
  return pods.splice(pods.length - amount, amount).reverse();
}

/** How often the same machine can be filled in the same way. */
function repeats({ parts }: Load): number {
  let times = Infinity;
  for (const { queue, pods } of parts) times = Math.min(times, Math.floor(queue.left / pods));
  return times === Infinity ? 0 : times;
}
