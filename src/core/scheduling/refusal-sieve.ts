import type { InstanceType, Offering } from '../catalog/instance-type.ts';
import { daemonsOfPool } from '../cluster/daemons.ts';
import { type HostPort, type Pod, portsClash } from '../cluster/pod.ts';
import type { Pool } from '../cluster/snapshot.ts';
import { add, noResources, type Resources } from '../quantity/resources.ts';
import type { Requirements } from '../requirements/requirements.ts';
import {
  allowsAbsence,
  has,
  intersect,
  isImpossible,
  overlaps,
  type ValueSet,
} from '../requirements/value-set.ts';
import { isWellKnownLabel, labels } from '../requirements/well-known.ts';
import { byName } from '../text-order.ts';
import { isOfOffering, meetsKey, offeringMeets } from './admission.ts';
import { chargeOf, type LimitLedger } from './limits.ts';
import type { Company } from './refusal-aftermath.ts';
import {
  choiceObstacles,
  domainObstacles,
  type Obstacle,
  type Reading,
  taintObstacles,
} from './refusal-obstacle.ts';

/** A pool's types and ways to buy them, available or not, with what the pool itself rules out. */
export interface Grid {
  readonly pool: Pool;
  readonly types: readonly GridType[];
  readonly outlets: readonly GridOutlet[];
}

interface GridType {
  readonly type: InstanceType;
  readonly free: Resources;
  readonly daemonPorts: readonly HostPort[];
  readonly own: readonly Obstacle[];
  /** By offering of the type: its outlet, and whether it can be had now. */
  readonly outlets: Int32Array;
  readonly isAvailable: Uint8Array;
}

interface GridOutlet {
  readonly offering: Offering;
  readonly own: readonly Obstacle[];
}

export function gridOf(pool: Pool, daemons: readonly Pod[]): Grid {
  const daemonsOf = daemonsOfPool(pool, daemons);
  const outlets: GridOutlet[] = [];
  const indices = new Map<string, number>();
  const outletOf = (offering: Offering): number => {
    const text = `${offering.zone} ${offering.capacityType} ${offering.zoneId} ${offering.reservation?.id}`;
    const known = indices.get(text);
    if (known !== undefined) return known;
    indices.set(text, outlets.length);
    return outlets.push({ offering, own: outletLabels(offering, pool.requirements, asPools) }) - 1;
  };
  const types = [...pool.instanceTypes].sort(byName).map((type): GridType => {
    const running = daemonsOf(type);
    return {
      type,
      free: less(type.allocatable, running),
      daemonPorts: running.flatMap((daemon) => daemon.hostPorts),
      own: ownLabels(pool, type),
      outlets: Int32Array.from(type.offerings, outletOf),
      isAvailable: Uint8Array.from(type.offerings, (one) => (isToBeHad(one) ? 1 : 0)),
    };
  });
  return { pool, types, outlets };
}

function isToBeHad({ isAvailable, reservation }: Offering): boolean {
  return isAvailable && (reservation === undefined || reservation.left >= 1);
}

function less(allocatable: Resources, daemons: readonly Pod[]): Resources {
  if (daemons.length === 0) return allocatable;
  const taken = daemons.map((daemon) => daemon.requests).reduce(add, noResources);
  const free: Record<string, number> = { ...allocatable };
  for (const [name, amount] of Object.entries(taken)) free[name] = (free[name] ?? 0) - amount;
  return free;
}

function ownLabels(pool: Pool, type: InstanceType): readonly Obstacle[] {
  const found: Obstacle[] = [];
  for (const [key, set] of pool.requirements)
    if (!meetsKey(pool, type, key, set)) found.push(asPools(key, theValue(type, key)));
  return found;
}

function asPools(key: string, value: string | undefined): Obstacle {
  return { constraint: 'pool-requirements', key, value };
}

function theValue(type: InstanceType, key: string): string | undefined {
  const set = type.requirements.get(key);
  if (set?.kind !== 'only' || set.values.size !== 1) return undefined;
  const [value] = set.values;
  return value;
}

/** What one pod meets in one pool: obstacles of all its nodes, of types and of ways to buy. */
export interface Sieved {
  readonly grid: Grid;
  readonly whole: readonly Obstacle[];
  /** By type and by outlet of the grid. */
  readonly types: readonly (readonly Obstacle[])[];
  readonly outlets: readonly (readonly Obstacle[])[];
}

export interface Sifting {
  readonly pod: Pod;
  readonly reading: Reading;
  readonly company: Company;
  readonly ledger: LimitLedger;
}

export function sieve(grid: Grid, sifting: Sifting): Sieved {
  const { pool } = grid;
  const { pod, reading, company } = sifting;
  const { ties } = company;
  const whole = [...taintObstacles(pod, pool.taints)];
  for (const { group, matches } of ties.company)
    if (!matches || group.hasAny()) whole.push({ constraint: 'affinity', key: group.rule.key });
  const pinned = ties.pinned.filter((key) => !isOfOffering(key));
  const isLimited = Object.keys(pool.limits).length > 0;
  return {
    grid,
    whole,
    types: grid.types.map((one) => {
      const lists = [
        one.own,
        labelsOf(pool, one.type, { wanted: reading.own, as: asPods }),
        reading.volume === undefined
          ? none
          : labelsOf(pool, one.type, { wanted: reading.volume, as: asVolumes }),
        sizeObstacles(pod, one.free),
        portObstacles(pod, one.daemonPorts),
        isLimited ? limitObstacles(pool, one.type, sifting.ledger) : none,
      ];
      for (const key of pinned)
        lists.push(choiceObstacles(company, key, domainsIn(grid, one.type, key, sifting)));
      return joined(lists);
    }),
    outlets: grid.outlets.map(({ offering, own }) => [
      ...own,
      ...outletLabels(offering, reading.own, asPods),
      ...outletLabels(offering, reading.volume, asVolumes),
      ...offeringKeys.flatMap((key) =>
        ties.pinned.includes(key) ? domainObstacles(company, key, outletValue(offering, key)) : [],
      ),
    ]),
  };
}

const offeringKeys = [labels.zone, labels.capacityType, labels.zoneId, labels.reservationId];

function asPods(key: string, value: string | undefined): Obstacle {
  return { constraint: 'node-labels', key, value };
}

function asVolumes(key: string, value: string | undefined): Obstacle {
  return { constraint: 'volumes', key, value };
}

/** Labels that the way of buying decides. */
function outletLabels(
  offering: Offering,
  wanted: Requirements | undefined,
  as: (key: string, value: string | undefined) => Obstacle,
): readonly Obstacle[] {
  if (wanted === undefined || wanted.size === 0) return [];
  return offeringKeys.flatMap((key) => {
    const set = wanted.get(key);
    if (set === undefined || offeringMeets(offering, new Map([[key, set]]))) return [];
    return [as(key, outletValue(offering, key))];
  });
}

function outletValue(offering: Offering, key: string): string | undefined {
  if (key === labels.zone) return offering.zone;
  if (key === labels.capacityType) return offering.capacityType;
  return key === labels.zoneId ? offering.zoneId : offering.reservation?.id;
}

const none: readonly Obstacle[] = [];

/** All of the lists in one; most are empty, and then nothing is copied. */
function joined(lists: readonly (readonly Obstacle[])[]): readonly Obstacle[] {
  let all = none;
  for (const list of lists)
    if (list.length > 0) all = all.length === 0 ? list : [...all, ...list];
  return all;
}

/** Labels that the type has, and those that the pool gives to all of its nodes. */
function labelsOf(
  pool: Pool,
  type: InstanceType,
  { wanted, as }: { readonly wanted: Requirements; readonly as: typeof asPods },
): readonly Obstacle[] {
  if (wanted.size === 0) return none;
  let found: Obstacle[] | undefined;
  for (const [key, set] of wanted) {
    const fault = labelFault(pool, type, { key, set });
    if (fault === undefined) continue;
    const obstacle = as(key, theValue(type, key));
    found ??= [];
    found.push(fault === 'unlike' ? obstacle : { ...obstacle, isPools: fault });
  }
  return found ?? none;
}

/** Whether the type has another value, or it is the pool that rules the label out or lacks it. */
function labelFault(
  pool: Pool,
  type: InstanceType,
  { key, set }: { readonly key: string; readonly set: ValueSet },
): 'unlike' | 'undefined' | 'conflict' | undefined {
  const allowed = pool.requirements.get(key);
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

/** The values of a label among which a node of the type may choose. */
function domainsIn(
  { pool }: Grid,
  type: InstanceType,
  key: string,
  { reading, company }: Sifting,
): readonly string[] {
  const sets = [type.requirements.get(key), pool.requirements.get(key), reading.wanted.get(key)];
  const [ofType, ofPool] = sets;
  if (ofType === undefined && ofPool === undefined) return [];
  return company
    .domainsOf(key)
    .filter((value) => sets.every((set) => set === undefined || has(set, value)));
}

export function sizeObstacles(pod: Pod, free: Resources): readonly Obstacle[] {
  let found: Obstacle[] | undefined;
  for (const name in pod.requests) {
    const asked = pod.requests[name] ?? 0;
    const left = free[name] ?? 0;
    if (asked <= 0 || asked <= left) continue;
    found ??= [];
    found.push({ constraint: 'size', key: name, asked, has: Math.max(0, left) });
  }
  return found ?? none;
}

export function portObstacles(pod: Pod, taken: readonly HostPort[]): readonly Obstacle[] {
  if (pod.hostPorts.length === 0 || taken.length === 0) return none;
  const ports = pod.hostPorts.filter((port) => portsClash([port], taken));
  return ports.length === 0 ? [] : [{ constraint: 'host-ports', key: '', ports }];
}

function limitObstacles(pool: Pool, type: InstanceType, ledger: LimitLedger): readonly Obstacle[] {
  if (ledger.affordableTypes(pool, type) >= 1) return none;
  const limits = ledger
    .uses(pool)
    .map(({ resource, limit, used }) => ({ resource, limit, used, adds: chargeOf(type, resource) }))
    .filter(({ limit, used, adds }) => adds > 0 && used + adds > limit);
  return [{ constraint: 'limits', key: '', limits }];
}
