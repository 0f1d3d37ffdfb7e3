import type { Question, Shape } from '../../bench/bound/whole/question.ts';
import type { Spread } from '../../bench/bound/whole/spreads.ts';

/** What the cheapest whole nodes for all pods cost, spread as they must be, by trying everything. */
export function cheapestByHand({ amounts, sizes, shapes, spreads }: Question): number {
  const known = new Map<string, number>();
  const cheapest = (left: readonly number[], held: Held): number => {
    const key = `${left} ${held.join(' ')}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    if (left.every((count) => count === 0)) return spreads.every(isEven(held)) ? 0 : Infinity;
    const costs = shapes.flatMap((shape) =>
      loadsOf(shape, sizes, left).map(
        (load) =>
          shape.price +
          cheapest(
            left.map((count, d) => count - (load[d] ?? 0)),
            withLoad(spreads, held, { zone: shape.zone, load }),
          ),
      ),
    );
    const cost = Math.min(...costs);
    known.set(key, cost);
    return cost;
  };
  return cheapest(
    amounts,
    spreads.map(({ zones }) => zones.map(() => 0)),
  );
}

/** By spread and its zones: how many of its pods are there. */
type Held = readonly (readonly number[])[];

function withLoad(
  spreads: readonly Spread[],
  held: Held,
  { zone, load }: { readonly zone: string; readonly load: readonly number[] },
): Held {
  return spreads.map(({ members, zones }, s) => {
    const more = members.reduce((sum, d) => sum + (load[d] ?? 0), 0);
    return zones.map((one, z) => (held[s]?.[z] ?? 0) + (one.zone === zone ? more : 0));
  });
}

/** No zone may hold more than the skew above the emptiest that all could use. */
function isEven(held: Held): (spread: Spread, s: number) => boolean {
  return ({ zones, maxSkew }, s) => {
    const counts = held[s] ?? [];
    const least = Math.min(...counts.filter((_, z) => zones[z]?.isShared === true));
    return counts.every((count) => count <= least + maxSkew);
  };
}

/** Every load of the shape that leaves it not empty. */
function loadsOf(
  { free }: Shape,
  sizes: Question['sizes'],
  left: readonly number[],
): readonly (readonly number[])[] {
  const loads = left.reduce<readonly (readonly number[])[]>(
    (all, count) =>
      all.flatMap((load) => Array.from({ length: count + 1 }, (_, n) => [...load, n])),
    [[]],
  );
  return loads.filter(
    (load) =>
      load.some((count) => count > 0) &&
      free.every(
        (room, r) => load.reduce((sum, n, d) => sum + n * (sizes[d]?.[r] ?? 0), 0) <= room,
      ),
  );
}
