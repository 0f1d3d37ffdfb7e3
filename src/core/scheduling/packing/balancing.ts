import type { Bin } from './bin.ts';
import type { Filling } from './filling.ts';

/** Classes weighed against each other for a balanced load come in portions of the room. */
const portions = 8;
/** Within one portion, bins this close to the best are taken without weighing all of them anew. */
const close = 0.9;
/** Of equals the one with the fewest pods left goes first: later there is less to pair it with. */
const rarity = 1e-10;
/** So many rows take long enough to weigh for a step of its own. */
const manyRows = 1_024;
/** Rounding must not make a pod that fits exactly look too large; adding it decides. */
const whole = 1 + 1e-9;

/**
 * Fills a machine with a little of each bin in turn, always of the one whose worth is highest for
 * its share of the scarcest room left. So pods heavy in CPU and pods heavy in memory come to
 * share a machine. One object serves for all machines, one after the other.
 */
export class Balancing {
  readonly #filling: Filling;
  readonly #width: number;
  readonly #perUnit: Float64Array;
  /** By row: the place in the list of bins, the need, the worth, and the score of this round. */
  #bins = new Int32Array(0);
  #needs = new Float64Array(0);
  #worths = new Float64Array(0);
  #scores = new Float64Array(0);
  #size = 0;

  constructor(filling: Filling, width: number) {
    this.#filling = filling;
    this.#width = width;
    this.#perUnit = new Float64Array(width);
  }

  /** Fills the machine that was begun; of many bins a portion in each step. */
  *fill(bins: readonly Bin[]): Generator<void, void> {
    this.#gather(bins);
    for (let best = this.#weigh(); best >= 0; best = this.#weigh()) {
      this.#takePortion(bins, best);
      if (this.#size > manyRows) yield;
    }
  }

  /** Takes from the best bin, and where it is small from the next best, until a portion is gone. */
  #takePortion(bins: readonly Bin[], best: number): void {
    const filling = this.#filling;
    const scores = this.#scores;
    const enough = (scores[best] ?? 0) * close;
    let spent = 0;
    for (let row = best; row >= 0; row = spent < 1 ? this.#best(enough) : -1) {
      const bin = bins[this.#bins[row] ?? 0];
      if (bin === undefined) throw new Error('a row stands for a bin');
      const share = (this.#worths[row] ?? 0) / (scores[row] ?? 0);
      scores[row] = 0;
      const portion = Math.max(1, Math.floor(filling.roomFor(bin.need) / portions));
      const pods = filling.add(bin, portion);
      if (pods === 0) this.#worths[row] = 0;
      spent += pods * share * portions;
    }
  }

  /** The row with the highest score of at least so much, or -1. */
  #best(least: number): number {
    const scores = this.#scores;
    let best = -1;
    let bestScore = least;
    for (let row = 0; row < this.#size; row++) {
      const score = scores[row] ?? 0;
      if (score < bestScore || score === 0 || (score === bestScore && best >= 0)) continue;
      best = row;
      bestScore = score;
    }
    return best;
  }

  #gather(bins: readonly Bin[]): void {
    const width = this.#width;
    if (bins.length > this.#bins.length) {
      this.#bins = new Int32Array(bins.length);
      this.#needs = new Float64Array(bins.length * width);
      this.#worths = new Float64Array(bins.length);
      this.#scores = new Float64Array(bins.length);
    }
    for (let row = 0; row < bins.length; row++) {
      const bin = bins[row];
      if (bin === undefined) continue;
      this.#bins[row] = row;
      this.#worths[row] = bin.worthUsdPerHour * (1 - rarity * bin.left);
      const { need } = bin;
      for (let column = 0; column < width; column++)
        this.#needs[row * width + column] = need[column] ?? 0;
    }
    this.#size = bins.length;
  }

  /** Scores every row that still fits, forgets the others, and finds the best; -1 for none. */
  #weigh(): number {
    const width = this.#width;
    const needs = this.#needs;
    const worths = this.#worths;
    const scores = this.#scores;
    this.#filling.measure(this.#perUnit);
    let kept = 0;
    let best = -1;
    let bestScore = 0;
    for (let row = 0; row < this.#size; row++) {
      const worth = worths[row] ?? 0;
      const share = worth === 0 ? Infinity : shareOf(needs, row * width, this.#perUnit);
      if (share > whole) continue;
      const score = worth / share;
      if (kept < row) this.#move(row, kept);
      scores[kept] = score;
      if (score > bestScore) {
        best = kept;
        bestScore = score;
      }
      kept += 1;
    }
    this.#size = kept;
    return best;
  }

  #move(from: number, to: number): void {
    const width = this.#width;
    this.#bins[to] = this.#bins[from] ?? 0;
    this.#worths[to] = this.#worths[from] ?? 0;
    for (let column = 0; column < width; column++)
      this.#needs[to * width + column] = this.#needs[from * width + column] ?? 0;
  }
}

/** The largest part that the need takes of any room left. */
function shareOf(needs: Float64Array, start: number, perUnit: Float64Array): number {
  let share = 0;
  for (let column = 0; column < perUnit.length; column++) {
    const part = (needs[start + column] ?? 0) * (perUnit[column] ?? 0);
    if (part > share) share = part;
  }
  return share;
}
