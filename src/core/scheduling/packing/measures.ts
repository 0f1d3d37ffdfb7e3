import { orderInto } from '../../number-order.ts';
import type { Vector } from '../../quantity/columns.ts';
import type { Bin } from './bin.ts';

/** Bins as rows of numbers, which many measures are taken of. */
export interface Rows {
  readonly many: number;
  /** Row by row. */
  readonly needs: Vector;
  /** How many pods of the bin one node holds at most by rules between pods. */
  readonly lefts: Float64Array;
  readonly worths: Float64Array;
}

export function rowsOf(bins: readonly Bin[], width: number): Rows {
  const many = bins.length;
  const rows = {
    many,
    needs: new Float64Array(many * width),
    lefts: new Float64Array(many),
    worths: new Float64Array(many),
  };
  for (let row = 0; row < many; row++) {
    const bin = bins[row];
    if (bin === undefined) continue;
    const { need } = bin;
    for (let column = 0; column < width; column++)
      rows.needs[row * width + column] = need[column] ?? 0;
    rows.lefts[row] = mostOf(bin);
    rows.worths[row] = bin.worthUsdPerHour;
  }
  return rows;
}

/** How many pods of the bin one node holds at most by rules between pods. */
export function mostOf({ queues, left: all }: Bin): number {
  // The queues of a bin have that rule in common, and mostly there is none.
  const soloCap = queues[0]?.demand.ties.soloCap ?? Infinity;
  if (soloCap === Infinity) return all;
  let most = 0;
  for (const { left } of queues) most += Math.min(left, soloCap);
  return most;
}

/**
 * Ways to measure all resources by a single number, and for each the rows by worth for it. All
 * are kept in one list of numbers: most are taken of a few rows only, and then lists cost most.
 */
export class Measures {
  readonly #rows: Rows;
  /** By measure, running sums over the sorted rows: of what they measure, and of their worth. */
  readonly #sums: Float64Array;
  readonly #sizes: Float64Array;
  readonly #costs: Float64Array;
  readonly #order: Float64Array;
  #taken = 0;

  constructor(rows: Rows, most: number) {
    this.#rows = rows;
    this.#sums = new Float64Array(2 * rows.many * most);
    this.#sizes = new Float64Array(rows.many);
    this.#costs = new Float64Array(rows.many);
    this.#order = new Float64Array(rows.many);
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

  /** By the measure of this place: the worth of the first rows of that size, the last in part. */
  worthWithin(place: number, room: number): number {
    const sums = this.#sums;
    const { many } = this.#rows;
    const start = 2 * many * place;
    let low = start;
    let high = start + many;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) <= room) low = middle + 1;
      else high = middle;
    }
    const amount = low === start ? 0 : (sums[low - 1] ?? 0);
    const worth = low === start ? 0 : (sums[low + many - 1] ?? 0);
    if (low === start + many) return worth;
    const part = (room - amount) / ((sums[low] ?? 0) - amount);
    return worth + part * ((sums[low + many] ?? 0) - worth);
  }

  #sum(): void {
    const { many, lefts, worths } = this.#rows;
    const [order, sizes, sums] = [this.#order, this.#sizes, this.#sums];
    // By their size for their worth, the smallest first.
    for (let row = 0; row < many; row++) this.#costs[row] = (sizes[row] ?? 0) / (worths[row] ?? 1);
    orderInto(order, this.#costs);
    let amount = 0;
    let worth = 0;
    let at = 2 * many * this.#taken;
    for (let place = 0; place < many; place++) {
      const row = order[place] ?? 0;
      const left = lefts[row] ?? 0;
      amount += left * (sizes[row] ?? 0);
      worth += left * (worths[row] ?? 0);
      sums[at] = amount;
      sums[at + many] = worth;
      at += 1;
    }
    this.#taken += 1;
  }
}
