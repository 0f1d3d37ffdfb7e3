import type { Vector } from '../../quantity/columns.ts';
import type { Bin } from './bin.ts';

/** Keys to sort by have room for the places of so many bins. */
const places = 2 ** 20;
/** So few keys are sorted here sooner than the engine is asked to. */
const fewKeys = 40;

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
  readonly #keys: Float64Array;
  #taken = 0;

  constructor(rows: Rows, most: number) {
    this.#rows = rows;
    this.#sums = new Float64Array(2 * rows.many * most);
    this.#sizes = new Float64Array(rows.many);
    this.#keys = new Float64Array(rows.many);
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
    const [keys, sizes, sums] = [this.#keys, this.#sizes, this.#sums];
    this.#sort();
    let amount = 0;
    let worth = 0;
    let at = 2 * many * this.#taken;
    for (let place = 0; place < many; place++) {
      const row = keys[place] ?? 0;
      const left = lefts[row] ?? 0;
      amount += left * (sizes[row] ?? 0);
      worth += left * (worths[row] ?? 0);
      sums[at] = amount;
      sums[at + many] = worth;
      at += 1;
    }
    this.#taken += 1;
  }

  /**
   * The rows by their size for their worth, the smallest first. Numbers sort several times faster
   * than anything that has to be compared by a function, so that each is one number: the size for
   * the worth, to one part in 2^32 of the largest, and the row.
   */
  #sort(): void {
    const [keys, sizes] = [this.#keys, this.#sizes];
    const { worths } = this.#rows;
    let largest = 0;
    for (let row = 0; row < keys.length; row++) {
      const cost = (sizes[row] ?? 0) / (worths[row] ?? 1);
      keys[row] = cost;
      if (cost > largest) largest = cost;
    }
    const scale = largest > 0 ? 2 ** 32 / largest : 0;
    for (let row = 0; row < keys.length; row++)
      keys[row] = Math.floor((keys[row] ?? 0) * scale) * places + row;
    if (keys.length > fewKeys) keys.sort();
    else insertNumbers(keys);
    for (let place = 0; place < keys.length; place++) {
      const key = keys[place] ?? 0;
      keys[place] = key - Math.floor(key / places) * places;
    }
  }
}

function insertNumbers(keys: Float64Array): void {
  for (let place = 1; place < keys.length; place++) {
    const key = keys[place] ?? 0;
    let at = place;
    for (; at > 0 && (keys[at - 1] ?? 0) > key; at--) keys[at] = keys[at - 1] ?? 0;
    keys[at] = key;
  }
}
