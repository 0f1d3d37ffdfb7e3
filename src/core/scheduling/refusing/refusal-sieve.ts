import type { InstanceType } from '../../catalog/instance-type.ts';
import { type HostPort, type Pod, portsClash } from '../../cluster/pod.ts';
import type { Pool } from '../../cluster/snapshot.ts';
import type { Resources } from '../../quantity/resources.ts';
import { requirementsKey } from '../../requirements/requirements.ts';
import { allowsAbsence, has } from '../../requirements/value-set.ts';
import { isOfOffering, offeringValue } from '../market/admission.ts';
import { chargeOf, type LimitLedger } from '../ordering/limits.ts';
import type { Company } from './refusal-aftermath.ts';
import type { Grid } from './refusal-grid.ts';
import {
  asPods,
  asVolumes,
  labelCheck,
  none,
  offeringKeys,
  outletLabels,
} from './refusal-labels.ts';
import {
  choiceObstacles,
  domainObstacles,
  type Obstacle,
  type Reading,
  taintObstacles,
} from './refusal-obstacle.ts';

/** What one pod meets in one pool: obstacles of all its nodes, of types and of ways to buy. */
export interface Sieved {
  readonly grid: Grid;
  readonly reading: Reading;
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

/** So many types are asked in one step. */
const typesPerStep = 256;

/**
 * Asks every rule of every type and every way to buy, so that near misses can be told; in small
 * steps.
 */
export function* sieving(grid: Grid, sifting: Sifting): Generator<void, Sieved> {
  const { pod, reading, company } = sifting;
  const pinned = company.ties.pinned.filter((key) => !isOfOffering(key));
  const byLabels = yield* labelling(grid, reading);
  const limitsOf = limitObstaclesIn(grid, sifting.ledger);
  const types: (readonly Obstacle[])[] = [];
  for (const [index, one] of grid.types.entries()) {
    const lists = [
      byLabels[index] ?? none,
      sizeObstacles(pod, one.free),
      daemonObstacles(pod, one.overrun),
      portObstacles(pod, one.daemonPorts),
      limitsOf(one.type, index),
    ];
    for (const key of pinned)
      lists.push(choiceObstacles(company, key, domainsIn(grid, one.type, key, sifting)));
    types.push(joined(lists));
    if (types.length % typesPerStep === 0) yield;
  }
  const outlets = grid.outlets.map((outlet) => outletObstacles(outlet, sifting));
  return { grid, reading, whole: wholeObstacles(grid, sifting), types, outlets };
}

/** What is between the pod and every node of the pool. */
function wholeObstacles({ pool }: Grid, { pod, company }: Sifting): readonly Obstacle[] {
  const whole = [...taintObstacles(pod, pool.taints)];
  for (const { group, matches } of company.ties.company)
    if (!matches || group.hasAny()) whole.push({ constraint: 'affinity', key: group.rule.key });
  return whole;
}

function outletObstacles(
  { offering, own }: Grid['outlets'][number],
  { reading, company }: Sifting,
): readonly Obstacle[] {
  const pinned = offeringKeys.filter((key) => company.ties.pinned.includes(key));
  return [
    ...own,
    ...outletLabels(offering, reading.own, asPods),
    ...outletLabels(offering, reading.volume, asVolumes),
    ...pinned.flatMap((key) => domainObstacles(company, key, offeringValue(offering, key))),
  ];
}

/** By type: the pool's own requirements, the pod's and those of its volumes. */
function* labelling(
  grid: Grid,
  { own, volume }: Reading,
): Generator<void, readonly (readonly Obstacle[])[]> {
  const { pool, types, labelled } = grid;
  const text = `${requirementsKey(own)} / ${volume === undefined ? '' : requirementsKey(volume)}`;
  const known = labelled.get(text);
  if (known !== undefined) return known;
  const ownOf = labelCheck(pool, own, asPods);
  const volumeOf = labelCheck(pool, volume, asVolumes);
  const found: (readonly Obstacle[])[] = [];
  for (const one of types) {
    found.push(joined([one.own, ownOf(one.type), volumeOf(one.type)]));
    if (found.length % typesPerStep === 0) yield;
  }
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

/** Where the pod asks for the same resource, that it lacks it says enough. */
function daemonObstacles(pod: Pod, overrun: readonly Obstacle[]): readonly Obstacle[] {
  if (overrun.length === 0) return none;
  return overrun.filter(({ key }) => (pod.requests[key] ?? 0) <= 0);
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
