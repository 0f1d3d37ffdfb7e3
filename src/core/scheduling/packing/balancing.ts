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

/**
 * Fills a machine with a little of each bin in turn, always of the one whose worth is highest for
 * its share of the scarcest room left. So pods heavy in CPU and pods heavy in memory come to
 * share a machine. One object serves for all machines, one after the other.
 */
export class Balancing {
  readonly #filling: Filling;
  readonly #perUnit: Vector;
  /** Sizes of which a pod may still fit. */
  #sizes = new Int32Array(0);
  #sizesLeft = 0;
  /** By size: the need, the part of the room left that it takes, and the machine it was last seen for. */
  #needs: Vector = new Float64Array(0);
  #shares = new Float64Array(0);
  readonly #seen: number[] = [];
  #machine = 0;
  /** By row: the place in the list of bins, the size, the worth, and the score of this round. */
  #bins = new Int32Array(0);
  #sizeOf = new Int32Array(0);
  #worths = new Float64Array(0);
  #scores = new Float64Array(0);
  #rows = 0;
  /** Rows that may be close to the best of this round, in order. */
  #near = new Int32Array(0);
  #nears = 0;

  constructor(filling: Filling, width: number) {
    this.#filling = filling;
    this.#perUnit = new Float64Array(width);
  }

  /** Fills the machine that was begun. */
  fill(bins: readonly Bin[]): void {
    this.#gather(bins);
    for (let best = this.#weigh(); best >= 0; best = this.#weigh()) this.#takePortion(bins, best);
  }

  /** Takes from the best bin, and where it is small from the next best, until a portion is gone. */
  #takePortion(bins: readonly Bin[], best: number): void {
    const scores = this.#scores;
    const enough = (scores[best] ?? 0) * close;
    let spent = 0;
    for (let row = best; row >= 0; row = spent < 1 ? this.#best(enough) : -1) {
      const bin = bins[this.#bins[row] ?? 0];
      if (bin === undefined) throw new Error('a row stands for a bin');
      const share = (this.#worths[row] ?? 0) / (scores[row] ?? 0);
      scores[row] = 0;
      const pods = this.#filling.addPart(bin, portions);
      if (pods === 0) this.#worths[row] = 0;
      spent += pods * share * portions;
    }
  }

  /** The row with the highest score of at least so much, or -1. */
  #best(least: number): number {
    const scores = this.#scores;
    let best = -1;
    let bestScore = least;
    for (let place = 0; place < this.#nears; place++) {
      const row = this.#near[place] ?? 0;
      const score = scores[row] ?? 0;
      if (score < bestScore || score === 0 || (score === bestScore && best >= 0)) continue;
      best = row;
      bestScore = score;
    }
    return best;
  }

  #gather(bins: readonly Bin[]): void {
    if (bins.length > this.#bins.length) this.#makeRoom(bins.length);
    this.#machine += 1;
    this.#sizesLeft = 0;
    for (let row = 0; row < bins.length; row++) {
      const bin = bins[row];
      if (bin === undefined) continue;
      this.#bins[row] = row;
      this.#sizeOf[row] = bin.size;
      if (this.#seen[bin.size] !== this.#machine) this.#meet(bin);
      this.#worths[row] = bin.worthUsdPerHour * (1 - rarity * bin.left);
    }
    this.#rows = bins.length;
  }

  #makeRoom(rows: number): void {
    this.#sizes = new Int32Array(rows);
    this.#bins = new Int32Array(rows);
    this.#sizeOf = new Int32Array(rows);
    this.#worths = new Float64Array(rows);
    this.#scores = new Float64Array(rows);
    this.#near = new Int32Array(rows);
  }

  #meet({ size, need }: Bin): void {
    if (size >= this.#shares.length) this.#makeRoomFor(2 * size + 1);
    if (this.#seen[size] === undefined) this.#needs.set(need, size * need.length);
    this.#seen[size] = this.#machine;
    this.#sizes[this.#sizesLeft] = size;
    this.#sizesLeft += 1;
  }

  #makeRoomFor(sizes: number): void {
    const needs = new Float64Array(sizes * this.#perUnit.length);
    needs.set(this.#needs);
    this.#needs = needs;
    this.#shares = new Float64Array(sizes);
  }

  /** Scores every row that still fits, forgets the others, and finds the best; -1 for none. */
  #weigh(): number {
    this.#share();
    const [shares, sizeOf] = [this.#shares, this.#sizeOf];
    const [worths, scores] = [this.#worths, this.#scores];
    let kept = 0;
    let nears = 0;
    let best = -1;
    let bestScore = 0;
    for (let row = 0; row < this.#rows; row++) {
      const worth = worths[row] ?? 0;
      const share = shares[sizeOf[row] ?? 0] ?? 0;
      if (worth === 0 || share > whole) continue;
      const score = worth / share;
      if (kept < row) this.#move(row, kept);
      scores[kept] = score;
      if (score >= bestScore * close) this.#near[nears++] = kept;
      if (score > bestScore) {
        best = kept;
        bestScore = score;
      }
      kept += 1;
    }
    this.#rows = kept;
    this.#nears = nears;
    return best;
  }

  /** Finds what part of the room left a pod of each size takes, and forgets those too large. */
  #share(): void {
    const perUnit = this.#perUnit;
    const [sizes, needs, shares] = [this.#sizes, this.#needs, this.#shares];
    this.#filling.measure(perUnit);
    let kept = 0;
    for (let place = 0; place < this.#sizesLeft; place++) {
      const size = sizes[place] ?? 0;
      const share = shareOf(needs, size * perUnit.length, perUnit);
      shares[size] = share;
      sizes[kept] = size;
      if (share <= whole) kept += 1;
    }
    this.#sizesLeft = kept;
  }

  #move(from: number, to: number): void {
    this.#bins[to] = this.#bins[from] ?? 0;
    this.#sizeOf[to] = this.#sizeOf[from] ?? 0;
    this.#worths[to] = this.#worths[from] ?? 0;
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
