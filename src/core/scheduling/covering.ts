import { type Count, type Demand, exactLoad, type Item, roomFor } from './load.ts';
import type { Purchase } from './market.ts';
import type { Run } from './packing.ts';

/** A machine as a vessel for one class of pods. */
interface Vessel {
  readonly purchase: Purchase;
  readonly holds: number;
}

/**
 * For every class by itself the exactly cheapest set of machines that holds all of its pods, by
 * dynamic programming over the number of pods. Undefined where some class fits no machine.
 */
export function coverEachClass(
  market: readonly Purchase[],
  demand: Demand,
): readonly Run[] | undefined {
  const runs: Run[] = [];
  for (const [index, item] of demand.items.entries()) {
    const pods = demand.waiting[index] ?? 0;
    if (pods === 0) continue;
    const vessels = worthwhile(market, item);
    if (vessels.length === 0) return undefined;
    runs.push(...runsOf(cheapestCover(vessels, pods), { item: index, pods }, demand));
  }
  return runs;
}

/** Cheapest first, each holding more than all before it. */
function worthwhile(market: readonly Purchase[], item: Item): readonly Vessel[] {
  const vessels: Vessel[] = [];
  let most = 0;
  for (const purchase of market) {
    const holds = roomFor(purchase, item);
    if (holds <= most) continue;
    vessels.push({ purchase, holds });
    most = holds;
  }
  return vessels;
}

/** How many of each vessel, by its index, make up the cheapest cover. */
function cheapestCover(vessels: readonly Vessel[], pods: number): ReadonlyMap<Vessel, number> {
  const cost = new Float64Array(pods + 1);
  const last: (Vessel | undefined)[] = [undefined];
  for (let held = 1; held <= pods; held++) {
    cost[held] = Infinity;
    for (const vessel of vessels) {
      const rest = cost[Math.max(0, held - vessel.holds)] ?? 0;
      const total = vessel.purchase.priceUsdPerHour + rest;
      // A dearer, larger vessel must be truly cheaper in total, not by the dust of a float.
      if (total >= (cost[held] ?? 0) * (1 - 1e-12)) continue;
      cost[held] = total;
      last[held] = vessel;
    }
  }
  const chosen = new Map<Vessel, number>();
  for (let left = pods; left > 0; ) {
    const vessel = last[left];
    if (vessel === undefined) break;
    chosen.set(vessel, (chosen.get(vessel) ?? 0) + 1);
    left -= vessel.holds;
  }
  return chosen;
}

/** Full machines in runs, and the last, largest one with whatever is left for it. */
function runsOf(
  chosen: ReadonlyMap<Vessel, number>,
  { item, pods }: Count,
  demand: Demand,
): readonly Run[] {
  const runs: Run[] = [];
  let left = pods;
  for (const [{ purchase, holds }, times] of [...chosen].sort(smallestFirst)) {
    const full = Math.min(times, Math.floor(left / holds));
    for (const [count, repeated] of [
      [holds, full],
      [left - full * holds, full < times ? 1 : 0],
    ] as const) {
      const load = exactLoad(purchase, demand.items, [{ item, pods: count }]);
      if (repeated === 0 || count === 0 || load === undefined) continue;
      runs.push({ load, times: repeated });
      left -= count * repeated;
    }
  }
  return runs;
}

function smallestFirst(a: readonly [Vessel, number], b: readonly [Vessel, number]): number {
  return a[0].holds - b[0].holds;
}
