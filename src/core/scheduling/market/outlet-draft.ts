import type { Offering } from '../../catalog/instance-type.ts';
import type { Pool } from '../../cluster/snapshot.ts';
import { offeringMeets } from './admission.ts';
import type { Good, Shape } from './stock.ts';

/** An outlet while it is being filled. */
export interface OutletDraft {
  readonly offering: Offering;
  readonly text: string;
  readonly goods: Good[];
  index: number;
  /** The pool lets nodes be bought there. */
  readonly isOpen: boolean;
}

/** The ways to buy the shape for its pool; each is entered under its outlet too. */
export function goodsOf(shape: Shape, outlets: OutletDraft[]): Good[] {
  const { pool } = shape.stock;
  const goods: Good[] = [];
  const { offerings } = shape.type;
  for (let place = 0; place < offerings.length; place++) {
    const offering = offerings[place];
    if (offering === undefined || !offering.isAvailable) continue;
    if (offering.reservation !== undefined && offering.reservation.left < 1) continue;
    const outlet = outletFor(offering, outlets, { guess: place, pool });
    if (!outlet.isOpen) continue;
    const { priceUsdPerHour } = offering;
    const good = { shape, outlet, offering, priceUsdPerHour };
    outlet.goods.push(good);
    goods.push(good);
  }
  return goods;
}

/** Types list their offerings in the same order, so that the same place is the first guess. */
function outletFor(
  offering: Offering,
  outlets: OutletDraft[],
  { guess, pool }: { readonly guess: number; readonly pool: Pool },
): OutletDraft {
  const likely = outlets[guess];
  if (likely !== undefined && isOf(likely, offering)) return likely;
  const known = outlets.find((outlet) => isOf(outlet, offering));
  if (known !== undefined) return known;
  const { zone, zoneId = '', capacityType, reservation } = offering;
  const text = `${zone} ${capacityType} ${zoneId} ${reservation?.id ?? ''}`;
  const isOpen = offeringMeets(offering, pool.requirements);
  const outlet = { offering, text, goods: [], index: 0, isOpen };
  outlets.push(outlet);
  return outlet;
}

function isOf({ offering: own }: OutletDraft, other: Offering): boolean {
  return (
    own.zone === other.zone &&
    own.capacityType === other.capacityType &&
    own.zoneId === other.zoneId &&
    own.reservation?.id === other.reservation?.id
  );
}
