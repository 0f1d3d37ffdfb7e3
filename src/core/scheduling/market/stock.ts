import type { InstanceType, Offering } from '../../catalog/instance-type.ts';
import { daemonsOfPool } from '../../cluster/daemons.ts';
import { isSameList } from '../../cluster/node-facts.ts';
import { PairNumbering } from '../../cluster/numbering.ts';
import type { HostPort, Pod } from '../../cluster/pod.ts';
import type { Pool } from '../../cluster/snapshot.ts';
import type { Columns, Vector } from '../../quantity/columns.ts';
import { add, fits, noResources, type Resources } from '../../quantity/resources.ts';
import type { ValueSet } from '../../requirements/value-set.ts';
import { insertInOrder } from '../../steps.ts';
import { byName, compareText } from '../../text-order.ts';
import { isMetBy } from './admission.ts';
import { goodsOf, type OutletDraft } from './outlet-draft.ts';

/** One instance type as nodes of one pool; it has room for its daemons. */
export interface Shape {
  readonly stock: Stock;
  /** Its place among the shapes of the stock. */
  readonly index: number;
  readonly type: InstanceType;
  readonly daemonRequests: Resources;
  readonly daemonPorts: readonly HostPort[];
}

/** A zone, a kind of capacity and, where it is reserved, the reservation: what one can buy from. */
export interface Outlet {
  readonly index: number;
  readonly offering: Pick<Offering, 'zone' | 'zoneId' | 'capacityType' | 'reservation'>;
  /** By the names of their types. */
  readonly goods: readonly Good[];
}

/** One way to buy one machine for one pool. */
export interface Good {
  readonly shape: Shape;
  readonly outlet: Outlet;
  readonly offering: Offering;
  readonly priceUsdPerHour: number;
}

/** Everything that can be bought for a pool now, by name; compiled once per pool value. */
export interface Stock {
  readonly pool: Pool;
  readonly shapes: readonly Shape[];
  readonly outlets: readonly Outlet[];
  /** By shape: the ways to buy it, cheapest first. */
  readonly goods: readonly (readonly Good[])[];
  /** By shape: what its type offers of one label. */
  readonly offered: (key: string) => readonly (ValueSet | undefined)[];
  /** By shape: 1 where its nodes meet the requirement on one label. */
  readonly meeting: (key: string, set: ValueSet, text: string) => Uint8Array;
  /** What each shape leaves to pods, row by row in these columns. */
  readonly freeIn: (columns: Columns) => Vector;
  /** By shape: a number from 0 up to that of shapes, the same for those that leave the same to pods. */
  readonly sizesIn: (columns: Columns) => Int32Array;
  /** Remembered answers of others about this stock, by a text that says all they depend on. */
  readonly memory: Map<string, unknown>;
}

const stocks = new WeakMap<Pool, { readonly daemons: readonly Pod[]; readonly stock: Stock }>();

/** The pool's stock when these daemons run on its nodes, in small steps of work. */
export function* stocking(pool: Pool, daemons: readonly Pod[]): Generator<void, Stock> {
  const known = stocks.get(pool);
  if (known !== undefined && isSameList(known.daemons, daemons)) return known.stock;
  const stock = yield* compile(pool, daemons);
  stocks.set(pool, { daemons, stock });
  return stock;
}

function* compile(pool: Pool, daemons: readonly Pod[]): Generator<void, Stock> {
  const shapes: Shape[] = [];
  const goods: Good[][] = [];
  const outlets: OutletDraft[] = [];
  const meetingKnown = new Map<string, Uint8Array>();
  const offeredKnown = new Map<string, readonly (ValueSet | undefined)[]>();
  const freeKnown = new Map<string, Vector>();
  const sizesKnown = new Map<string, Int32Array>();
  const stock: Stock = {
    pool,
    shapes,
    goods,
    outlets,
    offered: (key) => {
      const offered = offeredKnown.get(key) ?? shapes.map(({ type }) => type.requirements.get(key));
      offeredKnown.set(key, offered);
      return offered;
    },
    meeting: (key, set, text) => {
      const known = meetingKnown.get(text);
      if (known !== undefined) return known;
      const mask = maskOf(stock.offered(key), meetingOf(pool, key, set));
      meetingKnown.set(text, mask);
      return mask;
    },
    freeIn: (columns) => {
      const text = columns.names.join();
      const free = freeKnown.get(text) ?? freeOf(shapes, columns);
      freeKnown.set(text, free);
      return free;
    },
    sizesIn: (columns) => {
      const text = columns.names.join();
      const sizes = sizesKnown.get(text) ?? sizesOf(stock.freeIn(columns), shapes.length);
      sizesKnown.set(text, sizes);
      return sizes;
    },
    memory: new Map(),
  };
  yield* addShapes(stock, shapes, daemons);
  for (const shape of shapes) goods.push(goodsOf(shape, outlets));
  yield;
  outlets.sort((a, b) => compareText(a.text, b.text));
  for (const [index, outlet] of outlets.entries()) outlet.index = index;
  for (const list of goods) insertInOrder(list, cheapestOfOne);
  return stock;
}

const typesPerStep = 256;

function* addShapes(stock: Stock, shapes: Shape[], daemons: readonly Pod[]): Generator<void, void> {
  const types = [...stock.pool.instanceTypes].sort(byName);
  const shapeOf = shaping(stock, daemons);
  const { pool } = stock;
  const rules = [...pool.requirements].map(([key, set]) => {
    const meets = meetingOf(pool, key, set);
    return ({ requirements }: InstanceType): boolean => meets(requirements.get(key));
  });
  for (let from = 0; from < types.length; from += typesPerStep) {
    for (const type of types.slice(from, from + typesPerStep))
      if (rules.every((isMet) => isMet(type))) {
        const shape = shapeOf(type, shapes.length);
        // Resources that no pod asks for are not looked at again.
        if (fits(shape.daemonRequests, type.allocatable)) shapes.push(shape);
      }
    yield;
  }
}

/** Few sets of daemons occur, and each is summed up once. */
function shaping(
  stock: Stock,
  daemons: readonly Pod[],
): (type: InstanceType, index: number) => Shape {
  const daemonsOf = daemonsOfPool(stock.pool, daemons);
  const sums = new Map<string, Pick<Shape, 'daemonRequests' | 'daemonPorts'>>();
  return (type, index) => {
    const running = daemons.length === 0 ? daemons : daemonsOf(type);
    const key = running.length === 0 ? '' : running.map((pod) => daemons.indexOf(pod)).join();
    const sum = sums.get(key) ?? {
      daemonRequests: running.map((pod) => pod.requests).reduce(add, noResources),
      daemonPorts: running.flatMap((pod) => pod.hostPorts),
    };
    sums.set(key, sum);
    const { daemonRequests, daemonPorts } = sum;
    return { stock, index, type, daemonRequests, daemonPorts };
  };
}

/** By shape: 1 where nodes of its type meet the requirement. */
function maskOf(offered: readonly (ValueSet | undefined)[], meets: Meeting): Uint8Array {
  const mask = new Uint8Array(offered.length);
  for (let index = 0; index < mask.length; index++) if (meets(offered[index])) mask[index] = 1;
  return mask;
}

/** Whether what a type offers of a label meets a requirement. */
type Meeting = (offered: ValueSet | undefined) => boolean;

/** Types mostly share the sets that they offer, most of all with their neighbours; each is compared once. */
function meetingOf(pool: Pool, key: string, set: ValueSet): Meeting {
  const known = new Map<ValueSet | undefined, boolean>();
  let last: ValueSet | undefined;
  let answer = isMetBy(undefined, { pool, key, set });
  known.set(undefined, answer);
  return (offered) => {
    if (offered === last) return answer;
    last = offered;
    answer = known.get(offered) ?? isMetBy(offered, { pool, key, set });
    known.set(offered, answer);
    return answer;
  };
}

/**
 * Sorts cheapest first. Numbers sort far faster than objects; what they leave in doubt is put
 * right in passing.
 */
export function sortByPrice(goods: Good[]): void {
  const before = goods.slice();
  const keys = new Float64Array(before.length);
  for (let index = 0; index < before.length; index++)
    keys[index] = Math.round((before[index]?.priceUsdPerHour ?? 0) * 1e6) * 65536 + index;
  keys.sort();
  for (let place = 0; place < keys.length; place++) {
    const key = keys[place] ?? 0;
    // What is left of a division, which `%` takes ten times as long for where numbers are large.
    const good = before[key - Math.floor(key / 65536) * 65536];
    if (good !== undefined) goods[place] = good;
  }
  insertInOrder(goods, cheapestFirst);
}

function freeOf(shapes: readonly Shape[], { names }: Columns): Vector {
  const free = new Float64Array(shapes.length * names.length);
  for (const { index, type, daemonRequests } of shapes)
    for (let column = 0; column < names.length; column++) {
      const name = names[column] ?? '';
      free[index * names.length + column] =
        (type.allocatable[name] ?? 0) - (daemonRequests[name] ?? 0);
    }
  return free;
}

/** The same for goods of one shape. */
function cheapestOfOne(a: Good, b: Good): number {
  return a.priceUsdPerHour - b.priceUsdPerHour || a.outlet.index - b.outlet.index;
}

/** By row: its number among the rows that differ. */
function sizesOf(rows: Vector, count: number): Int32Array {
  const width = rows.length / count;
  const sizes = new Int32Array(count);
  for (let column = 0; column < width; column++) {
    const amounts = new Map<number, number>();
    const pairs = new PairNumbering();
    for (let row = 0; row < count; row++) {
      const amount = rows[row * width + column] ?? 0;
      const number = amounts.get(amount) ?? amounts.size;
      amounts.set(amount, number);
      sizes[row] = pairs.of(sizes[row] ?? 0, number);
    }
  }
  return sizes;
}

/** Ties by type, zone and kind, so that the same stock is always in the same order. */
export function cheapestFirst(a: Good, b: Good): number {
  if (a.priceUsdPerHour !== b.priceUsdPerHour)
    return a.priceUsdPerHour < b.priceUsdPerHour ? -1 : 1;
  return (
    compareText(a.shape.type.name, b.shape.type.name) ||
    compareText(a.shape.stock.pool.name, b.shape.stock.pool.name) ||
    a.outlet.index - b.outlet.index
  );
}
