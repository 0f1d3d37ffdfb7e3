import type { Question, Shape } from '../../bench/bound/whole/question.ts';

/** What the cheapest whole nodes for all pods cost, by trying everything. Spreads are not looked at. */
export function cheapestByHand({ amounts, sizes, shapes }: Question): number {
  const known = new Map<string, number>();
  const cheapest = (left: readonly number[]): number => {
    const key = left.join();
    const before = known.get(key);
    if (before !== undefined) return before;
    if (left.every((count) => count === 0)) return 0;
    const costs = shapes.flatMap((shape) =>
      loadsOf(shape, sizes, left).map(
        (load) => shape.price + cheapest(left.map((count, d) => count - (load[d] ?? 0))),
      ),
    );
    const cost = Math.min(...costs);
    known.set(key, cost);
    return cost;
  };
  return cheapest(amounts);
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
