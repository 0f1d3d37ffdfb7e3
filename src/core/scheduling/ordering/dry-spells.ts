import type { Offering } from '../../catalog/instance-type.ts';
import { firstConflict } from '../../requirements/requirements.ts';
import { offeringMeets } from '../market/admission.ts';
import type { Shape, Stock } from '../market/stock.ts';
import type { OpenNode } from '../packing/open-node.ts';
import { holdsAll, margins, type Supply } from './order-list.ts';

/** With so many purchases refused that would have done, there is more amiss than a dry pool. */
const many = 10;

interface Dry {
  readonly shape: Shape;
  readonly offering: Offering;
}

/**
 * Whether much of what the node could have been bought as, at about its price, is not to be had
 * at present. Then whatever can be launched is worth more than a promise about its price.
 */
export function isScarce(node: OpenNode, markets: Supply): boolean {
  const { stock, good, wish } = node;
  const dry = dryIn(stock);
  const wanted = dry.length < many ? undefined : markets.of(wish).requirementsIn(stock);
  if (wanted === undefined) return false;
  const most = good.priceUsdPerHour * margins.far;
  let found = 0;
  for (const { shape, offering } of dry) {
    if (offering.capacityType !== good.offering.capacityType || offering.priceUsdPerHour > most)
      continue;
    if (!holdsAll(node, shape, markets) || !offeringMeets(offering, wanted)) continue;
    if (firstConflict(shape.type.requirements, wanted) !== undefined) continue;
    found += 1;
    if (found >= many) return true;
  }
  return false;
}

/** What is not to be had now, in zones where something else of its kind is. */
function dryIn(stock: Stock): readonly Dry[] {
  const known = stock.memory.get('dry');
  if (known !== undefined) return known as readonly Dry[];
  const open = new Set(stock.outlets.filter(({ goods }) => goods.length > 0).map(placeOf));
  const dry: Dry[] = [];
  for (const shape of stock.shapes) {
    // What no order could ever become says nothing about the market.
    if (shape.type.isUnusable === true) continue;
    for (const offering of shape.type.offerings) {
      if (offering.isAvailable || offering.reservation !== undefined) continue;
      if (open.has(placeOf({ offering }))) dry.push({ shape, offering });
    }
  }
  stock.memory.set('dry', dry);
  return dry;
}

function placeOf({
  offering: { zone, capacityType },
}: {
  readonly offering: Pick<Offering, 'zone' | 'capacityType'>;
}): string {
  return `${zone} ${capacityType}`;
}
