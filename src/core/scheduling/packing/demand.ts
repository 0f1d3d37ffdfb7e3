import { type Pod, portsClash } from '../../cluster/pod.ts';
import type { PodClass } from '../../cluster/pod-class.ts';
import type { Vector } from '../../quantity/columns.ts';
import type { Ties } from '../between-pods/topology.ts';
import type { Markets } from '../market/market.ts';
import type { Good } from '../market/stock.ts';

/** Pods of one class that need a new node, all with the same wish. */
export interface Demand {
  readonly podClass: PodClass;
  readonly need: Vector;
  readonly ties: Ties;
  /** The id of the wish, in which the domains that the pods were given are settled. */
  readonly wish: number;
  /** Labels settled for these pods, by key. */
  readonly pins: ReadonlyMap<string, string>;
  /** The weight class of pools, the heaviest being 0, that is asked first. */
  readonly tier: number;
  /** What one such pod costs at the least, on machines full of its like. */
  readonly worthUsdPerHour: number;
  /** Taken from the end as they are packed. */
  readonly pods: Pod[];
}

/** What a pod costs at the least, and from which tier. */
export interface Worth {
  /** The weight class of pools that has a machine for such a pod; Infinity where none has. */
  readonly tier: number;
  readonly usdPerHour: number;
}

/** The answer where nothing that can be bought would do. */
export const unaffordable: Worth = { tier: Infinity, usdPerHour: Infinity };
/** Capacity that is paid for already costs nothing; it must still be possible to compare. */
const trifle = 1e-9;
/** How many pods a node holds unless something says otherwise. */
const usualPods = 110;

/** What single pods are worth; the same question is answered once. */
export class Worths {
  readonly #tiers: readonly Markets[];
  readonly #known = new Map<Vector, Map<number, Worth>>();
  /** By tier and wish. */
  readonly #fronts: Front[][] = [];

  constructor(tiers: readonly Markets[]) {
    this.#tiers = tiers;
  }

  /**
   * Infinite where nothing that can be bought holds even one such pod. Equal needs are to be the
   * same vector, so that they share their answers.
   */
  of(pod: Pod, need: Vector, at: { readonly wish: number; readonly soloCap: number }): Worth {
    if (pod.hostPorts.length > 0) return this.#ask(pod, need, at);
    const cap = Math.min(at.soloCap, 4095);
    const key = at.wish * 4096 + cap;
    const ofNeed = this.#known.get(need) ?? new Map<number, Worth>();
    this.#known.set(need, ofNeed);
    const worth = ofNeed.get(key) ?? this.#ask(pod, need, at);
    ofNeed.set(key, worth);
    return worth;
  }

  #ask(pod: Pod, need: Vector, at: { readonly wish: number; readonly soloCap: number }): Worth {
    const columns = columnsIn(need);
    for (let tier = 0; tier < this.#tiers.length; tier++) {
      const { goods, prices, free } = this.#frontOf(tier, at.wish);
      let least = Infinity;
      for (let row = 0; row < prices.length; row++) {
        const price = prices[row] ?? 0;
        // They only become dearer from here on, and hold no more such pods than that.
        if (price >= least * at.soloCap) break;
        let times = roomIn(free, row * need.length, { need, columns });
        const good = goods[row];
        if (times > 0 && pod.hostPorts.length > 0 && good !== undefined)
          times = portsClash(pod.hostPorts, good.shape.daemonPorts) ? 0 : 1;
        if (times > 0) least = Math.min(least, price / Math.min(times, at.soloCap));
      }
      if (least < Infinity) return { tier, usdPerHour: Math.max(least, trifle) };
    }
    return unaffordable;
  }

  /** The goods worth buying, cheapest first, with what they leave to pods, row by row. */
  #frontOf(tier: number, wish: number): Front {
    const fronts = this.#fronts[tier] ?? [];
    this.#fronts[tier] = fronts;
    const known = fronts[wish];
    if (known !== undefined) return known;
    const front = frontOf(this.#tiers[tier], wish);
    fronts[wish] = front;
    return front;
  }
}

interface Front {
  readonly goods: readonly Good[];
  readonly prices: Float64Array;
  readonly free: Vector;
}

function frontOf(markets: Markets | undefined, wish: number): Front {
  const goods = markets?.of(wish).front ?? [];
  const width = markets?.columns.names.length ?? 0;
  const free = new Float64Array(goods.length * width);
  const prices = new Float64Array(goods.length);
  const row = new Float64Array(width);
  for (const [index, { shape, priceUsdPerHour }] of goods.entries()) {
    markets?.copyFree(shape, row);
    free.set(row, index * width);
    prices[index] = priceUsdPerHour;
  }
  return { goods, prices, free };
}

function columnsIn(need: Vector): readonly number[] {
  const columns: number[] = [];
  for (let column = 0; column < need.length; column++)
    if ((need[column] ?? 0) > 0) columns.push(column);
  return columns;
}

/** How many such pods an otherwise empty machine holds; those that ask for nothing go by the usual. */
function roomIn(
  free: Vector,
  start: number,
  { need, columns }: { readonly need: Vector; readonly columns: readonly number[] },
): number {
  let times = Infinity;
  for (const column of columns) {
    const fitting = (free[start + column] ?? 0) / (need[column] ?? 1);
    if (fitting < times) times = fitting;
  }
  return times === Infinity ? usualPods : Math.max(0, Math.floor(times));
}
