import type { Offering, Reservation } from '../../../core/catalog/instance-type.ts';
import { type Candidate, narrowed } from './launch-filters.ts';

/** Kinds of reservations cannot be mixed in one request; of equal price, the first is taken. */
const kinds = ['default', 'capacity-block', 'interruptible'] as const;
export type ReservationKind = (typeof kinds)[number];

/** How the reservation is launched into. */
export function reservationKind({ kind, isInterruptible }: Reservation): ReservationKind {
  return kind === 'default' && isInterruptible === true ? 'interruptible' : kind;
}

/**
 * Only capacity that is paid for already, where there is any: of the cheapest kind, and of each type
 * the one reservation per zone that has most left. A capacity block must be the only choice. Without
 * any reserved offering the candidates stay as they are.
 */
export function reservedCandidates(candidates: readonly Candidate[]): readonly Candidate[] {
  const kind = cheapestKind(candidates);
  if (kind === undefined) return candidates;
  const ofKind = keep(candidates, ({ reservation }) => {
    return reservation !== undefined && reservationKind(reservation) === kind;
  });
  return kind === 'capacity-block' ? cheapestBlock(ofKind) : ofKind.map(fullestPerZone);
}

function keep(
  candidates: readonly Candidate[],
  test: (offering: Offering) => boolean,
): readonly Candidate[] {
  return candidates.map((one) => narrowed(one, test)).filter((one) => one.offerings.length > 0);
}

function cheapestKind(candidates: readonly Candidate[]): ReservationKind | undefined {
  const prices = new Map<ReservationKind, number>();
  for (const { reservation, priceUsdPerHour } of candidates.flatMap((one) => one.offerings)) {
    if (reservation === undefined) continue;
    const kind = reservationKind(reservation);
    prices.set(kind, Math.min(prices.get(kind) ?? Infinity, priceUsdPerHour));
  }
  const least = Math.min(...prices.values());
  return kinds.find((kind) => prices.get(kind) === least);
}

function cheapestBlock(candidates: readonly Candidate[]): readonly Candidate[] {
  const all = candidates.flatMap(({ type, offerings }) =>
    offerings.map((offering) => ({ type, offerings: [offering], offering })),
  );
  all.sort(
    (a, b) =>
      a.offering.priceUsdPerHour - b.offering.priceUsdPerHour ||
      compare(a.type.name, b.type.name) ||
      compare(a.offering.reservation?.id ?? '', b.offering.reservation?.id ?? ''),
  );
  return all.slice(0, 1).map(({ type, offerings }) => ({ type, offerings }));
}

function fullestPerZone({ type, offerings }: Candidate): Candidate {
  const best = new Map<string, Offering>();
  for (const offering of offerings) {
    const rival = best.get(offering.zone);
    const isFuller =
      rival === undefined || (offering.reservation?.left ?? 0) > (rival.reservation?.left ?? 0);
    if (isFuller) best.set(offering.zone, offering);
  }
  return { type, offerings: [...best.values()] };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
