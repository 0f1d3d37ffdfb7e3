import type { InstanceType, Offering } from '../catalog/instance-type.ts';
import type { Pod } from '../cluster/pod.ts';
import type { Pool } from '../cluster/snapshot.ts';
import { combine, firstUnmet, type Requirements } from '../requirements/requirements.ts';
import { allowsAbsence, has, overlaps } from '../requirements/value-set.ts';
import { isWellKnownLabel, labels } from '../requirements/well-known.ts';

/** Pool and pod together, for each alternative of the pod that the pool's labels allow. */
export function admittedAlternatives(pool: Pool, pod: Pod): readonly Requirements[] {
  return pod.nodeAlternatives
    .filter((wanted) => firstUnmet(pool.requirements, wanted, isWellKnownLabel) === undefined)
    .map((wanted) => combine(pool.requirements, wanted));
}

/** The first label, by name, for which nodes of this type in this pool do not meet the wish. */
export function firstUnmetByType(
  pool: Pool,
  type: InstanceType,
  wanted: Requirements,
): string | undefined {
  let first: string | undefined;
  for (const [key, set] of wanted) {
    const offered = type.requirements.get(key);
    const isMet =
      offered === undefined
        ? allowsAbsence(set) || isSettledElsewhere(pool, key)
        : overlaps(offered, set);
    if (!isMet && (first === undefined || key < first)) first = key;
  }
  return first;
}

/** Labels that do not come from the type: the pool's own, the user's, and the offering's. */
function isSettledElsewhere(pool: Pool, key: string): boolean {
  if (isOfOffering(key) || Object.hasOwn(pool.labels, key)) return true;
  return !isWellKnownLabel(key) || key === labels.nodePool || key === labels.nodeClass;
}

export function isOfOffering(key: string): boolean {
  return key === labels.zone || key === labels.capacityType || key === labels.zoneId;
}

/** Whether the purchase lies where and is bought how the requirements want it. */
export function offeringMeets(offering: Offering, wanted: Requirements): boolean {
  const zone = wanted.get(labels.zone);
  const zoneId = wanted.get(labels.zoneId);
  const capacityType = wanted.get(labels.capacityType);
  return (
    (zone === undefined || has(zone, offering.zone)) &&
    (capacityType === undefined || has(capacityType, offering.capacityType)) &&
    (zoneId === undefined || offering.zoneId === undefined || has(zoneId, offering.zoneId))
  );
}
