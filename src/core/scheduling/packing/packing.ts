import type { Pod } from '../../cluster/pod.ts';
import { cheapestFirst, type Good } from '../market/stock.ts';
import { type Bin, dearestFirst } from './bin.ts';
import type { Demand } from './demand.ts';
import { Drafting } from './drafting.ts';
import type { Load } from './filling.ts';
import { bargainLoosely } from './loosening.ts';
import { enterFirst, type OpenNode, openNode, type Trade } from './open-node.ts';
import { heedRarity } from './rarity.ts';
import type { Choice, ShelfParts } from './shelf.ts';

export interface Packing extends Omit<ShelfParts, 'isOnlyPlan'> {
  /** All of one tier; their pods are taken as they are packed. */
  readonly bins: readonly Bin[];
  /** How many pods a node may hold where that is clearly cheaper. */
  readonly looserMost: number;
  /** Whether a node for so much can be ordered under the pool's `minValues`. */
  readonly isOrderable: (node: OpenNode) => boolean;
}

/** Where pods are of more kinds than this, one plan is drawn: the next would take too long. */
const fewBins = 128;
/** So many nodes are opened in one step. */
const nodesPerStep = 16;

/**
 * Buys again and again the machine that gives most worth for its price, counting only pods that
 * still wait. So bulk goes to what is cheapest per pod, the rest to what is cheapest for the
 * rest. Yields between machines; what is left in the demands could not be bought for.
 */
export function* pack(packing: Packing): Generator<void, readonly OpenNode[]> {
  const { trade, mostPods } = packing;
  const bins = [...packing.bins];
  const isVaried = bins.length > fewBins;
  if (!isVaried) {
    heedRarity(bins, { markets: trade.markets, mostPods });
    bins.sort(dearestFirst);
  }
  yield;
  const choices = choicesFor(bins, trade);
  yield;
  const isOrderable = (load: Load): boolean =>
    load.good.shape.stock.pool.minValues === undefined ||
    packing.isOrderable(nodeOf(load, { ...packing, good: load.good, podsOf: lastPods }));
  const drawingWith = (most: number): Generator<void, Drafting> =>
    Drafting.of({ ...packing, mostPods: most, isOrderable, isOnlyPlan: isVaried }, choices);
  const drafts = isVaried
    ? (yield* drawingWith(mostPods)).draw()
    : bargainLoosely({ ...packing, drawingWith });
  const nodes: OpenNode[] = [];
  for (const { load, good, times } of yield* drafts) {
    const as = { good, trade, podsOf: takenPods };
    for (let time = 0; time < times; time++) {
      nodes.push(nodeOf(load, as));
      if (nodes.length % nodesPerStep === 0) yield;
    }
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

/** The machine with the pods of the load. */
function nodeOf(
  { parts, wish }: Load,
  as: {
    readonly good: Good;
    readonly trade: Trade;
    readonly podsOf: (demand: Demand, many: number) => Pod[];
  },
): OpenNode {
  const [first] = parts;
  if (first === undefined) throw new Error('a load has pods');
  const node = openNode(first.queue.demand, as.good, as.trade);
  node.wish = wish;
  // Every part is of a queue, and so of a demand, of its own.
  for (const { queue, pods } of parts) {
    const { demand } = queue;
    enterFirst(node, { demand, pods: as.podsOf(demand, pods) });
  }
  return node;
}

/** So many of the demand's pods, the last first. They stay where they are. */
function lastPods({ pods }: Demand, many: number): Pod[] {
  return pods.slice(-many).reverse();
}

/** The same, but they are no longer there. */
function takenPods({ pods }: Demand, many: number): Pod[] {
  // Mostly it is a single one.
  const last = many === 1 ? pods.pop() : undefined;
  return last === undefined ? pods.splice(pods.length - many).reverse() : [last];
}
