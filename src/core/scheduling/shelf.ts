import type { Vector } from '../quantity/columns.ts';
import type { Bin } from './bin.ts';
import { Filling, type Load } from './filling.ts';
import type { LimitLedger } from './limits.ts';
import type { Trade } from './open-node.ts';
import type { Good } from './stock.ts';

/** A machine that may be bought, and the bins whose pods may be on it. */
export interface Choice {
  readonly good: Good;
  readonly bins: readonly Bin[];
}

export interface ShelfParts {
  readonly trade: Trade;
  readonly ledger: LimitLedger;
  /** How many rules between pods there are. */
  readonly groups: number;
  /** No node is filled beyond so many pods. */
  readonly mostPods: number;
  /** What the loss of a node counts: that much of its price, times its share of the pods. */
  readonly caution: number;
  /** How many pods are placed in all, to measure a share by. */
  readonly allPods: number;
}

interface Place {
  readonly good: Good;
  bins: readonly Bin[];
  load: Load | undefined;
  /** Worth for the price; an upper bound as long as there is no load. */
  score: number;
}

/** Classes weighed against each other for a balanced load come in portions of the room. */
const portions = 8;
/** A machine that was the best stays in favour while it is this close to the best. */
const favour = 1.01;
/** A good choice of pods beats their average mix by about so much. */
const hopefulness = 1.3;
/** Machines that promise less than this part of the best wait until the better are used up. */
const promising = 0.2;

/**
 * The machines with the load that each would carry. As pods go, a load can only lose worth, so
 * a remembered one is an upper bound and is made anew only when it comes out on top.
 */
export class Shelf {
  readonly #parts: ShelfParts;
  readonly #filling: Filling;
  #places: Place[] = [];
  #last: Place | undefined;

  constructor(parts: ShelfParts) {
    this.#parts = parts;
    this.#filling = new Filling({ ...parts.trade, groups: parts.groups });
  }

  /** Puts the machines on the shelf; those that promise much are filled at once. */
  *stock(choices: readonly Choice[]): Generator<void, void> {
    const promise = promiseOf(this.#parts);
    this.#places = choices.map(({ good, bins }) => {
      return { good, bins, load: undefined, score: promise(good, bins) / priceOf(good) };
    });
    const most = this.#places.reduce((top, { score }) => Math.max(top, score), 0);
    for (const place of this.#places) {
      if (place.score < most * promising) continue;
      this.#refill(place);
      yield;
    }
  }

  /** The load with the most worth for its price; undefined where no machine holds anyone. */
  best(): Load | undefined {
    for (;;) {
      const place = this.#top();
      if (place === undefined) return undefined;
      if (place.load !== undefined && isStanding(place.load)) {
        this.#last = place;
        return place.load;
      }
      this.#refill(place);
      if (place.score < 0) this.drop(place.good);
    }
  }

  drop(good: Good): void {
    this.#places = this.#places.filter((place) => place.good !== good);
  }

  #top(): Place | undefined {
    let top: Place | undefined;
    let topScore = 0;
    for (const place of this.#places) {
      const score = place === this.#last ? place.score * favour : place.score;
      if (score <= topScore * (1 + 1e-9)) continue;
      top = place;
      topScore = score;
    }
    if (top === undefined || this.#parts.ledger.affordable(top.good) >= 1) return top;
    this.drop(top.good);
    return this.#top();
  }

  #refill(place: Place): void {
    const { caution, allPods } = this.#parts;
    place.bins = place.bins.filter((bin) => bin.left > 0);
    const load = this.#bestLoad(place);
    place.load = load;
    const ratio = load.worthUsdPerHour / priceOf(place.good);
    const share = load.pods / Math.max(1, allPods);
    place.score = load.pods === 0 ? -1 : ratio / (1 + caution * share);
  }

  #bestLoad({ good, bins }: Place): Load {
    const inOrder = this.#loadInOrder(good, bins);
    if (bins.length < 2 || inOrder.pods === 0) return inOrder;
    const balanced = this.#loadBalanced(good, bins);
    return balanced.worthUsdPerHour > inOrder.worthUsdPerHour * (1 + 1e-9) ? balanced : inOrder;
  }

  /** Bin by bin, the dearest pods first, as many as fit of each. */
  #loadInOrder(good: Good, bins: readonly Bin[]): Load {
    const filling = this.#filling;
    filling.begin(good, this.#parts.mostPods);
    for (const bin of bins) while (filling.add(bin, Infinity) > 0);
    return filling.load();
  }

  /**
   * A little of each bin in turn, always of the one whose worth is highest for its share of the
   * scarcest room left. So pods heavy in CPU and pods heavy in memory come to share a machine.
   */
  #loadBalanced(good: Good, bins: readonly Bin[]): Load {
    const filling = this.#filling;
    filling.begin(good, this.#parts.mostPods);
    const open = [...bins];
    for (;;) {
      const best = mostWorthwhile(open, filling);
      const bin = open[best];
      if (bin === undefined) return filling.load();
      const portion = Math.max(1, Math.floor(filling.roomFor(bin.need) / portions));
      if (filling.add(bin, portion) === 0) open.splice(best, 1);
    }
  }
}

/** The place of the bin to take from next, or -1; bins that do not fit any more are taken out. */
function mostWorthwhile(open: Bin[], filling: Filling): number {
  let best = -1;
  let bestScore = 0;
  for (let index = 0; index < open.length; index++) {
    const bin = open[index];
    if (bin === undefined) continue;
    const score = bin.worthUsdPerHour / filling.shareOf(bin.need);
    if (score > bestScore) {
      best = index;
      bestScore = score;
    }
    if (score > 0) continue;
    const last = open.pop();
    if (last !== undefined && index < open.length) open[index] = last;
    index -= 1;
  }
  return best;
}

/** Capacity that is paid for already costs nothing; it must still be possible to divide by it. */
function priceOf({ priceUsdPerHour }: Good): number {
  return Math.max(priceUsdPerHour, 1e-9);
}

/** What a machine would carry of different mixes of pods, at best; a rough guess, and quick. */
function promiseOf({ trade, mostPods }: ShelfParts): (good: Good, bins: readonly Bin[]) => number {
  const { markets } = trade;
  const width = markets.columns.names.length;
  const known = new Map<readonly Bin[], readonly Mix[]>();
  const free = new Float64Array(width);
  return (good, bins) => {
    const mixes = known.get(bins) ?? mixesOf(bins, width);
    known.set(bins, mixes);
    markets.copyFree(good.shape, free);
    let best = 0;
    for (const { need, pods, worthUsdPerHour } of mixes) {
      let part = Math.min(1, mostPods / pods);
      for (let column = 0; column < width; column++) {
        const sum = need[column] ?? 0;
        if (sum > 0) part = Math.min(part, (free[column] ?? 0) / sum);
      }
      best = Math.max(best, part * worthUsdPerHour);
    }
    return best * hopefulness;
  };
}

/** Many pods taken together, in the proportions in which they wait. */
interface Mix {
  readonly need: Vector;
  readonly pods: number;
  readonly worthUsdPerHour: number;
}

/** All bins together, and for each resource those that ask for more of it than most. */
function mixesOf(bins: readonly Bin[], width: number): readonly Mix[] {
  const all = mixOf(bins, width);
  const heavy = Array.from({ length: width }, (_, column) => {
    const intensity = (bin: Bin): number => (bin.need[column] ?? 0) / bin.worthUsdPerHour;
    const typical = (all.need[column] ?? 0) / all.worthUsdPerHour;
    return mixOf(
      bins.filter((bin) => intensity(bin) > typical),
      width,
    );
  });
  return [all, ...heavy].filter(({ pods }) => pods > 0);
}

function mixOf(bins: readonly Bin[], width: number): Mix {
  const need = new Float64Array(width);
  let pods = 0;
  let worthUsdPerHour = 0;
  for (const bin of bins) {
    pods += bin.left;
    worthUsdPerHour += bin.left * bin.worthUsdPerHour;
    for (let column = 0; column < width; column++)
      need[column] = (need[column] ?? 0) + bin.left * (bin.need[column] ?? 0);
  }
  return { need, pods, worthUsdPerHour };
}

function isStanding({ parts }: Load): boolean {
  return parts.every(({ queue, pods }) => queue.left >= pods);
}
