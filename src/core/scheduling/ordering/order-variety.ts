import { valuesWithin } from '../../requirements/value-set.ts';
import { isOfOffering, offeringValue } from '../market/admission.ts';
import type { Market } from '../market/market.ts';
import type { Good, Shape } from '../market/stock.ts';
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
  const holders = holdersOf(node, markets, options);
  const { isAtAnyPrice, mostTypes } = options;
  const wide = isAtAnyPrice ? holders.slice(0, mostTypes) : wideOf(holders, mostTypes);
  const { list, isVaried } = withMinValues(node, wide, { holders, markets });
  const [best] = list;
  if (best === undefined || (options.isStrict && !isVaried)) return undefined;
  const shapes = list.map(({ shape }) => shape);
  const bought = boughtAs(list, markets.of(node.wish), node.good);
  return { shapes, zones: undefined, cheapest: best.cheapest, ...bought };
}

/** Whether types that hold the node's load have as many values as the pool insists on. */
export function hasMinValues(node: OpenNode, markets: Supply): boolean {
  const holders = holdersOf(node, markets, { isAllowed: () => true });
  return withMinValues(node, [], { holders, markets }).isVaried;
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

/** The list, grown by the cheapest types that bring a value still missing; and whether none is. */
function withMinValues(
  node: OpenNode,
  list: readonly Holder[],
  { holders, markets }: { readonly holders: readonly Holder[]; readonly markets: Supply },
): { readonly list: readonly Holder[]; readonly isVaried: boolean } {
  const result = new Set(list);
  let isVaried = true;
  for (const [key, least] of node.stock.pool.minValues ?? []) {
    const valuesOf = ({ shape }: Holder) => valuesIn(node, shape, { key, markets });
    const values = new Set([...result].flatMap(valuesOf));
    for (const holder of holders) {
      if (values.size >= least) break;
      const added = valuesOf(holder).filter((value) => !values.has(value));
      if (added.length === 0) continue;
      result.add(holder);
      for (const value of added) values.add(value);
    }
    if (values.size < least) isVaried = false;
  }
  return { list: holders.filter((holder) => result.has(holder)), isVaried };
}

/**
 * The values of a label that an order for the node may come to have with the shape: of those that
 * come with the purchase, the ones that can be bought; of others, the ones that the wish allows.
 */
export function valuesIn(
  { stock, wish, good }: OpenNode,
  shape: Shape,
  { key, markets }: { readonly key: string; readonly markets: Supply },
): readonly string[] {
  const market = markets.of(wish);
  if (isOfOffering(key)) {
    const id = good.offering.reservation?.id;
    return market.goodsOf(shape).flatMap(({ offering }) => {
      const value = offering.reservation?.id === id ? offeringValue(offering, key) : undefined;
      return value === undefined ? [] : [value];
    });
  }
  return valuesWithin(shape.type.requirements.get(key), market.requirementsIn(stock)?.get(key));
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
