import type { LimitLedger } from './limits.ts';
import { bestLoad, type Count, type Demand, type Load } from './load.ts';
import type { Purchase } from './market.ts';

/** The same machine with the same load, so many times over. */
export interface Run {
  readonly load: Load;
  readonly times: number;
}

export interface Packing {
  readonly market: readonly Purchase[];
  readonly demand: Demand;
  /** Charged with what is bought. */
  readonly ledger: LimitLedger;
  /** The load, or the part of it that the pool's own rules let one order be for. */
  readonly trim: (load: Load) => Load | undefined;
}

/**
 * Buys again and again the machine that gives most worth for its price, counting only pods that
 * still wait. So bulk goes to what is cheapest per pod, the rest to what is cheapest for the
 * rest. Counts `demand.waiting` down; what is left at the end could not be bought for.
 */
export function packGreedily(packing: Packing): readonly Run[] {
  const { market, demand, ledger, trim } = packing;
  const runs: Run[] = [];
  const shelf = new Shelf(market, demand);
  for (;;) {
    const offered = shelf.best((purchase) => isAffordable(purchase, ledger));
    if (offered === undefined) return runs;
    const load = trim(offered);
    if (load === undefined) {
      shelf.drop(offered.purchase);
      continue;
    }
    const times = repeats(load, demand, ledger);
    buy({ load, times }, demand, ledger);
    runs.push({ load, times });
  }
}

/** Takes the pods of a run off the waiting list and charges its machines to the limits. */
export function buy({ load, times }: Run, demand: Demand, ledger: LimitLedger): void {
  const { pool, type } = load.purchase.shape;
  ledger.charge(pool, type, times);
  for (const { item, pods } of load.counts)
    demand.waiting[item] = (demand.waiting[item] ?? 0) - times * pods;
}

export function priceOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { load, times }) => sum + times * load.purchase.priceUsdPerHour, 0);
}

function isAffordable({ shape }: Purchase, ledger: LimitLedger): boolean {
  return ledger.affordable(shape.pool, shape.type) >= 1;
}

/** How often the same purchase stays the best: as long as as many pods wait. */
function repeats(load: Load, demand: Demand, ledger: LimitLedger): number {
  const { pool, type } = load.purchase.shape;
  const enough = load.counts.map(({ item, pods }) =>
    Math.floor((demand.waiting[item] ?? 0) / pods),
  );
  return Math.max(1, Math.min(ledger.affordable(pool, type), ...enough));
}

/** Capacity that is paid for already costs nothing; it must still be possible to divide by it. */
const nothing = 1e-9;

/**
 * The purchases with the load that each would carry. As pods go, a load can only lose worth, so
 * a remembered one is an upper bound and is made anew only when it comes out on top.
 */
class Shelf {
  readonly #demand: Demand;
  readonly #loads: (Load | undefined)[];

  constructor(market: readonly Purchase[], demand: Demand) {
    this.#demand = demand;
    this.#loads = market.map((purchase) => bestLoad(purchase, demand));
  }

  best(isAllowed: (purchase: Purchase) => boolean): Load | undefined {
    for (;;) {
      const index = this.#bestIndex(isAllowed);
      const load = this.#loads[index];
      if (load === undefined) return undefined;
      if (load.counts.every((count) => this.#isWaiting(count))) return load;
      this.#loads[index] = bestLoad(load.purchase, this.#demand);
    }
  }

  drop(purchase: Purchase): void {
    const index = this.#loads.findIndex((load) => load?.purchase === purchase);
    if (index >= 0) this.#loads[index] = undefined;
  }

  /** At equal worth for the price the cheaper machine wins: smaller ones spread the risk. */
  #bestIndex(isAllowed: (purchase: Purchase) => boolean): number {
    let best = -1;
    let bestRatio = 0;
    this.#loads.forEach((load, index) => {
      if (load === undefined || load.counts.length === 0) return;
      const ratio = load.worthUsdPerHour / Math.max(load.purchase.priceUsdPerHour, nothing);
      if (ratio <= bestRatio * (1 + 1e-9) || !isAllowed(load.purchase)) return;
      best = index;
      bestRatio = ratio;
    });
    return best;
  }

  #isWaiting({ item, pods }: Count): boolean {
    return (this.#demand.waiting[item] ?? 0) >= pods;
  }
}
