import type { CapacityReservation } from '@aws-sdk/client-ec2';
import type {
  EC2NodeClass,
  ResolvedCapacityReservation,
} from '../../../api/karpenter/ec2-node-class.ts';
import { ExpiringMap, Remembered } from '../calls/expiring-map.ts';
import { type AwsContext, hourMs, minuteMs } from '../context.ts';
import { canonicalJson } from '../launch/content-hash.ts';
import { describeReservations, reservationQueries } from './reservation-queries.ts';
import { hasEnded, resolvedReservation } from './resolved-reservation.ts';

/** Capacity that is paid for already, and how much of it is left. */
export interface Reservations {
  /** What the node class selects, by id, without those that have ended. Asked anew every minute. */
  find(nodeClass: EC2NodeClass): Promise<readonly ResolvedCapacityReservation[]>;
  /** How many more machines the reservation holds, as far as is known; 0 for unknown ones. */
  left(id: string): number;
  /** A machine was launched into it: one less, until EC2 tells its own count. */
  noteLaunch(id: string): void;
  /** A machine of it is gone for certain: one more, until EC2 tells its own count. */
  noteTermination(id: string): void;
  /** EC2 said that it is full, or takes it back: nothing is left, until EC2 tells its own count. */
  noteExhausted(id: string): void;
}

export function createReservations(context: AwsContext): Reservations {
  const { clock, log } = context;
  const answers = new Remembered<readonly CapacityReservation[]>(clock, minuteMs);
  const left = new ExpiringMap<string, number>(clock, 24 * hourMs);
  const listed = new ExpiringMap<string, readonly string[]>(clock, 24 * hourMs);
  const skipped = new ExpiringMap<string, true>(clock, 24 * hourMs);

  async function ask(
    query: ReturnType<typeof reservationQueries>[number],
  ): Promise<readonly CapacityReservation[]> {
    const key = canonicalJson(query);
    return answers.get(key, async () => {
      const found = await describeReservations(context, query);
      // What EC2 no longer lists as active holds nothing, whoever still names it.
      for (const id of listed.get(key) ?? []) left.delete(id);
      for (const one of found) left.set(idOf(one), one.AvailableInstanceCount ?? 0);
      listed.set(key, found.map(idOf));
      return found;
    });
  }

  function resolved(reservation: CapacityReservation): readonly ResolvedCapacityReservation[] {
    const nowMs = clock.nowMs();
    const status = resolvedReservation(reservation, nowMs);
    if (status !== undefined) return hasEnded(status, nowMs) ? [] : [status];
    const id = idOf(reservation);
    if (!skipped.has(id))
      log.info('passing over a capacity reservation of a kind that is not supported', {
        id,
        type: reservation.ReservationType,
        instanceMatchCriteria: reservation.InstanceMatchCriteria,
      });
    skipped.set(id, true);
    return [];
  }

  function change(id: string, to: (count: number) => number): void {
    const known = left.get(id);
    if (known !== undefined) left.set(id, Math.max(0, to(known)));
  }

  return {
    async find(nodeClass) {
      const found = (await Promise.all(reservationQueries(nodeClass).map(ask))).flat();
      const byId = new Map(found.flatMap(resolved).map((one) => [one.id, one]));
      return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    },
    left: (id) => left.get(id) ?? 0,
    noteLaunch: (id) => change(id, (count) => count - 1),
    noteTermination: (id) => change(id, (count) => count + 1),
    noteExhausted: (id) => change(id, () => 0),
  };
}

function idOf(reservation: CapacityReservation): string {
  return reservation.CapacityReservationId ?? '';
}
