import type { ResolvedCapacityReservation } from '../../../api/karpenter/ec2-node-class.ts';
import type { InstanceType, Offering } from '../../../core/catalog/instance-type.ts';
import { endsAtMs, hasEnded, isExpiring } from '../reservations/resolved-reservation.ts';
import type { Amounts } from './expected-room.ts';
import type { Prices } from './pricing.ts';
import type { ResolvedType } from './resolved-type.ts';
import type { OfferingKey } from './unavailable-offerings.ts';

/** What is for sale now. Everything here may change from one minute to the next. */
export interface MarketView {
  readonly nowMs: number;
  readonly prices: Prices;
  isUnavailable(offering: OfferingKey & { readonly cpuMillis: number }): boolean;
  /** How many more machines a reservation holds. */
  left(reservationId: string): number;
  isShifted(zoneId: string | undefined): boolean;
  /** What machines of the type have, and what they leave to pods. */
  amountsOf(type: ResolvedType): Amounts;
}

/**
 * Paid for already, so that using it costs next to nothing; yet not nothing, so that of two
 * reservations the one for the smaller machine is the cheaper.
 */
const reservedPriceShare = 1 / 10_000_000;

/** The type as it can be bought now. */
export function offered(type: ResolvedType, market: MarketView): InstanceType {
  const { name, requirements } = type;
  const offerings = [
    ...type.zones.flatMap((zone) => bought(type, zone, market)),
    ...type.reservations.flatMap((one) => reserved(type, one, market)),
  ];
  const amounts = market.amountsOf(type);
  const isUnusable = type.imageId === undefined ? { isUnusable: true } : {};
  return { name, requirements, ...amounts, offerings, ...isUnusable };
}

type ZoneOfType = ResolvedType['zones'][number];

function bought(type: ResolvedType, zone: ZoneOfType, market: MarketView): readonly Offering[] {
  const { prices } = market;
  const instanceType = type.name;
  const cpuMillis = type.capacity.cpu ?? 0;
  return type.capacityTypes.flatMap((capacityType): Offering[] => {
    const onDemand = prices.onDemand(instanceType);
    const exact = capacityType === 'spot' ? prices.spot(instanceType, zone.name) : onDemand;
    // Without a price of its own it is not for sale; the on-demand price still values old nodes.
    const priceUsdPerHour = exact ?? onDemand;
    if (priceUsdPerHour === undefined) return [];
    const isAvailable =
      type.imageId !== undefined &&
      exact !== undefined &&
      !market.isShifted(zone.id) &&
      !market.isUnavailable({ capacityType, instanceType, zone: zone.name, cpuMillis });
    return [{ zone: zone.name, zoneId: zone.id, capacityType, priceUsdPerHour, isAvailable }];
  });
}

function reserved(
  type: ResolvedType,
  reservation: ResolvedCapacityReservation,
  market: MarketView,
): readonly Offering[] {
  const zone = type.zones.find((one) => one.name === reservation.availabilityZone);
  if (zone === undefined) return [];
  const left = market.left(reservation.id);
  const isEnding = reservation.state === 'expiring' || isExpiring(reservation, market.nowMs);
  return [
    {
      zone: zone.name,
      zoneId: zone.id,
      capacityType: 'reserved',
      priceUsdPerHour: (market.prices.onDemand(type.name) ?? 0) * reservedPriceShare,
      isAvailable:
        type.imageId !== undefined &&
        left > 0 &&
        !isEnding &&
        !hasEnded(reservation, market.nowMs) &&
        !market.isShifted(zone.id),
      reservation: {
        id: reservation.id,
        kind: reservation.reservationType ?? 'default',
        left,
        isInterruptible: reservation.interruptible ?? false,
        endsAtMs: endsAtMs(reservation),
      },
    },
  ];
}
