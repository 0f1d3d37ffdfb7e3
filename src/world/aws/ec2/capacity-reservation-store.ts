import type { Offer } from '../market/offer.ts';

/** Capacity that the account pays for whether it is used or not. */
export interface CapacityReservation {
  readonly id: string;
  readonly instanceType: string;
  readonly zone: string;
  readonly zoneId: string;
  readonly kind: 'default' | 'capacity-block';
  readonly matchCriteria: 'open' | 'targeted';
  readonly tenancy: string;
  readonly isInterruptible: boolean;
  readonly total: number;
  readonly createdAtMs: number;
  readonly endsAtMs: number | undefined;
  readonly isCancelled: boolean;
}

/** The capacity reservations of the account, ended ones included. */
export class CapacityReservations {
  readonly #reservations = new Map<string, CapacityReservation>();
  readonly #usedBy: (id: string) => number;

  /** `usedBy` counts the machines that occupy a reservation. */
  constructor(usedBy: (id: string) => number) {
    this.#usedBy = usedBy;
  }

  /** By id. */
  all(): readonly CapacityReservation[] {
    return [...this.#reservations.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  get(id: string): CapacityReservation | undefined {
    return this.#reservations.get(id);
  }

  put(reservation: CapacityReservation): void {
    this.#reservations.set(reservation.id, reservation);
  }

  /** How many more machines fit; none into one that is over. */
  available(reservation: CapacityReservation, nowMs: number): number {
    if (stateOf(reservation, nowMs) !== 'active') return 0;
    return Math.max(0, reservation.total - this.#usedBy(reservation.id));
  }

  /** The first, by id, that takes matching machines unasked and has room for so many. */
  openFor(
    offer: Offer,
    count: number,
    at: { readonly nowMs: number },
  ): CapacityReservation | undefined {
    return this.all().find(
      (one) =>
        one.matchCriteria === 'open' && holds(one, offer) && this.available(one, at.nowMs) >= count,
    );
  }
}

export function stateOf(
  { isCancelled, endsAtMs }: CapacityReservation,
  nowMs: number,
): 'active' | 'expired' | 'cancelled' {
  if (isCancelled) return 'cancelled';
  return (endsAtMs ?? Infinity) > nowMs ? 'active' : 'expired';
}

/** Whether machines of the pool could be in the reservation at all. */
export function holds(reservation: CapacityReservation, offer: Offer): boolean {
  return reservation.instanceType === offer.instanceType && reservation.zone === offer.zone;
}
