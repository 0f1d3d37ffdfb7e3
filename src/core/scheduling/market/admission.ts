import type { InstanceType, Offering } from '../../catalog/instance-type.ts';
import type { Pool } from '../../cluster/snapshot.ts';
import type { Requirements } from '../../requirements/requirements.ts';
import {
  allowsAbsence,
  has,
  isImpossible,
  overlaps,
  type ValueSet,
} from '../../requirements/value-set.ts';
import { isWellKnownLabel, labels } from '../../requirements/well-known.ts';

/** The first label, by name, for which nodes of this type in this pool do not meet the wish. */
function firstUnmetByType(
  pool: Pool,
  type: InstanceType,
  wanted: Requirements,
): string | undefined {
  let first: string | undefined;
  for (const [key, set] of wanted) {
    const isMet = meetsKey(pool, type, key, set);
    if (!isMet && (first === undefined || key < first)) first = key;
  }
  return first;
}

/** Whether nodes of this type in this pool may meet the requirement on one label. */
export function meetsKey(pool: Pool, type: InstanceType, key: string, set: ValueSet): boolean {
  return isMetBy(type.requirements.get(key), { pool, key, set });
}

/** The same, by what the type offers of the label. */
export function isMetBy(
  offered: ValueSet | undefined,
  { pool, key, set }: { readonly pool: Pool; readonly key: string; readonly set: ValueSet },
): boolean {
  if (isImpossible(set)) return false;
  if (offered !== undefined) return overlaps(offered, set);
  return allowsAbsence(set) || isSettledElsewhere(pool, key);
}

/** Whether the type can be bought now in a way that meets the requirements. */
export function isPossible(pool: Pool, type: InstanceType, wanted: Requirements): boolean {
  return (
    firstUnmetByType(pool, type, wanted) === undefined &&
    type.offerings.some((offering) => offering.isAvailable && offeringMeets(offering, wanted))
  );
}

/** Labels that do not come from the type: the pool's own, the user's, and the offering's. */
function isSettledElsewhere(pool: Pool, key: string): boolean {
  if (isOfOffering(key) || Object.hasOwn(pool.labels, key)) return true;
  return !isWellKnownLabel(key) || key === labels.nodePool || key === labels.nodeClass;
}

/** Labels that a node gets from the way it was bought. */
export function isOfOffering(key: string): boolean {
  return (
    key === labels.zone ||
    key === labels.capacityType ||
    key === labels.zoneId ||
    key === labels.reservationId
  );
}

/** What a node so bought has under a label that it gets from the purchase. */
export function offeringValue(
  offering: Pick<Offering, 'zone' | 'zoneId' | 'capacityType' | 'reservation'>,
  key: string,
): string | undefined {
  if (key === labels.zone) return offering.zone;
  if (key === labels.capacityType) return offering.capacityType;
  return key === labels.zoneId ? offering.zoneId : offering.reservation?.id;
}

/** Whether the purchase lies where and is bought how the requirements want it. */
export function offeringMeets(
  offering: Pick<Offering, 'zone' | 'zoneId' | 'capacityType' | 'reservation'>,
  wanted: Requirements,
): boolean {
  const zone = wanted.get(labels.zone);
  const zoneId = wanted.get(labels.zoneId);
  const capacityType = wanted.get(labels.capacityType);
  const reservationId = wanted.get(labels.reservationId);
  return (
    (zone === undefined || has(zone, offering.zone)) &&
    (capacityType === undefined || has(capacityType, offering.capacityType)) &&
    (zoneId === undefined || offering.zoneId === undefined || has(zoneId, offering.zoneId)) &&
    (reservationId === undefined || isReserved(offering, reservationId))
  );
}

function isReserved({ reservation }: Pick<Offering, 'reservation'>, wanted: ValueSet): boolean {
  return reservation === undefined ? allowsAbsence(wanted) : has(wanted, reservation.id);
}
