import type { InstanceType, Offering } from '../../catalog/instance-type.ts';
import type { Pool } from '../../cluster/snapshot.ts';
import type { Requirements } from '../../requirements/requirements.ts';
import {
  allowsAbsence,
  intersect,
  isImpossible,
  overlaps,
  type ValueSet,
} from '../../requirements/value-set.ts';
import { isWellKnownLabel, labels } from '../../requirements/well-known.ts';
import { isOfOffering, meetsKey, offeringMeets, offeringValue } from '../market/admission.ts';
import type { Obstacle } from './refusal-obstacle.ts';

/** Nothing in the way; one value, since it is the answer nearly always. */
export const none: readonly Obstacle[] = [];

/** What the pool's own requirements have against the type. */
export function ownLabels(pool: Pool, type: InstanceType): readonly Obstacle[] {
  const found: Obstacle[] = [];
  for (const [key, set] of pool.requirements)
    if (!isOfOutlet(key) && !meetsKey(pool, type, key, set))
      found.push(asPools(key, theValue(type, key)));
  return found;
}

/** What a type has under these labels is no more than what its offerings have. */
function isOfOutlet(key: string): boolean {
  return key === labels.zone || key === labels.capacityType || key === labels.zoneId;
}

/** A label that the pool itself rules out. */
export function asPools(key: string, value: string | undefined): Obstacle {
  return { constraint: 'pool-requirements', key, value };
}

function theValue(type: InstanceType, key: string): string | undefined {
  const set = type.requirements.get(key);
  if (set?.kind !== 'only' || set.values.size !== 1) return undefined;
  const [value] = set.values;
  return value;
}

/** Labels that a way of buying settles. */
export const offeringKeys = [labels.zone, labels.capacityType, labels.zoneId, labels.reservationId];

/** A label that the pod's selector or affinity rules out. */
export function asPods(key: string, value: string | undefined): Obstacle {
  return { constraint: 'node-labels', key, value };
}

/** A label under which the pod's volumes cannot be reached. */
export function asVolumes(key: string, value: string | undefined): Obstacle {
  return { constraint: 'volumes', key, value };
}

/** Labels that the way of buying decides. */
export function outletLabels(
  offering: Offering,
  wanted: Requirements | undefined,
  as: (key: string, value: string | undefined) => Obstacle,
): readonly Obstacle[] {
  if (wanted === undefined || wanted.size === 0) return [];
  return offeringKeys.flatMap((key) => {
    const set = wanted.get(key);
    if (set === undefined || offeringMeets(offering, new Map([[key, set]]))) return [];
    return [as(key, offeringValue(offering, key))];
  });
}

/** Labels that the type has, and those that the pool gives to all of its nodes. */
export function labelCheck(
  pool: Pool,
  wanted: Requirements | undefined,
  as: typeof asPods,
): (type: InstanceType) => readonly Obstacle[] {
  if (wanted === undefined || wanted.size === 0) return () => none;
  const keys = [...wanted].map(([key, set]) => ({ key, set, known: new Map<string, Faulty>() }));
  // Types share their values, and so the answers.
  const checkKey = (type: InstanceType, { key, set, known }: (typeof keys)[number]): Faulty => {
    const value = theValue(type, key);
    const before = value === undefined ? undefined : known.get(value);
    if (before !== undefined) return before;
    const fault = labelFault(pool, type, { key, set });
    const own = as(key, value);
    const answer =
      fault === undefined ? 'met' : fault === 'unlike' ? own : { ...own, isPools: fault };
    if (value !== undefined) known.set(value, answer);
    return answer;
  };
  return (type) => {
    let found: Obstacle[] | undefined;
    for (const key of keys) {
      const answer = checkKey(type, key);
      if (answer === 'met') continue;
      found ??= [];
      found.push(answer);
    }
    return found ?? none;
  };
}

type Faulty = Obstacle | 'met';

/** Whether the type has another value, or it is the pool that rules the label out or lacks it. */
function labelFault(
  pool: Pool,
  type: InstanceType,
  { key, set }: { readonly key: string; readonly set: ValueSet },
): 'unlike' | 'undefined' | 'conflict' | undefined {
  const allowed = pool.requirements.get(key);
  if (isOfOutlet(key)) return undefined;
  if (isImpossible(set)) return 'unlike';
  if (isOfOffering(key)) return meetsKey(pool, type, key, set) ? undefined : 'unlike';
  if (type.requirements.has(key))
    return meetsBoth(pool, type, { key, allowed, set }) ? undefined : 'unlike';
  if (allowed === undefined) {
    if (!allowsAbsence(set) && !isWellKnownLabel(key)) return 'undefined';
    return meetsKey(pool, type, key, set) ? undefined : 'unlike';
  }
  const isMet = overlaps(allowed, set) && meetsKey(pool, type, key, intersect(allowed, set));
  return isMet ? undefined : 'conflict';
}

/** Where the pool alone rules the type out, that is not held against the pod. */
function meetsBoth(
  pool: Pool,
  type: InstanceType,
  { key, allowed, set }: { key: string; allowed: ValueSet | undefined; set: ValueSet },
): boolean {
  if (!meetsKey(pool, type, key, set)) return false;
  if (allowed === undefined || !meetsKey(pool, type, key, allowed)) return true;
  return meetsKey(pool, type, key, intersect(allowed, set));
}
