import type { Pool } from '../../cluster/snapshot.ts';
import type { Columns, Vector } from '../../quantity/columns.ts';
import type { Requirements } from '../../requirements/requirements.ts';
import { mergedByPrice } from './merging.ts';
import type { Good, Outlet, Shape, Stock } from './stock.ts';
import {
  goodsIn,
  type Holder,
  holdersOf,
  isIn,
  type Part,
  partOf,
  reservedOf,
  walk,
} from './stock-part.ts';
import { cheapestOfSizes, undominated } from './undominated.ts';
import type { Wish, Wishes } from './wish.ts';

/** What one wish leaves of the stocks of pools of one weight. */
export interface Market {
  readonly wish: Wish;
  /** Cheapest first; left out is what something no dearer equals or beats in every amount. */
  readonly front: readonly Good[];
  /** The same among the goods of one stock alone. */
  readonly frontIn: (stock: Stock) => readonly Good[];
  /** The wish joined with the pool's own requirements; undefined where the pool will not do. */
  readonly requirementsIn: (stock: Stock) => Requirements | undefined;
  readonly has: (good: Good) => boolean;
  /** Every shape of the stock, with its cheapest good that is not reserved. Cheapest first. */
  readonly holdersIn: (stock: Stock) => readonly Holder[];
  /** Goods from reservations, cheapest first: each may be had only so many times. */
  readonly reservedIn: (stock: Stock) => readonly Good[];
  /** The ways to buy one shape that meet the wish, cheapest first. */
  readonly goodsOf: (shape: Shape) => readonly Good[];
  /**
   * Shows every shape of the stock once, by its cheapest good that is not reserved, cheapest
   * first from the given price on, until `isEnough` says so.
   */
  readonly walk: (stock: Stock, fromUsdPerHour: number, isEnough: (good: Good) => boolean) => void;
}

/** The markets of the pools of one weight, each worked out once. */
export class Markets {
  readonly columns: Columns;
  readonly stocks: readonly Stock[];
  readonly #poolIndex: ReadonlyMap<Pool, number>;
  readonly #wishes: Wishes;
  readonly #markets: Market[] = [];
  readonly #free: ReadonlyMap<Stock, Vector>;
  readonly #freeByShape = new Map<Shape, Vector>();
  #lastStock: Stock | undefined;
  #lastFree: Vector = new Float64Array();

  /** `pools` are all pools of the solve, in the order that wishes count them. */
  constructor(parts: {
    readonly stocks: readonly Stock[];
    readonly pools: readonly Pool[];
    readonly wishes: Wishes;
    readonly columns: Columns;
  }) {
    this.stocks = parts.stocks;
    this.columns = parts.columns;
    this.#wishes = parts.wishes;
    this.#poolIndex = new Map(parts.pools.map((pool, index) => [pool, index]));
    this.#free = new Map(parts.stocks.map((stock) => [stock, stock.freeIn(parts.columns)]));
  }

  of(wishId: number): Market {
    const known = this.#markets[wishId];
    if (known !== undefined) return known;
    const market = this.#make(this.#wishes.get(wishId));
    this.#markets[wishId] = market;
    return market;
  }

  /** Writes what the shape leaves to pods into the vector. */
  copyFree({ stock, index }: Shape, into: Vector): void {
    const free = this.#freeOf(stock);
    const start = index * into.length;
    for (let column = 0; column < into.length; column++) into[column] = free[start + column] ?? 0;
  }

  /** What the shape leaves to pods, as one vector for all who ask. */
  freeOf(shape: Shape): Readonly<Vector> {
    const known = this.#freeByShape.get(shape);
    if (known !== undefined) return known;
    const free = new Float64Array(this.columns.names.length);
    this.copyFree(shape, free);
    this.#freeByShape.set(shape, free);
    return free;
  }

  /** Whether a node of the shape holds so much beside its daemons. */
  holds({ stock, index }: Shape, total: Vector): boolean {
    const free = this.#freeOf(stock);
    const start = index * total.length;
    for (let column = 0; column < total.length; column++) {
      const amount = total[column] ?? 0;
      if (amount > 0 && amount > (free[start + column] ?? 0)) return false;
    }
    return true;
  }

  /** How often the need fits a node of the shape; Infinity where nothing is needed. */
  room({ stock, index }: Shape, need: Vector): number {
    const free = this.#freeOf(stock);
    const start = index * need.length;
    let times = Infinity;
    for (let column = 0; column < need.length; column++) {
      const amount = need[column] ?? 0;
      if (amount <= 0) continue;
      const fitting = Math.floor((free[start + column] ?? 0) / amount);
      if (fitting < times) times = fitting;
      if (times <= 0) return 0;
    }
    return times;
  }

  #freeOf(stock: Stock): Vector {
    // Questions come in rows about one stock.
    if (stock === this.#lastStock) return this.#lastFree;
    const free = this.#free.get(stock);
    if (free === undefined) throw new Error(`pool ${stock.pool.name} is of another weight`);
    this.#lastStock = stock;
    this.#lastFree = free;
    return free;
  }

  #make(wish: Wish): Market {
    const parts = new Map<Stock, Part>();
    for (const stock of this.stocks) {
      const isAsked = wish.pools[this.#poolIndex.get(stock.pool) ?? -1] === '1';
      const part = isAsked ? partOf(stock, wish) : undefined;
      if (part !== undefined) parts.set(stock, part);
    }
    const holders = new Map<Stock, readonly Holder[]>();
    const fronts = new Map<Stock, readonly Good[]>();
    const goodsOf = (shape: Shape): readonly Good[] => goodsIn(parts.get(shape.stock), shape);
    return {
      wish,
      front: this.#frontOf([...parts.values()]),
      frontIn: (stock) => {
        const part = parts.get(stock);
        const front = fronts.get(stock) ?? (part === undefined ? [] : this.#frontOf([part]));
        fronts.set(stock, front);
        return front;
      },
      requirementsIn: (stock) => parts.get(stock)?.requirements,
      has: (good) => isIn(parts.get(good.shape.stock), good),
      holdersIn: (stock) => {
        const list = holders.get(stock) ?? holdersOf(parts.get(stock));
        holders.set(stock, list);
        return list;
      },
      reservedIn: (stock) => reservedOf(parts.get(stock)),
      goodsOf,
      walk: (stock, from, isEnough) => walk(parts.get(stock), from, isEnough),
    };
  }

  #frontOf(parts: readonly Part[]): readonly Good[] {
    const [part, ...others] = parts;
    if (part === undefined || others.length > 0)
      return this.#undominated(mergedByPrice(parts.map((one) => this.#partFront(one))));
    return this.#partFront(part);
  }

  #partFront(part: Part): readonly Good[] {
    const [outlet, ...others] = part.outlets;
    if (outlet !== undefined && others.length === 0) return this.#outletFront(part, outlet);
    return this.#remembered(part, part.isOpen.join(''), () => {
      return this.#undominated(
        mergedByPrice(part.outlets.map((one) => this.#outletFront(part, one))),
      );
    });
  }

  #outletFront(part: Part, outlet: Outlet): readonly Good[] {
    return this.#remembered(part, `at ${outlet.index}`, () => {
      const sizes = part.stock.sizesIn(this.columns);
      return this.#undominated(cheapestOfSizes(outlet.goods, { sizes, mask: part.mask }));
    });
  }

  /** Kept with the stock, since many wishes and many solves ask for the same. */
  #remembered(part: Part, where: string, make: () => readonly Good[]): readonly Good[] {
    const text = `front ${this.columns.names.join()} ${where} ${part.maskText}`;
    const { memory } = part.stock;
    const known = memory.get(text);
    if (known !== undefined) return known as readonly Good[];
    const front = make();
    memory.set(text, front);
    return front;
  }

  #undominated(goods: readonly Good[]): readonly Good[] {
    const freeOf = (stock: Stock): Vector => this.#freeOf(stock);
    return undominated(goods, { width: this.columns.names.length, freeOf });
  }
}
