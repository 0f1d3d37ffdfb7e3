import type { Cloud } from '../cloud.ts';
import type { CapacityReservation } from '../ec2/capacity-reservation-store.ts';
import { isUsingCapacity } from '../ec2/instance.ts';
import { newId } from '../ec2/instance-parts.ts';

/** Capacity to put aside; what is left out is plain, open and without an end. */
export type ReservationWish = Pick<CapacityReservation, 'instanceType' | 'zone' | 'total'> &
  Partial<Pick<CapacityReservation, 'kind' | 'matchCriteria' | 'isInterruptible' | 'endsAtMs'>> & {
    readonly tags?: Readonly<Record<string, string>>;
  };

/** EC2 begins to take the machines of a block away half an hour before it ends. */
const blockEndsEarlySeconds = 1_800;

/** The id of a new reservation. Throws for a zone that the region does not have. */
export function reserve(cloud: Cloud, wish: ReservationWish): string {
  const zone = cloud.offers.zones.find((one) => one.name === wish.zone);
  if (zone === undefined) throw new Error(`reserving capacity: unknown zone ${wish.zone}`);
  const { tags = {}, ...wanted } = wish;
  const isBlock = wish.kind === 'capacity-block';
  const made: CapacityReservation = {
    kind: 'default',
    matchCriteria: isBlock ? 'targeted' : 'open',
    isInterruptible: false,
    endsAtMs: undefined,
    ...wanted,
    id: newId(cloud.random, 'cr'),
    zoneId: zone.id,
    tenancy: 'default',
    createdAtMs: cloud.time.nowMs(),
    isCancelled: false,
  };
  cloud.reservations.put(made);
  cloud.tags.put(made.id, tags);
  if (isBlock) endBlock(cloud, made);
  return made.id;
}

function endBlock(cloud: Cloud, { id, endsAtMs }: CapacityReservation): void {
  if (endsAtMs === undefined) return;
  const seconds = cloud.time.secondsBetween(cloud.time.nowMs(), endsAtMs) - blockEndsEarlySeconds;
  cloud.time.after(Math.max(0, seconds), () => {
    const members = cloud.instances.all().filter((one) => one.order.capacityReservationId === id);
    for (const one of members) if (isUsingCapacity(one)) cloud.instances.terminate(one.id);
  });
}
