import type { Vector } from '../../quantity/columns.ts';
import type { Bin } from './bin.ts';
import type { Filling } from './filling.ts';

/** Classes weighed against each other for a balanced load come in portions of the room. */
const portions = 8;
/** Within one portion, bins this close to the best are taken without weighing all of them anew. */
const close = 0.9;
/** Of equals the one with the fewest pods left goes first: later there is less to pair it with. */
const rarity = 1e-10;
/** Rounding must not make a pod that fits exactly look too large; adding it decides. */
const whole = 1 + 1e-9;
/** The score of a row that can take no further part. */
const out = -1;

/**
 * Fills a machine with a little of each bin in turn, always of the one whose worth is highest for
 * its share of the scarcest room left. So pods heavy in CPU and pods heavy in memory come to
 * share a machine. One object serves for all machines, one after the other.
 */
export class Balancing {
  readonly #filling: Filling;
  readonly #perUnit: Vector;
  /** By size, the need; and whether it was entered. */
  #needs: Vector = new Float64Array(0);
  readonly #isKnown: boolean[] = [];
  /** By row, which is the place in the list of bins: where the need begins, and the worth. */
  #starts = new Int32Array(0);
  #worths = new Float64Array(0);
  /** The score when the row was last weighed. Room only shrinks, so that no score ever rises. */
  #scores = new Float64Array(0);
  #rows = 0;
  /** Rows that may be close to the best of this round, in order, with scores of this round. */
  #near = new Int32Array(0);
  #nearScores = new Float64Array(0);
  #nears = 0;

  constructor(filling: Filling, width: number) {
    this.#filling = filling;
    this.#perUnit = new Float64Array(Math.max(3, width));
  }

  /** Fills the machine that was begun. */
  fill(bins: readonly Bin[]): void {
    this.#gather(bins);
    let row = 0;
    for (let best = this.#weigh(row); best >= 0; best = this.#weigh(row)) {
      row = this.#near[best] ?? 0;
      this.#takePortion(bins, best);
    }
  }

  /** Takes from the best bin, and where it is small from the next best, until a portion is gone. */
  #takePortion(bins: readonly Bin[], best: number): void {
    const scores = this.#nearScores;
    const enough = (scores[best] ?? 0) * close;
    let spent = 0;
    for (let place = best; place >= 0; place = spent < 1 ? this.#best(enough) : -1) {
      const row = this.#near[place] ?? 0;
      const bin = bins[row];
      if (bin === undefined) throw new Error('a row stands for a bin');
      const share = (this.#worths[row] ?? 0) / (scores[place] ?? 0);
      scores[place] = 0;
      const pods = this.#filling.addPart(bin, portions);
      if (pods === 0) this.#scores[row] = out;
      spent += pods * share * portions;
    }
  }

  /** The place with the highest score of at least so much among those close, or -1. */
  #best(least: number): number {
    const scores = this.#nearScores;
    const nears = this.#nears;
    let best = -1;
    let bestScore = least;
    for (let place = 0; place < nears; place++) {
      const score = scores[place] ?? 0;
      if (score < bestScore || score === 0 || (score === bestScore && best >= 0)) continue;
      best = place;
      bestScore = score;
    }
    return best;
  }

  #gather(bins: readonly Bin[]): void {
    if (bins.length > this.#starts.length) this.#makeRoom(bins.length);
    const [starts, worths, scores] = [this.#starts, this.#worths, this.#scores];
    const width = this.#perUnit.length;
    for (let row = 0; row < bins.length; row++) {
      const bin = bins[row];
      if (bin === undefined) continue;
      if (this.#isKnown[bin.size] !== true) this.#meet(bin);
      starts[row] = bin.size * width;
      worths[row] = bin.worthUsdPerHour * (1 - rarity * bin.left);
      scores[row] = Infinity;
    }
    this.#rows = bins.length;
  }

  #makeRoom(rows: number): void {
    this.#starts = new Int32Array(rows);
    this.#worths = new Float64Array(rows);
    this.#scores = new Float64Array(rows);
    this.#near = new Int32Array(rows);
    this.#nearScores = new Float64Array(rows);
  }

  #meet({ size, need }: Bin): void {
    const start = size * this.#perUnit.length;
    if (start >= this.#needs.length) {
      const needs = new Float64Array(2 * start + this.#perUnit.length);
      needs.set(this.#needs);
      this.#needs = needs;
    }
    this.#needs.set(need, start);
    this.#isKnown[size] = true;
  }

  /**
   * Scores every row that may be close to the best and finds the best, a place among those close;
   * -1 for none. A row whose last score is too low for that need not be weighed anew; how low that
   * is shows first by the row that is likely to be among the best again. The first three columns,
   * mostly CPU, memory and pods and nothing more, are held at hand: this is the innermost loop.
   */
  #weigh(likely: number): number {
    const perUnit = this.#perUnit;
    this.#filling.measure(perUnit);
    const starts = this.#starts;
    const needs = this.#needs;
    const worths = this.#worths;
    const scores = this.#scores;
    const near = this.#near;
    const nearScores = this.#nearScores;
    const rows = this.#rows;
    const width = perUnit.length;
    const first = perUnit[0] ?? 0;
    const second = perUnit[1] ?? 0;
    const third = perUnit[2] ?? 0;
    let enough = this.#scoreOf(likely) * close;
    let nears = 0;
    let best = -1;
    let bestScore = 0;
    for (let row = 0; row < rows; row++) {
      if ((scores[row] ?? 0) < enough) continue;
      const start = starts[row] ?? 0;
      const one = (needs[start] ?? 0) * first;
      const two = (needs[start + 1] ?? 0) * second;
      let share = largest(one, two, (needs[start + 2] ?? 0) * third);
      if (width > 3) share = Math.max(share, shareOf(needs, start, perUnit));
      const score = share > whole ? out : (worths[row] ?? 0) / share;
      scores[row] = score;
      if (score < enough) continue;
      near[nears] = row;
      nearScores[nears] = score;
      if (score > bestScore) {
        best = nears;
        bestScore = score;
        enough = Math.max(enough, score * close);
      }
      nears += 1;
    }
    this.#nears = nears;
    return best;
  }

  /** What the row scores now; 0 where it takes no further part. */
  #scoreOf(row: number): number {
    if (row >= this.#rows || this.#scores[row] === out) return 0;
    const share = shareOf(this.#needs, this.#starts[row] ?? 0, this.#perUnit);
    return share > whole ? 0 : (this.#worths[row] ?? 0) / share;
  }
}

/** The largest part that the need takes of any room left. */
function shareOf(needs: Vector, start: number, perUnit: Vector): number {
  let share = 0;
  for (let column = 0; column < perUnit.length; column++) {
    const part = (needs[start + column] ?? 0) * (perUnit[column] ?? 0);
    if (part > share) share = part;
  }
  return share;
}

/** Never not a number: comparing takes half as long as `Math.max`. */
function largest(one: number, two: number, three: number): number {
  const larger = two > one ? two : one;
  return three > larger ? three : larger;
}
