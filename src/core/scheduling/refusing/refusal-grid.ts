import type { InstanceType, Offering } from '../../catalog/instance-type.ts';
import { daemonsOfPool } from '../../cluster/daemons.ts';
import type { HostPort, Pod } from '../../cluster/pod.ts';
import type { Pool } from '../../cluster/snapshot.ts';
import { add, noResources, type Resources, subtract } from '../../quantity/resources.ts';
import { sorting } from '../../steps.ts';
import { byName, compareText } from '../../text-order.ts';
import { asPools, none, outletLabels, ownLabels } from './refusal-labels.ts';
import type { Obstacle } from './refusal-obstacle.ts';

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
  /** One for each resource of which the daemons alone ask for more than there is. */
  readonly overrun: readonly Obstacle[];
  readonly daemonPorts: readonly HostPort[];
  readonly own: readonly Obstacle[];
  /** Those of the type, ordered so that of equal near misses always the same one is told. */
  readonly offerings: readonly Offering[];
  /** By offering: its outlet, and whether it can be had now. */
  readonly outlets: Int32Array;
  readonly isAvailable: Uint8Array;
  /** Equal for types that are sold in the same ways. */
  readonly row: number;
}

interface GridOutlet {
  readonly offering: Offering;
  readonly own: readonly Obstacle[];
}

/** So many types are entered in one step. */
const typesPerStep = 64;

/**
 * Lays out the pool, in small steps. The grid depends on neither limits nor `minValues`, so that
 * changing those needs no new one.
 */
export function* gridding(pool: Pool, daemons: readonly Pod[]): Generator<void, Grid> {
  const outlets = new Outlets(pool);
  const rows = new Map<string, number>();
  const daemonsOf = daemonsOfPool(pool, daemons);
  const types: GridType[] = [];
  for (const type of yield* sorting(pool.instanceTypes, byName)) {
    const running = daemonsOf(type);
    const free = less(type.allocatable, running);
    const offerings = [...type.offerings].sort(byWhere);
    const sold = Int32Array.from(offerings, (offering) => outlets.indexOf(offering));
    const isAvailable = Uint8Array.from(offerings, (one) => (isToBeHad(one) ? 1 : 0));
    const text = `${sold.join()} ${isAvailable.join()}`;
    const row = rows.get(text) ?? rows.size;
    rows.set(text, row);
    types.push({
      type,
      free,
      overrun: running.length === 0 ? none : overrunOf(type.allocatable, free),
      daemonPorts: running.flatMap((daemon) => daemon.hostPorts),
      own: ownLabels(pool, type),
      offerings,
      outlets: sold,
      isAvailable,
      row,
    });
    if (types.length % typesPerStep === 0) yield;
  }
  return { pool, types, outlets: outlets.all, labelled: new Map() };
}

/** The ways to buy that some type of the pool has, each once. */
class Outlets {
  readonly #pool: Pool;
  readonly #indices = new Map<string, number>();
  readonly all: GridOutlet[] = [];

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  indexOf(offering: Offering): number {
    const { zone, capacityType, zoneId, reservation } = offering;
    const text = `${zone} ${capacityType} ${zoneId} ${reservation?.id}`;
    const known = this.#indices.get(text);
    if (known !== undefined) return known;
    this.#indices.set(text, this.all.length);
    const own = outletLabels(offering, this.#pool.requirements, asPools);
    return this.all.push({ offering, own }) - 1;
  }
}

/** By zone and kind of capacity; what is alike in these may still be of several reservations. */
function byWhere(a: Offering, b: Offering): number {
  return (
    compareText(a.zone, b.zone) ||
    compareText(a.capacityType, b.capacityType) ||
    compareText(a.reservation?.id ?? '', b.reservation?.id ?? '') ||
    a.priceUsdPerHour - b.priceUsdPerHour
  );
}

function isToBeHad({ isAvailable, reservation }: Offering): boolean {
  return isAvailable && (reservation === undefined || reservation.left >= 1);
}

function less(allocatable: Resources, daemons: readonly Pod[]): Resources {
  if (daemons.length === 0) return allocatable;
  return subtract(allocatable, daemons.map(({ requests }) => requests).reduce(add, noResources));
}

function overrunOf(allocatable: Resources, free: Resources): readonly Obstacle[] {
  const found: Obstacle[] = [];
  for (const key of Object.keys(free).sort()) {
    const left = free[key] ?? 0;
    const has = allocatable[key] ?? 0;
    if (left < 0) found.push({ constraint: 'size', key, asked: has - left, has, isOthers: true });
  }
  return found.length === 0 ? none : found;
}
