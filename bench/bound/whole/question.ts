import type { Cell } from '../cells.ts';
import type { Demands } from '../demands.ts';
import { taking } from '../useful-cells.ts';
import { type Spread, spreadsOf } from './spreads.ts';

/** One whole node that can be bought. */
export interface Shape {
  readonly name: string;
  readonly zone: string;
  readonly price: number;
  /** What is left for pods, by resource. */
  readonly free: readonly number[];
  /** Of each demand, how many such a node may hold; 0 where it takes none. */
  readonly most: readonly number[];
}

/** What is to be bought for whom, in numbers alone. */
export interface Question {
  /** Of each demand, how many pods. */
  readonly amounts: readonly number[];
  /** Of each demand, what a pod asks, by resource. */
  readonly sizes: readonly (readonly number[])[];
  readonly spreads: readonly Spread[];
  readonly shapes: readonly Shape[];
}

/**
 * The question of the lower bound, with whole nodes and whole pods. Of a kind of pods of which a
 * node holds one, every node has one place: a resource more.
 */
export function wholeQuestion(
  cells: readonly Cell[],
  demands: Demands,
  resources: readonly string[],
): Question {
  const amounts = demands.demands.map(({ amount }) => amount);
  const sizes = demands.demands.map(({ sample, solitary }) => [
    ...resources.map((name) => sample.requests[name] ?? 0),
    ...demands.solitary.map((_, group) => (group === solitary ? 1 : 0)),
  ]);
  const takesOf = taking(demands.demands, resources);
  const takers = cells.map((cell) => ({ cell, takes: takesOf(cell).takes }));
  const spreads = spreadsOf(demands, takers);
  const shapes = takers.map(({ cell, takes }): Shape => {
    const free = [...cell.free, ...demands.solitary.map(() => 1)];
    const most = amounts.map((amount, d) =>
      takes[d] === true ? Math.min(amount, zoneHolds(spreads, d), fitting(sizes[d], free)) : 0,
    );
    return { ...nameOf(cell), price: cell.offering.priceUsdPerHour, free, most };
  });
  return { amounts, sizes, spreads, shapes: unbeaten(shapes, spreads) };
}

function nameOf({ pool, type, offering }: Cell): Pick<Shape, 'name' | 'zone'> {
  const { zone, capacityType } = offering;
  return { name: `${pool.name} ${type.name} ${capacityType} ${zone}`, zone };
}

/** No node holds more of a demand than its zone may. */
function zoneHolds(spreads: readonly Spread[], d: number): number {
  const spread = spreads.find(({ members }) => members.includes(d));
  return spread === undefined ? Infinity : spread.most + spread.maxSkew;
}

function fitting(size: readonly number[] = [], free: readonly number[]): number {
  const counts = size.map((asked, r) =>
    asked > 0 ? Math.floor((free[r] ?? 0) / asked) : Infinity,
  );
  return Math.min(...counts);
}

/** The shapes than which no other of their zone is as cheap and as good in all things. */
function unbeaten(shapes: readonly Shape[], spreads: readonly Spread[]): readonly Shape[] {
  const kept = new Map<string, Shape[]>();
  const candidates = shapes
    .map((shape) => ({ shape, pods: shape.most.reduce((sum, n) => sum + n, 0) }))
    .filter(({ pods }) => pods > 0)
    .sort((a, b) => a.shape.price - b.shape.price || b.pods - a.pods);
  for (const { shape } of candidates) {
    // Zones matter only where something is spread over them.
    const zone = spreads.length > 0 ? shape.zone : '';
    const rivals = kept.get(zone) ?? [];
    kept.set(zone, rivals);
    if (!rivals.some((rival) => isAsGood(rival, shape))) rivals.push(shape);
  }
  return [...kept.values()].flat();
}

function isAsGood(rival: Shape, shape: Shape): boolean {
  return (
    rival.free.every((n, r) => n >= (shape.free[r] ?? 0)) &&
    rival.most.every((n, d) => n >= (shape.most[d] ?? 0))
  );
}
