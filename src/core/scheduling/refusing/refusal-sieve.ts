import type { InstanceType, Offering } from '../../catalog/instance-type.ts';
import { daemonsOfPool } from '../../cluster/daemons.ts';
import { type HostPort, type Pod, portsClash } from '../../cluster/pod.ts';
import type { Pool } from '../../cluster/snapshot.ts';
import { add, noResources, type Resources } from '../../quantity/resources.ts';
import { requirementsKey } from '../../requirements/requirements.ts';
import { allowsAbsence, has } from '../../requirements/value-set.ts';
import { byName } from '../../text-order.ts';
import { isOfOffering } from '../market/admission.ts';
import { chargeOf, type LimitLedger } from '../ordering/limits.ts';
import type { Company } from './refusal-aftermath.ts';
import {
  asPods,
  asPools,
  asVolumes,
  labelCheck,
  none,
  offeringKeys,
  outletLabels,
  outletValue,
  ownLabels,
} from './refusal-labels.ts';
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
  /** By what pods ask of labels: what the labels of each type have against it. */
  readonly labelled: Map<string, readonly (readonly Obstacle[])[]>;
}

export interface GridType {
  readonly type: InstanceType;
  readonly free: Resources;
  readonly daemonPorts: readonly HostPort[];
  readonly own: readonly Obstacle[];
  /** By offering of the type: its outlet, and whether it can be had now. */
  readonly outlets: Int32Array;
  readonly isAvailable: Uint8Array;
  /** Equal for types that are sold in the same ways. */
  readonly row: number;
}

interface GridOutlet {
  readonly offering: Offering;
  readonly own: readonly Obstacle[];
}

/** Depends on neither limits nor `minValues`, so that changing those needs no new grid. */
export function gridOf(pool: Pool, daemons: readonly Pod[]): Grid {
  const daemonsOf = daemonsOfPool(pool, daemons);
  const outlets: GridOutlet[] = [];
  const indices = new Map<string, number>();
  const rows = new Map<string, number>();
  const outletOf = (offering: Offering): number => {
    const text = `${offering.zone} ${offering.capacityType} ${offering.zoneId} ${offering.reservation?.id}`;
    const known = indices.get(text);
    if (known !== undefined) return known;
    indices.set(text, outlets.length);
    return outlets.push({ offering, own: outletLabels(offering, pool.requirements, asPools) }) - 1;
  };
  const types = [...pool.instanceTypes].sort(byName).map((type): GridType => {
    const running = daemonsOf(type);
    const sold = Int32Array.from(type.offerings, outletOf);
    const isAvailable = Uint8Array.from(type.offerings, (one) => (isToBeHad(one) ? 1 : 0));
    const text = `${sold.join()} ${isAvailable.join()}`;
    const row = rows.get(text) ?? rows.size;
    rows.set(text, row);
    return {
      type,
      free: less(type.allocatable, running),
      daemonPorts: running.flatMap((daemon) => daemon.hostPorts),
      own: ownLabels(pool, type),
      outlets: sold,
      isAvailable,
      row,
    };
  });
  return { pool, types, outlets, labelled: new Map() };
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

/** Asks every rule of every type and every way to buy, so that near misses can be told. */
export function sieve(grid: Grid, sifting: Sifting): Sieved {
  const { pool } = grid;
  const { pod, reading, company } = sifting;
  const { ties } = company;
  const whole = [...taintObstacles(pod, pool.taints)];
  for (const { group, matches } of ties.company)
    if (!matches || group.hasAny()) whole.push({ constraint: 'affinity', key: group.rule.key });
  const pinned = ties.pinned.filter((key) => !isOfOffering(key));
  const byLabels = labelledIn(grid, reading);
  const limitsOf = limitObstaclesIn(grid, sifting.ledger);
  return {
    grid,
    whole,
    types: grid.types.map((one, index) => {
      const lists = [
        byLabels[index] ?? none,
        sizeObstacles(pod, one.free),
        portObstacles(pod, one.daemonPorts),
        limitsOf(one.type, index),
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

/** By type: the pool's own requirements, the pod's and those of its volumes. */
function labelledIn(grid: Grid, { own, volume }: Reading): readonly (readonly Obstacle[])[] {
  const { pool, types, labelled } = grid;
  const text = `${requirementsKey(own)} / ${volume === undefined ? '' : requirementsKey(volume)}`;
  const known = labelled.get(text);
  if (known !== undefined) return known;
  const ownOf = labelCheck(pool, own, asPods);
  const volumeOf = labelCheck(pool, volume, asVolumes);
  const found = types.map((one) => joined([one.own, ownOf(one.type), volumeOf(one.type)]));
  labelled.set(text, found);
  return found;
}

/** All of the lists in one; most are empty, and then nothing is copied. */
function joined(lists: readonly (readonly Obstacle[])[]): readonly Obstacle[] {
  let all = none;
  for (const list of lists) if (list.length > 0) all = all.length === 0 ? list : [...all, ...list];
  return all;
}

/** The values of a label among which a node of the type may choose; undefined is to lack it. */
function domainsIn(
  { pool }: Grid,
  type: InstanceType,
  key: string,
  { reading, company }: Sifting,
): readonly (string | undefined)[] {
  const wanted = reading.wanted.get(key);
  const sets = [type.requirements.get(key), pool.requirements.get(key), wanted];
  const [ofType, ofPool] = sets;
  if (ofType === undefined && ofPool === undefined) return [];
  const named = wanted?.kind === 'only' ? [...wanted.values].sort() : company.domainsOf(key);
  const values = named.filter((value) => sets.every((set) => set === undefined || has(set, value)));
  const canLack = sets.every((set) => set === undefined || allowsAbsence(set));
  return canLack ? [...values, undefined] : values;
}

/** One for each resource of which the place has too little. */
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

/** The pod's host ports that are taken, as one obstacle. */
export function portObstacles(pod: Pod, taken: readonly HostPort[]): readonly Obstacle[] {
  if (pod.hostPorts.length === 0 || taken.length === 0) return none;
  const ports = pod.hostPorts.filter((port) => portsClash([port], taken));
  return ports.length === 0 ? [] : [{ constraint: 'host-ports', key: '', ports }];
}

const limitsKnown = new WeakMap<Grid, WeakMap<LimitLedger, (readonly Obstacle[])[]>>();

/** By type: what the limits have against it. No pod has a part in that, so that it is kept. */
function limitObstaclesIn(
  grid: Grid,
  ledger: LimitLedger,
): (type: InstanceType, index: number) => readonly Obstacle[] {
  const { pool } = grid;
  if (Object.keys(pool.limits).length === 0) return () => none;
  const byLedger = limitsKnown.get(grid) ?? new WeakMap<LimitLedger, (readonly Obstacle[])[]>();
  limitsKnown.set(grid, byLedger);
  const lists = byLedger.get(ledger) ?? [];
  byLedger.set(ledger, lists);
  return (type, index) => {
    const list = lists[index] ?? limitObstacles(pool, type, ledger);
    lists[index] = list;
    return list;
  };
}

function limitObstacles(pool: Pool, type: InstanceType, ledger: LimitLedger): readonly Obstacle[] {
  if (ledger.affordableTypes(pool, type) >= 1) return none;
  const limits = ledger
    .uses(pool)
    .map(({ resource, limit, used }) => ({ resource, limit, used, adds: chargeOf(type, resource) }))
    .filter(({ limit, used, adds }) => adds > 0 && used + adds > limit);
  return [{ constraint: 'limits', key: '', limits }];
}
