import { take, type Vector } from '../quantity/columns.ts';
import { Balancing } from './balancing.ts';
import type { Bin } from './bin.ts';
import { Filling, type Load } from './filling.ts';
import type { LimitLedger } from './limits.ts';
import type { Trade } from './open-node.ts';
import { type Prospect, podsIn, prospectOf } from './prospect.ts';
import { ScoreHeap } from './score-heap.ts';
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

/** Bins that may be on the same machines. */
interface Waiting {
  /** Those with pods left, as of the turn. */
  bins: readonly Bin[];
  turn: number;
  /** What all machines for them leave to pods, together. */
  readonly supply: Vector;
  prospect: Prospect;
}

interface Place {
  readonly good: Good;
  readonly waiting: Waiting;
  load: Load | undefined;
  /** Worth for the price; an upper bound as long as there is no load. */
  score: number;
}

/** A machine that was the best stays in favour while it is this close to the best. */
const favour = 1.01;
/** A prospect is made anew once fewer than this part of its pods wait. */
const outdated = 0.8;

/**
 * The machines with the load that each would carry. As pods go, a load can only lose worth, so
 * a remembered one is an upper bound and is made anew only when it comes out on top; and until a
 * machine comes out on top by its prospect it is not filled at all.
 */
export class Shelf {
  readonly #parts: ShelfParts;
  readonly #filling: Filling;
  readonly #balancing: Balancing;
  readonly #free: Vector;
  readonly #places: readonly Place[];
  readonly #heap: ScoreHeap;
  #last: Place | undefined;
  /** Counts the loads that were handed out. */
  #turn = 0;

  constructor(parts: ShelfParts, choices: readonly Choice[]) {
    this.#parts = parts;
    const width = parts.trade.markets.columns.names.length;
    this.#filling = new Filling({ ...parts.trade, groups: parts.groups });
    this.#balancing = new Balancing(this.#filling, width);
    this.#free = new Float64Array(width);
    this.#places = this.#placesOf(choices);
    this.#heap = new ScoreHeap(this.#places.map(({ score }) => score));
  }

  /**
   * The load with the most worth for its price; undefined where no machine holds anyone. Yields
   * between machines that are filled for it.
   */
  *best(): Generator<void, Load | undefined> {
    for (let place = this.#top(); place !== undefined; place = this.#top()) {
      if (place.load !== undefined && isStanding(place.load)) {
        this.#last = place;
        this.#heap.lower(this.#favoured(place));
        this.#turn += 1;
        return place.load;
      }
      this.#renew(place);
      yield;
    }
    return undefined;
  }

  /** Asks for the machine no more. */
  drop(good: Good): void {
    for (const place of this.#places) if (place.good === good) place.score = -1;
  }

  #placesOf(choices: readonly Choice[]): readonly Place[] {
    const supplies = new Map<readonly Bin[], Vector>();
    for (const { good, bins } of choices) {
      const supply = supplies.get(bins) ?? new Float64Array(this.#free.length);
      supplies.set(bins, supply);
      this.#parts.trade.markets.copyFree(good.shape, this.#free);
      take(supply, this.#free, -1);
    }
    const lists = new Map<readonly Bin[], Waiting>();
    for (const [bins, supply] of supplies)
      lists.set(bins, { bins, supply, turn: 0, prospect: this.#prospectOf(bins, supply) });
    return choices.flatMap(({ good, bins }) => {
      const waiting = lists.get(bins);
      if (waiting === undefined) return [];
      return [{ good, waiting, load: undefined, score: this.#prospectFor(good, waiting) }];
    });
  }

  /** What the heap remembers is never too low; it is set right when it comes out on top. */
  #top(): Place | undefined {
    for (;;) {
      const index = this.#heap.top;
      const place = this.#places[index];
      if (place === undefined) return undefined;
      const score = this.#favoured(place);
      if (score <= 0 || this.#parts.ledger.affordable(place.good) < 1) this.#heap.removeTop();
      else if (score < this.#heap.scoreOf(index)) this.#heap.lower(score);
      else return place;
    }
  }

  #favoured(place: Place): number {
    return place === this.#last ? place.score * favour : place.score;
  }

  /** Finds a new load for the machine, or where a newer prospect is much lower just that. */
  #renew(place: Place): void {
    const { good, waiting } = place;
    if (waiting.turn < this.#turn) {
      waiting.bins = waiting.bins.filter((bin) => bin.left > 0);
      waiting.turn = this.#turn;
      if (podsIn(waiting.bins) < waiting.prospect.pods * outdated)
        waiting.prospect = this.#prospectOf(waiting.bins, waiting.supply);
    }
    const score = this.#prospectFor(good, waiting);
    if (score < place.score * (1 - 1e-9)) place.score = score;
    else this.#refill(place);
  }

  #prospectOf(bins: readonly Bin[], supply: Vector): Prospect {
    return prospectOf(bins, { supply, mostPods: this.#parts.mostPods });
  }

  #prospectFor(good: Good, { prospect }: Waiting): number {
    this.#parts.trade.markets.copyFree(good.shape, this.#free);
    return prospect.of(this.#free) / priceOf(good);
  }

  #refill(place: Place): void {
    const { caution, allPods } = this.#parts;
    const load = this.#bestLoad(place.good, place.waiting.bins);
    place.load = load;
    const ratio = load.worthUsdPerHour / priceOf(place.good);
    const share = load.pods / Math.max(1, allPods);
    place.score = load.pods === 0 ? -1 : ratio / (1 + caution * share);
  }

  #bestLoad(good: Good, bins: readonly Bin[]): Load {
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

  #loadBalanced(good: Good, bins: readonly Bin[]): Load {
    const filling = this.#filling;
    filling.begin(good, this.#parts.mostPods);
    this.#balancing.fill(bins);
    return filling.load();
  }
}

/** Capacity that is paid for already costs nothing; it must still be possible to divide by it. */
function priceOf({ priceUsdPerHour }: Good): number {
  return Math.max(priceUsdPerHour, 1e-9);
}

function isStanding({ parts }: Load): boolean {
  return parts.every(({ queue, pods }) => queue.left >= pods);
}
