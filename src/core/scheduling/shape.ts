import type { InstanceType } from '../catalog/instance-type.ts';
import { daemonsOfPool } from '../cluster/daemons.ts';
import type { HostPort, Pod } from '../cluster/pod.ts';
import type { Pool } from '../cluster/snapshot.ts';
import { type Columns, type Vector, vectorOf } from '../quantity/columns.ts';
import { add, noResources, type Resources, subtract } from '../quantity/resources.ts';
import type { Requirements } from '../requirements/requirements.ts';
import { byName } from '../text-order.ts';
import { firstUnmetByType, isOfOffering, offeringMeets } from './admission.ts';

/** One instance type as nodes of one pool: what is left for pods once the daemons run. */
export interface Shape {
  readonly pool: Pool;
  readonly type: InstanceType;
  readonly free: Vector;
  readonly daemonRequests: Resources;
  readonly daemonPorts: readonly HostPort[];
}

/** The pool's types that could be bought now, by name. */
export function shapesOf(pool: Pool, daemons: readonly Pod[], columns: Columns): readonly Shape[] {
  const daemonsOf = daemonsOfPool(pool, daemons);
  return pool.instanceTypes
    .filter((type) => isPossible(pool, type, pool.requirements))
    .sort(byName)
    .map((type) => {
      const running = daemonsOf(type);
      const daemonRequests = running.map((pod) => pod.requests).reduce(add, noResources);
      return {
        pool,
        type,
        free: vectorOf(columns, subtract(type.allocatable, daemonRequests)),
        daemonRequests,
        daemonPorts: running.flatMap((pod) => pod.hostPorts),
      };
    });
}

/** Whether the type can be bought now in a way that meets the requirements. */
export function isPossible(pool: Pool, type: InstanceType, wanted: Requirements): boolean {
  return firstUnmetByType(pool, type, wanted) === undefined && cheapest(type, wanted) !== undefined;
}

/** The cheapest available offering that meets the requirements; ties by zone, then kind. */
export function cheapest(
  type: InstanceType,
  wanted: Requirements,
): InstanceType['offerings'][number] | undefined {
  let best: InstanceType['offerings'][number] | undefined;
  for (const offering of type.offerings) {
    if (!offering.isAvailable || !offeringMeets(offering, wanted)) continue;
    if (best === undefined || isBetter(offering, best)) best = offering;
  }
  return best;
}

function isBetter(
  a: InstanceType['offerings'][number],
  b: InstanceType['offerings'][number],
): boolean {
  if (a.priceUsdPerHour !== b.priceUsdPerHour) return a.priceUsdPerHour < b.priceUsdPerHour;
  const left = `${a.zone} ${a.capacityType}`;
  return left < `${b.zone} ${b.capacityType}`;
}

/**
 * The labels that one purchase leaves open, since neither pool, type nor offering fix them.
 * Pods that ask for different values of such a label cannot share a node.
 */
export function openKeys(pool: Pool): (key: string) => boolean {
  const fixed = new Set<string>();
  for (const [key, set] of pool.requirements)
    if (set.kind === 'only' && set.values.size < 2) fixed.add(key);
  const [first, ...others] = pool.instanceTypes;
  for (const key of first?.requirements.keys() ?? [])
    if ([first, ...others].every((type) => isFixedBy(type, key))) fixed.add(key);
  return (key) => {
    if (fixed.has(key)) return false;
    // Where a cloud does not say which zone an id means, two ids may be two zones.
    return !isOfOffering(key) || hasUnknownZoneIds(pool, key);
  };
}

function isFixedBy(type: InstanceType | undefined, key: string): boolean {
  const set = type?.requirements.get(key);
  return set !== undefined && set.kind === 'only' && set.values.size < 2;
}

function hasUnknownZoneIds(pool: Pool, key: string): boolean {
  if (!key.endsWith('/zone-id')) return false;
  return pool.instanceTypes.some((type) =>
    type.offerings.some((offering) => offering.zoneId === undefined),
  );
}
