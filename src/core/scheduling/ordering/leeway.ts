import type { Vector } from '../../quantity/columns.ts';
import type { Market, Markets } from '../market/market.ts';
import type { Shape } from '../market/stock.ts';
import type { Supply } from './order-list.ts';

/**
 * Answers in place of the markets which machines hold one load, and keeps in mind between which
 * bounds another load would have been answered the same. So whatever was worked out with these
 * answers alone is true of every load within the bounds.
 */
export class Leeway implements Supply {
  readonly #markets: Markets;
  /** By column what a load must exceed, and what it may come to at most. */
  readonly #above: Vector;
  readonly #upTo: Vector;
  /** What the machine asked about leaves to pods. */
  readonly #free: Vector;

  constructor(markets: Markets) {
    this.#markets = markets;
    const width = markets.columns.names.length;
    this.#above = new Float64Array(width).fill(-Infinity);
    this.#upTo = new Float64Array(width).fill(Infinity);
    this.#free = new Float64Array(width);
  }

  of(wish: number): Market {
    return this.#markets.of(wish);
  }

  holds(shape: Shape, load: Vector): boolean {
    const [free, above, upTo] = [this.#free, this.#above, this.#upTo];
    this.#markets.copyFree(shape, free);
    for (let column = 0; column < load.length; column++) {
      const room = Math.max(0, free[column] ?? 0);
      if ((load[column] ?? 0) <= room) continue;
      above[column] = Math.max(above[column] ?? 0, room);
      return false;
    }
    for (let column = 0; column < load.length; column++)
      upTo[column] = Math.min(upTo[column] ?? 0, Math.max(0, free[column] ?? 0));
    return true;
  }

  /** Whether all answers so far are those for this load too. */
  covers(load: Vector): boolean {
    for (let column = 0; column < load.length; column++) {
      const amount = load[column] ?? 0;
      if (amount <= (this.#above[column] ?? 0) || amount > (this.#upTo[column] ?? 0)) return false;
    }
    return true;
  }
}
