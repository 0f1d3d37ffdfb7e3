import { orderInto } from '../../number-order.ts';
import type { Vector } from '../../quantity/columns.ts';
import { insertInOrder } from '../../steps.ts';
import type { Rows } from './bin-rows.ts';

/**
 * A step that gains no more than this part is taken to need no room: what costs much more than all
 * others for its worth would leave no places behind the point to sort these by.
 */
const slight = 1e-3;

/**
 * Ways to measure all resources by a single number, and for each the rows by worth for it. All
 * are kept in one list of numbers: most are taken of a few rows only, and then lists cost most.
 */
export class Measures {
  readonly #rows: Rows;
  /** How many items a measure has at the most: rows, and steps in contests. */
  readonly #most: number;
  /** By measure, running sums over the sorted items: of what they measure, and of their worth. */
  readonly #sums: Float64Array;
  /** By measure, how many items it has. */
  readonly #items: Int32Array;
  /** By row. */
  readonly #sizes: Float64Array;
  readonly #bySize: (a: number, b: number) => number;
  /** By item: what it measures, what it is worth, and the one for the other. */
  readonly #amounts: Float64Array;
  readonly #gains: Float64Array;
  readonly #costs: Float64Array;
  readonly #order: Float64Array;
  #taken = 0;

  constructor(rows: Rows, measures: number) {
    const sizes = new Float64Array(rows.many);
    const most = rows.contests.reduce((sum, contest) => sum + contest.length, rows.many);
    this.#rows = rows;
    this.#most = most;
    this.#sums = new Float64Array(2 * most * measures);
    this.#items = new Int32Array(measures);
    this.#sizes = sizes;
    this.#bySize = (a, b) => ((sizes[a] ?? 0) > (sizes[b] ?? 0) ? 1 : 0);
    this.#amounts = new Float64Array(most);
    this.#gains = new Float64Array(most);
    this.#costs = new Float64Array(most);
    this.#order = new Float64Array(most);
  }

  /** Takes one more, by so much per unit of each resource. */
  take(weights: Vector): void {
    const sizes = this.#sizes;
    const { needs } = this.#rows;
    const width = weights.length;
    for (let row = 0; row < sizes.length; row++) {
      let size = 0;
      for (let column = 0; column < width; column++)
        size += (weights[column] ?? 0) * (needs[row * width + column] ?? 0);
      sizes[row] = size;
    }
    this.#sum();
  }

  /** Takes one by which every pod counts one, whatever it asks for. */
  takeHeads(): void {
    this.#sizes.fill(1);
    this.#sum();
  }

  /** By the measure of this place: the worth of the first items of that size, the last in part. */
  worthWithin(place: number, room: number): number {
    const sums = this.#sums;
    const most = this.#most;
    const start = 2 * most * place;
    const end = start + (this.#items[place] ?? 0);
    let low = start;
    let high = end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) <= room) low = middle + 1;
      else high = middle;
    }
    const amount = low === start ? 0 : (sums[low - 1] ?? 0);
    const worth = low === start ? 0 : (sums[low + most - 1] ?? 0);
    if (low === end) return worth;
    const part = (room - amount) / ((sums[low] ?? 0) - amount);
    return worth + part * ((sums[low + most] ?? 0) - worth);
  }

  #sum(): void {
    const items = this.#itemize();
    const order = this.#order.subarray(0, items);
    const [amounts, gains, sums] = [this.#amounts, this.#gains, this.#sums];
    // By their size for their worth, the smallest first.
    for (let item = 0; item < items; item++)
      this.#costs[item] = (amounts[item] ?? 0) / (gains[item] ?? 1);
    orderInto(order, this.#costs);
    let amount = 0;
    let worth = 0;
    let at = 2 * this.#most * this.#taken;
    for (let place = 0; place < items; place++) {
      const item = order[place] ?? 0;
      amount += amounts[item] ?? 0;
      worth += gains[item] ?? 0;
      sums[at] = amount;
      sums[at + this.#most] = worth;
      at += 1;
    }
    this.#items[this.#taken] = items;
    this.#taken += 1;
  }

  /** Lists the rows, and the steps of all contests; says how many these are. */
  #itemize(): number {
    const { many, lefts, worths, contests } = this.#rows;
    let items = 0;
    for (let row = 0; row < many; row++) {
      const left = lefts[row] ?? 0;
      if (left === 0) continue;
      this.#amounts[items] = left * (this.#sizes[row] ?? 0);
      this.#gains[items] = left * (worths[row] ?? 0);
      items += 1;
    }
    for (const contest of contests) items = this.#addSteps(contest, items);
    return items;
  }

  /**
   * Of those who contend one is chosen, and a larger one that is worth more is a step up from a
   * smaller one. Where pods can be divided, two steps are one if the second gains more for its size.
   */
  #addSteps(contest: number[], from: number): number {
    const [amounts, gains, sizes] = [this.#amounts, this.#gains, this.#sizes];
    let items = from;
    let size = 0;
    let worth = 0;
    insertInOrder(contest, this.#bySize);
    for (const row of contest) {
      let amount = (sizes[row] ?? 0) - size;
      let gain = (this.#rows.worths[row] ?? 0) - worth;
      if (items > from && gain <= worth * slight) {
        const more = Math.max(0, gain);
        gains[items - 1] = (gains[items - 1] ?? 0) + more;
        worth += more;
        continue;
      }
      size += amount;
      worth += gain;
      while (items > from && gain * (amounts[items - 1] ?? 0) >= amount * (gains[items - 1] ?? 0)) {
        items -= 1;
        amount += amounts[items] ?? 0;
        gain += gains[items] ?? 0;
      }
      amounts[items] = amount;
      gains[items] = gain;
      items += 1;
    }
    return items;
  }
}
