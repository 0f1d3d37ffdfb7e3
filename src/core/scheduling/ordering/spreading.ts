import { cheapestFirst, type Good } from '../market/stock.ts';
import { exchange, type OpenNode, type Trade } from '../packing/open-node.ts';
import { smallBatch } from '../settings.ts';
import { kinOf } from './exotic.ts';
import { holdsAll, leastPrice, margins } from './order-list.ts';
import { likenessOf, type SpotPool, SpotPools } from './spot-pools.ts';

export interface Spreading {
  readonly nodes: readonly OpenNode[];
  readonly trades: readonly Trade[];
  readonly caution: number;
  /** By how much the price may rise at the most, whatever caution would pay for. */
  readonly mostRiseUsdPerHour: number;
}

/** By how much of its price the whole plan may rise, for each unit of caution. */
const risePerCaution = 0.1;
/** A spot pool with less than this share of the pods is no risk worth a cent. */
const leastShare = 0.05;
/** So many other purchases are weighed for a node, the cheapest. */
const mostOffers = 12;
const trifle = 1e-9;

/**
 * Plans some nodes in other spot pools (a type in a zone) than the cheapest, so that less is lost
 * when one pool is taken back. Always the largest pool is relieved, by the node that brings most
 * for the money, as long as caution pays for the rise. The pods of a node stay together, and what
 * they ask for holds in the other pool as well.
 */
export function* spread(spreading: Spreading): Generator<void, void> {
  const { nodes, trades, caution, mostRiseUsdPerHour } = spreading;
  const pods = nodes.reduce((sum, node) => sum + node.pods, 0);
  if (caution <= 0 || pods <= smallBatch) return;
  const price = nodes.reduce((sum, { good }) => sum + good.priceUsdPerHour, 0);
  // What costs nothing is always allowed, and counts a trifle each.
  const free = trifle * nodes.length * 2;
  let left = Math.max(0, Math.min(price * caution * risePerCaution, mostRiseUsdPerHour)) + free;
  const relief = new Relief(new SpotPools(nodes), trades);
  for (;;) {
    const move = yield* relief.best(leastShare * pods, left);
    if (move === undefined) return;
    left -= move.offer.riseUsdPerHour;
    relief.make(move);
    yield;
  }
}

/** Another way to buy a node. */
interface Offer {
  readonly good: Good;
  readonly trade: Trade;
  readonly pool: SpotPool | undefined;
  /** Never nothing, so that one can divide by it. */
  readonly riseUsdPerHour: number;
}

/** Nodes of one pool that are planned alike: what is true of one is true of all. */
interface Crowd {
  readonly nodes: OpenNode[];
  readonly offers: readonly Offer[];
}

interface Move {
  readonly node: OpenNode;
  readonly offer: Offer;
}

class Relief {
  readonly #pools: SpotPools;
  readonly #trades: readonly Trade[];
  /** Of pools that were the largest once. */
  readonly #crowds = new Map<SpotPool, Map<string, Crowd>>();

  constructor(pools: SpotPools, trades: readonly Trade[]) {
    this.#pools = pools;
    this.#trades = trades;
  }

  /** The best node to leave the largest pool, if that holds so many pods, for so much money. */
  *best(leastPods: number, leftUsdPerHour: number): Generator<void, Move | undefined> {
    const from = this.#pools.largest();
    if (from === undefined || from.pods < leastPods) return undefined;
    let best: Move | undefined;
    let most = 0;
    for (const { nodes, offers } of (yield* this.#crowdsOf(from)).values()) {
      const [node] = nodes;
      for (const offer of node === undefined ? [] : offers) {
        if (node === undefined || offer.riseUsdPerHour > leftUsdPerHour) break;
        const rate = gainOf(node, from, offer.pool) / offer.riseUsdPerHour;
        if (rate <= most || !offer.trade.isAffordable(offer.good, node.good)) continue;
        most = rate;
        best = { node, offer };
      }
    }
    return best;
  }

  make({ node, offer }: Move): void {
    const from = this.#pools.of(node.good);
    if (from !== undefined) this.#crowds.get(from)?.get(likenessOf(node))?.nodes.shift();
    this.#pools.leave(node);
    exchange(node, offer.good, offer.trade);
    this.#pools.enter(node);
    if (offer.pool !== undefined) this.#join(this.#crowds.get(offer.pool), node);
  }

  *#crowdsOf(pool: SpotPool): Generator<void, ReadonlyMap<string, Crowd>> {
    const known = this.#crowds.get(pool);
    if (known !== undefined) return known;
    const crowds = new Map<string, Crowd>();
    for (const node of pool.nodes) {
      const before = crowds.size;
      this.#join(crowds, node);
      if (crowds.size > before) yield;
    }
    this.#crowds.set(pool, crowds);
    return crowds;
  }

  #join(crowds: Map<string, Crowd> | undefined, node: OpenNode): void {
    if (crowds === undefined || !isMovable(node)) return;
    const text = likenessOf(node);
    const crowd = crowds.get(text);
    if (crowd === undefined) crowds.set(text, { nodes: [node], offers: this.#offersFor(node) });
    else crowd.nodes.push(node);
  }

  /** What else the node could be bought as at no less than its own price, cheapest first. */
  #offersFor(node: OpenNode): readonly Offer[] {
    const { stock, good: now, wish } = node;
    const trade = this.#trades.find(({ markets }) => markets.stocks.includes(stock));
    if (trade === undefined) return [];
    const { markets } = trade;
    const market = markets.of(wish);
    const isKin = kinOf(now.shape);
    const most = now.priceUsdPerHour * margins.near;
    const found: Good[] = [];
    market.walk(stock, leastPrice(node, markets), ({ shape, priceUsdPerHour }) => {
      if (priceUsdPerHour > most || found.length > 2 * mostOffers) return true;
      if (!isKin(shape) || !holdsAll(node, shape, markets)) return false;
      for (const good of stock.goods[shape.index] ?? [])
        if (isInstead(good, now, most) && market.has(good)) found.push(good);
      return false;
    });
    const cheapest = found.sort(cheapestFirst).slice(0, mostOffers);
    return cheapest.map((good) => ({
      good,
      trade,
      pool: this.#pools.of(good),
      riseUsdPerHour: Math.max(trifle, good.priceUsdPerHour - now.priceUsdPerHour),
    }));
  }
}

/** Where a pool insists on variety, or pods on ports, the order must stay as open as it is. */
function isMovable({ stock, good, ports }: OpenNode): boolean {
  const { reservation } = good.offering;
  return stock.pool.minValues === undefined && reservation === undefined && ports.length === 0;
}

/** What is cheaper than the machine that is planned was not to be had. */
function isInstead(good: Good, now: Good, mostUsdPerHour: number): boolean {
  const { offering, priceUsdPerHour, shape } = good;
  return (
    offering.reservation === undefined &&
    priceUsdPerHour >= now.priceUsdPerHour &&
    priceUsdPerHour <= mostUsdPerHour &&
    (shape !== now.shape || offering.zone !== now.offering.zone)
  );
}

/** By how much the sum of the squares of pods per pool falls when the node's pods move. */
function gainOf({ pods }: OpenNode, from: SpotPool, to: SpotPool | undefined): number {
  const left = from.pods - pods;
  return to === undefined ? pods * (2 * left + pods) : 2 * pods * (left - to.pods);
}
