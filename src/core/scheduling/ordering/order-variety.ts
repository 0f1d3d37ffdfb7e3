import type { Pool } from '../../cluster/snapshot.ts';
import type { Market } from '../market/market.ts';
import type { Good } from '../market/stock.ts';
import type { Holder } from '../market/stock-part.ts';
import type { OpenNode } from '../packing/open-node.ts';
import {
  holdsAll,
  type ListOptions,
  leastPrice,
  margins,
  type OrderList,
  type Supply,
} from './order-list.ts';

/**
 * The list of an order from a reservation, from a pool that insists on variety, or in times of
 * scarcity. Its zones and kinds of capacity stay as open as the wish leaves them, since a pool
 * may count them too; types are named by what they cost at the least.
 */
export function variedListOf(
  node: OpenNode,
  markets: Supply,
  options: ListOptions & {
    readonly isStrict: boolean;
    /** Whether the list is as long as can be, whatever its types cost. */
    readonly isAtAnyPrice: boolean;
  },
): OrderList | undefined {
  const { pool } = node.stock;
  const holders = holdersOf(node, markets, options);
  const { isAtAnyPrice, mostTypes } = options;
  const wide = isAtAnyPrice ? holders.slice(0, mostTypes) : wideOf(holders, mostTypes);
  const list = options.isStrict ? withMinValues(pool, wide, holders) : wide;
  const [best] = list ?? [];
  if (list === undefined || best === undefined) return undefined;
  const shapes = list.map(({ shape }) => shape);
  const bought = boughtAs(list, markets.of(node.wish), node.good);
  return { shapes, zones: undefined, cheapest: best.cheapest, ...bought };
}

/** Whether types that hold the node's load have as many values as the pool insists on. */
export function hasMinValues(node: OpenNode, markets: Supply): boolean {
  const holders = holdersOf(node, markets, { isAllowed: () => true });
  return withMinValues(node.stock.pool, [], holders) !== undefined;
}

/** Types that hold the load, cheapest first. From a reservation comes only what it holds. */
function holdersOf(
  node: OpenNode,
  markets: Supply,
  { isAllowed }: Pick<ListOptions, 'isAllowed'>,
): readonly Holder[] {
  const market = markets.of(node.wish);
  const { reservation } = node.good.offering;
  const holders: Holder[] = [];
  const look = (cheapest: Good): void => {
    const { shape } = cheapest;
    if (isAllowed(shape) && holdsAll(node, shape, markets)) holders.push({ shape, cheapest });
  };
  if (reservation === undefined)
    market.walk(node.stock, leastPrice(node, markets), (good) => {
      look(good);
      return false;
    });
  else
    for (const good of market.reservedIn(node.stock))
      if (good.offering.reservation?.id === reservation.id) look(good);
  return holders;
}

function wideOf(holders: readonly Holder[], mostTypes: number): readonly Holder[] {
  const price = holders[0]?.cheapest.priceUsdPerHour ?? 0;
  return holders.filter(
    ({ cheapest: { priceUsdPerHour } }, index) =>
      index < mostTypes &&
      (priceUsdPerHour <= price * margins.near ||
        index < margins.fewest ||
        (index < margins.enough && priceUsdPerHour <= price * margins.far)),
  );
}

/** The list, grown by the cheapest types that bring a value still missing. */
function withMinValues(
  pool: Pool,
  list: readonly Holder[],
  holders: readonly Holder[],
): readonly Holder[] | undefined {
  const result = new Set(list);
  for (const [key, least] of pool.minValues ?? []) {
    const values = new Set([...result].flatMap((holder) => valuesOf(holder, key)));
    for (const holder of holders) {
      if (values.size >= least) break;
      const added = valuesOf(holder, key).filter((value) => !values.has(value));
      if (added.length === 0) continue;
      result.add(holder);
      for (const value of added) values.add(value);
    }
    if (values.size < least) return undefined;
  }
  const sorted = holders.filter((holder) => result.has(holder));
  return sorted.length > 0 || list.length === 0 ? sorted : undefined;
}

function valuesOf({ shape }: Holder, key: string): readonly string[] {
  const set = shape.type.requirements.get(key);
  return set?.kind === 'only' ? [...set.values] : [];
}

/** The kinds of capacity that it may be bought as, and the dearest purchase of all. */
function boughtAs(
  holders: readonly Holder[],
  market: Market,
  { offering }: Good,
): Pick<OrderList, 'kinds' | 'dearest'> {
  const id = offering.reservation?.id;
  const [best] = holders;
  if (best === undefined) throw new Error('an order needs a type');
  let dearest = best.cheapest;
  const kinds = new Set<string>();
  for (const { shape } of holders)
    for (const good of market.goodsOf(shape)) {
      const { reservation, capacityType } = good.offering;
      if (reservation?.id !== id) continue;
      kinds.add(capacityType);
      if (good.priceUsdPerHour > dearest.priceUsdPerHour) dearest = good;
    }
  return { kinds, dearest };
}
