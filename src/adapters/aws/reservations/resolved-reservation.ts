import type { CapacityReservation } from '@aws-sdk/client-ec2';
import type { ResolvedCapacityReservation } from '../../../api/karpenter/ec2-node-class.ts';
import { minuteMs } from '../context.ts';

/** So long before its end EC2 begins to take the machines of a capacity block away. */
const blockEndsEarlyMs = 40 * minuteMs;

/**
 * A reservation as it stands in the status of a node class; undefined for kinds that Karpenter
 * does not buy from.
 */
export function resolvedReservation(
  reservation: CapacityReservation,
  nowMs: number,
): ResolvedCapacityReservation | undefined {
  const { ReservationType: kind = 'default', InstanceMatchCriteria: criteria } = reservation;
  if (kind !== 'default' && kind !== 'capacity-block') return undefined;
  if (criteria !== 'open' && criteria !== 'targeted') return undefined;
  const resolved = {
    id: reservation.CapacityReservationId ?? '',
    ownerID: reservation.OwnerId ?? '',
    availabilityZone: reservation.AvailabilityZone ?? '',
    instanceType: reservation.InstanceType ?? '',
    instanceMatchCriteria: criteria,
    reservationType: kind,
    interruptible: reservation.Interruptible ?? false,
    ...(reservation.EndDate === undefined
      ? {}
      : { endTime: reservation.EndDate.toISOString().replace('.000Z', 'Z') }),
  };
  return { ...resolved, state: isExpiring(resolved, nowMs) ? 'expiring' : 'active' };
}

/** Only capacity blocks expire with a warning; other reservations just hold no machine any more. */
export function isExpiring(
  reservation: Pick<ResolvedCapacityReservation, 'reservationType' | 'endTime'>,
  nowMs: number,
): boolean {
  if (reservation.reservationType !== 'capacity-block') return false;
  return nowMs >= (endsAtMs(reservation) ?? Infinity) - blockEndsEarlyMs;
}

export function hasEnded(
  reservation: Pick<ResolvedCapacityReservation, 'endTime'>,
  nowMs: number,
): boolean {
  return (endsAtMs(reservation) ?? Infinity) <= nowMs;
}

/** Undefined for reservations without an end. */
export function endsAtMs({
  endTime,
}: Pick<ResolvedCapacityReservation, 'endTime'>): number | undefined {
  return endTime === undefined ? undefined : Date.parse(endTime);
}
