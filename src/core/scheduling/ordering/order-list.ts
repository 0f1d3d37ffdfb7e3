import { portsClash } from '../../cluster/pod.ts';
import type { Market, Markets } from '../market/market.ts';
import { cheapestFirst, type Good, type Shape } from '../market/stock.ts';
import type { OpenNode } from '../packing/open-node.ts';
import { kinOf } from './exotic.ts';
import { PriceSheet } from './price-sheet.ts';

/** What lists are drawn from: the markets, or who answers in their place. */
export type Supply = Pick<Markets, 'of' | 'holds'>;

/** Everything that an order may become. */
export interface OrderList {
  /** Cheapest first. */
  readonly shapes: readonly Shape[];
  readonly kinds: ReadonlySet<string>;
  /** Undefined where the wish alone says which. */
  readonly zones: ReadonlySet<string> | undefined;
  readonly cheapest: Good;
  readonly dearest: Good;
}

/** How far an order may stray from the planned price, in multiples of it, for how many types. */
export const margins = {
  /** Whatever costs no more than this is named. */
  near: 1.5,
  /** With fewer types than this at hand, spot fails often and is taken back often. */
  enough: 10,
  /** So far may the price go until there are enough. */
  far: 2.5,
  /** With fewer than this there is next to no room, and a dearer machine beats none. */
  fewest: 5,
} as const;

/** No list is drawn from more than so many times the types that it may name. */
const mostWeighed = 2;

/**
 * The types, zones and kinds of capacity of an order. No purchase that they allow costs less than
 * the planned one, and none much more: where a type is dear in some zone, the order does without
 * the one or the other, whichever leaves more to choose from.
 */
export function orderListOf(
  node: OpenNode,
  markets: Supply,
  options: ListOptions,
): OrderList | undefined {
  const market = markets.of(node.wish);
  const sheet = sheetOf(node, markets, options);
  const most = boundOf(sheet, node.good, market);
  const { zones, types } = sheet.best(most, margins.enough);
  if (types === 0) return undefined;
  const frame = { shapes: sheet.shapesIn(zones, most), zones: sheet.zonesOf(zones), most };
  return listOf(frame, node.good, { market, ...options });
}

export interface ListOptions {
  readonly isAllowed: (shape: Shape) => boolean;
  readonly mostTypes: number;
}

/** Whether a node of the shape holds everyone, without a clash of host ports. */
export function holdsAll({ used, ports }: OpenNode, shape: Shape, markets: Supply): boolean {
  return (
    markets.holds(shape, used) && (ports.length === 0 || !portsClash(ports, shape.daemonPorts))
  );
}

/** The price from which on machines hold the load. */
export function leastPrice({ stock, wish, used }: OpenNode, markets: Supply): number {
  // The cheapest machine that holds the load is one that nothing beats: no need to look below.
  const front = markets.of(wish).frontIn(stock);
  return front.find(({ shape }) => markets.holds(shape, used))?.priceUsdPerHour ?? 0;
}

/** Types that hold the load, as far as the price may go. */
function sheetOf(node: OpenNode, markets: Supply, options: ListOptions): PriceSheet {
  const { stock, good } = node;
  const market = markets.of(node.wish);
  const isKin = kinOf(good.shape);
  const sheet = new PriceSheet(good, market.has);
  // What the planned zone has to offer is an upper bound on what the best set of zones has.
  const ownPriceOf = (types: number): number => sheet.ownPriceOf(types);
  let most = Infinity;
  market.walk(stock, leastPrice(node, markets), ({ shape, priceUsdPerHour }) => {
    if (priceUsdPerHour > most) return true;
    if (shape === good.shape || !isKin(shape)) return false;
    if (!holdsAll(node, shape, markets) || !options.isAllowed(shape)) return false;
    sheet.add(shape, market.has);
    most = boundBy(good.priceUsdPerHour, ownPriceOf);
    return sheet.shapes.length >= options.mostTypes * mostWeighed;
  });
  return sheet;
}

/** The most that the order may come to cost. */
function boundOf(sheet: PriceSheet, planned: Good, market: Market): number {
  const price = planned.priceUsdPerHour;
  const bound = boundBy(price, (types) => sheet.priceOf(types));
  if (planned.offering.capacityType !== 'spot') return bound;
  // Where on-demand machines would do as well, nobody pays more than that for spot.
  return Math.max(price, Math.min(bound, onDemandPrice(sheet, market)));
}

/** The most that may be paid, where so many types are to be had up to the price that is told. */
function boundBy(price: number, priceOf: (types: number) => number): number {
  const near = price * margins.near;
  const enough = priceOf(margins.enough);
  if (enough <= near) return near;
  return Math.max(near, Math.min(price * margins.far, enough), priceOf(margins.fewest));
}

function onDemandPrice({ shapes }: PriceSheet, market: Market): number {
  let least = Infinity;
  for (const { stock, index } of shapes)
    for (const good of stock.goods[index] ?? []) {
      const { offering, priceUsdPerHour } = good;
      if (priceUsdPerHour < least && offering.capacityType === 'on-demand' && market.has(good))
        least = priceUsdPerHour;
    }
  return least;
}

/** Types and zones that keep the promise, as long as the planned kind of capacity is bought. */
interface Frame {
  readonly shapes: readonly Shape[];
  readonly zones: ReadonlySet<string>;
  /** The most that the order may come to cost. */
  readonly most: number;
}

function listOf(
  frame: Frame,
  planned: Good,
  { market, mostTypes }: { readonly market: Market; readonly mostTypes: number },
): OrderList {
  const kinds = kindsOf(frame, planned, market);
  let isNarrow = false;
  const spans: Span[] = [];
  for (const { stock, index } of frame.shapes) {
    let span: Span | undefined;
    for (const good of stock.goods[index] ?? []) {
      const { zone, capacityType, reservation } = good.offering;
      if (reservation !== undefined || !kinds.has(capacityType) || !market.has(good)) continue;
      if (!frame.zones.has(zone)) isNarrow = true;
      else if (span === undefined) span = { cheapest: good, dearest: good };
      else span.dearest = good;
    }
    if (span !== undefined) spans.push(span);
  }
  const isPlanned = ({ cheapest }: Span): number => Number(cheapest.shape === planned.shape);
  // Others may cost as little, but what is planned is named in any case.
  spans.sort((a, b) => isPlanned(b) - isPlanned(a) || cheapestFirst(a.cheapest, b.cheapest));
  spans.splice(mostTypes);
  let dearest = planned;
  for (const span of spans)
    if (span.dearest.priceUsdPerHour > dearest.priceUsdPerHour) dearest = span.dearest;
  return {
    shapes: spans.map(({ cheapest }) => cheapest.shape),
    kinds,
    zones: isNarrow ? frame.zones : undefined,
    cheapest: planned,
    dearest,
  };
}

/** Of all that an order allows of one type, the two ends. */
interface Span {
  readonly cheapest: Good;
  dearest: Good;
}

/** The planned kind, and others whose every purchase keeps the promise as well. */
function kindsOf(
  { shapes, zones, most }: Frame,
  { priceUsdPerHour: planned, offering: own }: Good,
  market: Market,
): ReadonlySet<string> {
  const kinds = new Set<string>([own.capacityType]);
  // Too few types are a reason to name dearer ones, not to buy them in a dearer way.
  const bound = Math.min(most, planned * margins.far);
  for (const { stock, index } of shapes)
    for (const good of stock.goods[index] ?? []) {
      const { zone, capacityType, reservation } = good.offering;
      if (capacityType === own.capacityType || reservation !== undefined) continue;
      if (!zones.has(zone) || !market.has(good)) continue;
      // There is but one kind beside the planned one, since what is reserved is bought by name.
      if (good.priceUsdPerHour < planned || good.priceUsdPerHour > bound)
        return new Set([own.capacityType]);
      kinds.add(capacityType);
    }
  return kinds;
}
