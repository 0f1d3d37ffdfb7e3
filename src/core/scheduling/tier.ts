import type { Pod } from '../cluster/pod.ts';
import type { PodClass } from '../cluster/pod-class.ts';
import { type Columns, vectorOf } from '../quantity/columns.ts';
import { coverEachClass } from './covering.ts';
import { joinMachines } from './joining.ts';
import type { LimitLedger } from './limits.ts';
import { type Demand, exactLoad, type Item, type Load, roomFor } from './load.ts';
import { marketOf, type Purchase } from './market.ts';
import { type OrderContext, ordersOf, typesFor } from './order.ts';
import { buy, type Packing, packGreedily, priceOf, type Run } from './packing.ts';
import type { NewNode } from './plan.ts';
import type { Shape } from './shape.ts';

/** A class and those of its pods that still wait. */
export interface WaitingClass {
  readonly podClass: PodClass;
  /** Taken from the front as places are found. */
  readonly pods: Pod[];
}

export interface Tier {
  /** The shapes of all pools of one weight. */
  readonly shapes: readonly Shape[];
  readonly classes: readonly WaitingClass[];
  readonly columns: Columns;
  readonly ledger: LimitLedger;
  readonly mostInstanceTypes?: number | undefined;
}

/** With more classes, covering each by itself is far from the best and takes its time. */
const mostCovered = 64;

/**
 * Orders from pools of one weight for as many of the waiting pods as these pools will have, at
 * the least price of two packings. Takes the pods that it places from their waiting classes.
 */
export function orderFromTier(tier: Tier): readonly NewNode[] {
  const groups = labelGroups(tier.classes);
  const market = marketOf(
    tier.shapes,
    [...groups.values()].map(({ sample }) => sample),
  );
  const demand = demandOf(tier, market, [...groups.keys()]);
  const contextOf = (load: Load): OrderContext => ({
    items: demand.items,
    shapes: tier.shapes.filter((shape) => shape.pool === load.purchase.shape.pool),
    mostInstanceTypes: tier.mostInstanceTypes,
  });
  const trim = (load: Load): Load | undefined => trimmed(load, contextOf(load));
  const runs = cheapestRuns({ market, demand, ledger: tier.ledger, trim });
  return runs.flatMap(({ load, times }) => {
    const podLists = Array.from({ length: times }, () => takePods(load, tier.classes));
    const orders = ordersOf(load, podLists, { ...contextOf(load), ledger: tier.ledger });
    return orders.flatMap((order, index) => {
      if (order !== undefined) return [order];
      putBack(podLists[index] ?? [], tier.classes);
      return [];
    });
  });
}

function labelGroups(classes: readonly WaitingClass[]): ReadonlyMap<string, PodClass> {
  const groups = new Map<string, PodClass>();
  for (const { podClass } of classes)
    if (!groups.has(podClass.labelKey)) groups.set(podClass.labelKey, podClass);
  return groups;
}

function demandOf(tier: Tier, market: readonly Purchase[], groupKeys: readonly string[]): Demand {
  const groupOf = new Map(groupKeys.map((key, index) => [key, index]));
  const items = tier.classes.map(({ podClass }) => {
    const item = {
      need: vectorOf(tier.columns, podClass.sample.requests),
      group: groupOf.get(podClass.labelKey) ?? -1,
      hostPorts: podClass.sample.hostPorts,
      worthUsdPerHour: 0,
    };
    return { ...item, worthUsdPerHour: worthOf(item, market) };
  });
  return {
    items,
    // What no purchase holds has no worth and is not packed.
    waiting: tier.classes.map(({ pods }, index) =>
      (items[index]?.worthUsdPerHour ?? 0) > 0 ? pods.length : 0,
    ),
    order: items
      .map((_, index) => index)
      .sort((a, b) => (items[b]?.worthUsdPerHour ?? 0) - (items[a]?.worthUsdPerHour ?? 0) || a - b),
  };
}

/** The least price per pod over all machines; a trifle where they cost nothing, zero for none. */
function worthOf(item: Item, market: readonly Purchase[]): number {
  let least = Infinity;
  for (const purchase of market) {
    const room = roomFor(purchase, item);
    if (room > 0) least = Math.min(least, purchase.priceUsdPerHour / room);
  }
  return least === Infinity ? 0 : Math.max(least, 1e-9);
}

/** The cheaper of mixing all classes and of covering each class exactly, tails joined in both. */
function cheapestRuns(packing: Packing): readonly Run[] {
  const { market, demand, ledger } = packing;
  const isPlain = market.every(({ shape }) => shape.pool.minValues === undefined);
  const before = [...demand.waiting];
  const mixed = { ...packing, ledger: ledger.copy() };
  const greedy = packGreedily(mixed);
  const mixedRuns = isPlain ? joinMachines(greedy, mixed) : greedy;
  const hasPlacedAll = demand.waiting.every((pods) => pods === 0);
  demand.waiting.splice(0, before.length, ...before);
  const covered = isPlain && demand.items.length <= mostCovered ? coveringRuns(packing) : undefined;
  const isCovered =
    covered !== undefined && (!hasPlacedAll || priceOf(covered) < priceOf(mixedRuns) * (1 - 1e-9));
  const runs = isCovered ? covered : mixedRuns;
  for (const run of runs) buy(run, demand, ledger);
  return runs;
}

/** Undefined where it would overshoot a limit. */
function coveringRuns(packing: Packing): readonly Run[] | undefined {
  const ledger = packing.ledger.copy();
  const runs = coverEachClass(packing.market, packing.demand);
  for (const { load, times } of runs ?? []) {
    const { pool, type } = load.purchase.shape;
    if (ledger.affordable(pool, type) < times) return undefined;
    ledger.charge(pool, type, times);
  }
  return runs === undefined ? undefined : joinMachines(runs, { ...packing, ledger });
}

/** The largest part of a load for which the pool's `minValues` can be kept. */
function trimmed(load: Load, context: OrderContext): Load | undefined {
  if (load.purchase.shape.pool.minValues === undefined) return load;
  if (typesFor(load, context) !== undefined) return load;
  for (const { item, pods: most } of load.counts) {
    for (let pods = most; pods >= 1; pods = Math.floor(pods / 2)) {
      const part = exactLoad(load.purchase, context.items, [{ item, pods }]);
      if (part !== undefined && typesFor(part, context) !== undefined) return part;
    }
  }
  return undefined;
}

function takePods(load: Load, classes: readonly WaitingClass[]): readonly Pod[] {
  return load.counts.flatMap(({ item, pods }) => classes[item]?.pods.splice(0, pods) ?? []);
}

function putBack(pods: readonly Pod[], classes: readonly WaitingClass[]): void {
  for (const pod of pods)
    classes.find(({ podClass }) => podClass.pods.includes(pod))?.pods.push(pod);
}
