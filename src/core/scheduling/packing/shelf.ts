import { take, type Vector } from '../../quantity/columns.ts';
import type { Good } from '../market/stock.ts';
import type { LimitLedger } from '../ordering/limits.ts';
import { type Bin, dearestFirst } from './bin.ts';
import type { Load } from './filling.ts';
import { Loading } from './loading.ts';
import type { Trade } from './open-node.ts';
import { type Prospect, prospecting } from './prospect.ts';
import { ScoreHeap } from './score-heap.ts';

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
  /**
   * Whether one plan is drawn and no other. If more follow, machines that come close are better
   * filled too, since later plans ask for no others.
   */
  readonly isOnlyPlan: boolean;
}

/** Bins that may be on the same machines. */
interface Waiting {
  readonly all: readonly Bin[];
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
/** So many bins are looked at in one step, or as many as one machine takes. */
const effortPerStep = 512;
/** So many loads are handed out in one step, where others are repeated and nothing is filled. */
const loadsPerStep = 16;
/** Filling a machine takes as much effort as looking at so many bins. */
const perMachine = 8;
/** A prospect is made anew once fewer than this part of its pods wait, or of its bins has some. */
const podsToStand = 0.8;
const binsToStand = 0.8;

/**
 * The machines with the load that each would carry. As pods go, a load can only lose worth, so
 * a remembered one is an upper bound and is made anew only when it comes out on top; and until a
 * machine comes out on top by its prospect it is not filled at all.
 */
export class Shelf {
  readonly #parts: ShelfParts;
  readonly #loading: Loading;
  readonly #free: Vector;
  #places: readonly Place[] = [];
  #heap = new ScoreHeap([]);
  #last: Place | undefined;
  /** Counts the loads that were handed out. */
  #turn = 0;
  /** Whether only machines are asked for that were filled before, which need no prospect. */
  #isFamiliar = false;
  #effort = 0;
  /** The effort at which it is time for others. */
  #nextStep = effortPerStep;

  private constructor(parts: ShelfParts) {
    this.#parts = parts;
    this.#loading = new Loading(parts);
    this.#free = new Float64Array(parts.trade.markets.columns.names.length);
  }

  /** A shelf with these machines, made in small steps. */
  static *stocking(parts: ShelfParts, choices: readonly Choice[]): Generator<void, Shelf> {
    const shelf = new Shelf(parts);
    shelf.#places = yield* shelf.#placesOf(choices);
    shelf.#heap = new ScoreHeap(shelf.#places.map(({ score }) => score));
    return shelf;
  }

  /**
   * Hands out the load with the most worth for its price again and again, until no machine holds
   * anyone; what is done with it decides what is the best afterwards. Yields now and then.
   */
  *handOut(take: (load: Load) => void): Generator<void, void> {
    for (let place = this.#top(); place !== undefined; place = this.#top()) {
      if (place.load !== undefined && isStanding(place.load)) {
        this.#last = place;
        this.#heap.lower(this.#favoured(place));
        this.#turn += 1;
        take(place.load);
        if (this.#turn % loadsPerStep === 0) yield;
        continue;
      }
      if (this.#repeat(place)) continue;
      if (this.#isOutdated(place.waiting)) yield* this.#lookAhead(place.waiting);
      this.#renew(place);
      if (this.#effort < this.#nextStep) continue;
      this.#nextStep = this.#effort + effortPerStep;
      yield;
    }
  }

  /** Counts machines that were filled, and bins looked at for them. */
  get effort(): number {
    return this.#effort;
  }

  /**
   * Begins anew with the pods that wait now and what they are worth now. Only machines that were
   * worth filling so far are asked for, so that nothing needs a prospect.
   */
  restart(): void {
    this.#places = this.#places.filter(({ load }) => load !== undefined);
    this.#isFamiliar = true;
    this.#last = undefined;
    this.#turn += 1;
    for (const waiting of new Set(this.#places.map((place) => place.waiting))) {
      waiting.bins = waiting.all.filter(({ left }) => left > 0).sort(dearestFirst);
      waiting.turn = this.#turn;
    }
    for (const place of this.#places) {
      // Not a load that stands any more, but a sign that there was one.
      place.load = place.load === undefined ? undefined : { ...place.load, pods: 0 };
      place.score = place.waiting.bins.length > 0 ? Number.MAX_VALUE : -1;
    }
    this.#heap = new ScoreHeap(this.#places.map(({ score }) => score));
  }

  /** Asks for the machine no more. */
  drop(good: Good): void {
    for (const place of this.#places) if (place.good === good) place.score = -1;
  }

  *#placesOf(choices: readonly Choice[]): Generator<void, readonly Place[]> {
    const supplies = new Map<readonly Bin[], Vector>();
    for (const { good, bins } of choices) {
      const supply = supplies.get(bins) ?? new Float64Array(this.#free.length);
      supplies.set(bins, supply);
      this.#parts.trade.markets.copyFree(good.shape, this.#free);
      take(supply, this.#free, -1);
    }
    const lists = new Map<readonly Bin[], Waiting>();
    for (const [bins, supply] of supplies) {
      const prospect = yield* this.#prospectOf(bins, supply);
      lists.set(bins, { all: bins, bins, supply, turn: 0, prospect });
      yield;
    }
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
      if (score < this.#heap.scoreOf(index)) this.#heap.lower(score);
      else if (score > 0 && this.#parts.ledger.affordable(place.good) >= 1) return place;
      else this.#heap.removeTop();
    }
  }

  #favoured(place: Place): number {
    return place === this.#last ? place.score * favour : place.score;
  }

  /** Whether the machine can have its last load once more, which it then has. */
  #repeat(place: Place): boolean {
    const again = place.load === undefined ? undefined : this.#loading.again(place.load);
    if (again === undefined) return false;
    place.load = again;
    return true;
  }

  /** Looks who still waits; true where they are too few for the last prospect to be of use. */
  #isOutdated(waiting: Waiting): boolean {
    if (waiting.turn === this.#turn) return false;
    waiting.turn = this.#turn;
    let [pods, empty] = [0, 0];
    for (const { left } of waiting.bins) {
      pods += left;
      if (left === 0) empty += 1;
    }
    if (empty > 0) waiting.bins = waiting.bins.filter((bin) => bin.left > 0);
    const { bins, prospect } = waiting;
    if (this.#isFamiliar) return false;
    if (pods < prospect.pods * podsToStand) return true;
    return this.#parts.isOnlyPlan && bins.length < prospect.bins * binsToStand;
  }

  *#lookAhead(waiting: Waiting): Generator<void, void> {
    waiting.prospect = yield* this.#prospectOf(waiting.bins, waiting.supply);
  }

  /** Finds a new load for the machine, or where a newer prospect is much lower just that. */
  #renew(place: Place): void {
    const { good, waiting } = place;
    const score = this.#isFamiliar ? place.score : this.#prospectFor(good, waiting);
    if (score < place.score * (1 - 1e-9)) place.score = score;
    else this.#refill(place);
  }

  #prospectOf(bins: readonly Bin[], supply: Vector): Generator<void, Prospect> {
    const { mostPods, isOnlyPlan } = this.#parts;
    return prospecting(bins, { supply, mostPods, hasContests: isOnlyPlan });
  }

  #prospectFor(good: Good, { prospect }: Waiting): number {
    this.#parts.trade.markets.copyFree(good.shape, this.#free);
    return prospect.of(this.#free) / priceOf(good);
  }

  #refill(place: Place): void {
    const { caution, allPods } = this.#parts;
    const { good, waiting } = place;
    this.#effort += waiting.bins.length + perMachine;
    // By corrected worths the dearest first is hardly ever the better way.
    const load = this.#isFamiliar
      ? this.#loading.balanced(good, waiting.bins)
      : this.#loading.best(good, waiting.bins);
    place.load = load;
    const ratio = load.worthUsdPerHour / priceOf(good);
    const share = load.pods / Math.max(1, allPods);
    place.score = load.pods === 0 ? -1 : ratio / (1 + caution * share);
  }
}

/** Capacity that is paid for already costs nothing; it must still be possible to divide by it. */
function priceOf({ priceUsdPerHour }: Good): number {
  return Math.max(priceUsdPerHour, 1e-9);
}

function isStanding({ parts, pods: all }: Load): boolean {
  return all > 0 && parts.every(({ queue, pods }) => queue.left >= pods);
}
