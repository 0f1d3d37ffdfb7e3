import type { Cloud } from '../cloud.ts';
import type { Offer } from '../market/offer.ts';
import { type CapacityReservation, holds } from './capacity-reservation-store.ts';
import { isAlive } from './instance.ts';
import type { Refusal, Resolved } from './launch-check.ts';
import type { LaunchSpecification } from './launch-specification.ts';
import type { PlacementGroup } from './placement-group-store.ts';

/** EC2 spreads at most so many machines of a group over the racks of one zone. */
const spreadLimit = 7;

/** The group a launch names; undefined where it names none. */
export function findPlacementGroup(
  cloud: Cloud,
  { placement }: LaunchSpecification,
): PlacementGroup | Refusal | undefined {
  const { groupId, groupName } = placement;
  if (groupId === undefined && groupName === undefined) return undefined;
  const group =
    groupId === undefined
      ? cloud.placementGroups.named(groupName ?? '')
      : cloud.placementGroups.byId(groupId);
  if (group !== undefined) return group;
  const name = groupId ?? groupName ?? '';
  return refused('InvalidPlacementGroup.Unknown', `The Placement Group '${name}' is unknown.`);
}

/** Where in the group so many machines more would go; undefined where no group is asked for. */
export function placeInGroup(
  cloud: Cloud,
  launch: Resolved,
  count: number,
):
  | { readonly groupId: string; readonly groupName: string; readonly partition: number }
  | Refusal
  | undefined {
  const group = launch.placementGroup;
  if (group === undefined) return undefined;
  const zone = launch.subnet.zone.name;
  const members = cloud.instances
    .all()
    .filter((one) => isAlive(one) && one.order.placement?.groupId === group.id);
  const inZone = members.filter((one) => one.order.subnet.zone.name === zone);
  if (group.strategy === 'spread' && inZone.length + count > spreadLimit) {
    return refused(
      'InstanceLimitExceeded',
      `You've reached the limit of instances in this spread placement group. A spread placement group can have ${spreadLimit} running instances per Availability Zone.`,
    );
  }
  const asked = launch.specification.placement.partitionNumber;
  const used = members.map((one) => one.order.placement?.partition ?? 0);
  const partition =
    group.partitionCount === 0 ? 0 : (asked ?? emptiest(group.partitionCount, used));
  return { groupId: group.id, groupName: group.name, partition };
}

function emptiest(partitions: number, used: readonly number[]): number {
  const counts = Array.from(
    { length: partitions },
    (_, index) => used.filter((partition) => partition === index + 1).length,
  );
  return counts.indexOf(Math.min(...counts)) + 1;
}

/** The reservation that so many machines more would use: undefined for none, or why not. */
export function reservationFor(
  cloud: Cloud,
  launch: Resolved,
  count: number,
): CapacityReservation | Refusal | undefined {
  const { reservationPreference: preference, reservationId } = launch.specification;
  const offer = offerOf(launch);
  const nowMs = cloud.time.nowMs();
  if (reservationId !== undefined) {
    const target = cloud.reservations.get(reservationId);
    if (target === undefined)
      return refused(
        'InvalidCapacityReservationId.NotFound',
        `The capacity reservation ID '${reservationId}' does not exist`,
      );
    const hasRoom = holds(target, offer) && cloud.reservations.available(target, nowMs) >= count;
    return hasRoom ? target : exceeded();
  }
  if (preference === 'none' || launch.capacityType === 'spot') return undefined;
  const open = cloud.reservations.openFor(offer, count, { nowMs });
  return open ?? (preference === 'capacity-reservations-only' ? exceeded() : undefined);
}

function offerOf(launch: Resolved): Offer {
  return {
    instanceType: launch.type.name,
    zone: launch.subnet.zone.name,
    capacityType: launch.capacityType,
  };
}

function exceeded(): Refusal {
  return refused(
    'ReservationCapacityExceeded',
    'The requested capacity exceeds the available capacity of the capacity reservation.',
  );
}

function refused(code: string, message: string): Refusal {
  return { kind: 'refused', code, message };
}
