import type { Good } from '../market/stock.ts';
import { CheapestMachine } from './cheapest-machine.ts';
import type { Load } from './filling.ts';
import { type Choice, Shelf, type ShelfParts } from './shelf.ts';

/** A load that is to be bought so many times, each time as the cheapest machine that holds it. */
export interface Draft {
  readonly load: Load;
  readonly good: Good;
  readonly times: number;
}

export interface DraftingParts extends ShelfParts {
  /** Whether a machine with such a load can be ordered. */
  readonly isOrderable: (load: Load) => boolean;
}

/**
 * Plans on trial. What is drawn takes its pods off the queues and is charged to the limits, and
 * can be taken back, so that another plan can be drawn for the same pods.
 */
export class Drafting {
  readonly #parts: DraftingParts;
  readonly #shelf: Shelf;
  readonly #cheapest: CheapestMachine;
  #isFirst = true;

  private constructor(parts: DraftingParts, shelf: Shelf) {
    this.#parts = parts;
    this.#shelf = shelf;
    this.#cheapest = new CheapestMachine(parts);
  }

  static *of(parts: DraftingParts, choices: readonly Choice[]): Generator<void, Drafting> {
    return new Drafting(parts, yield* Shelf.stocking(parts, choices));
  }

  /** How much was looked at so far, to hold the search to a measure that no clock decides. */
  get effort(): number {
    return this.#shelf.effort;
  }

  /**
   * Buys again and again the machine that gives most worth for its price, for all who wait. So
   * bulk goes to what is cheapest per pod, the rest to what is cheapest for the rest. From the
   * second time on it asks only for machines that were worth filling the first time.
   */
  *draw(): Generator<void, readonly Draft[]> {
    const shelf = this.#shelf;
    if (!this.#isFirst) shelf.restart();
    this.#cheapest.forget();
    this.#isFirst = false;
    const drafts: Draft[] = [];
    yield* shelf.handOut((load) => {
      const draft = this.#parts.isOrderable(load) ? this.#draftOf(load) : undefined;
      if (draft === undefined) {
        shelf.drop(load.good);
        return;
      }
      this.take(draft);
      drafts.push(draft);
    });
    return drafts;
  }

  take({ load, good, times }: Draft): void {
    this.#parts.ledger.charge(good, times);
    for (const { bin, queue, pods } of load.parts) {
      queue.left -= pods * times;
      bin.left -= pods * times;
      bin.first = (queue.index + 1) % bin.queues.length;
    }
  }

  takeBack({ load, good, times }: Draft): void {
    this.#parts.ledger.charge(good, -times);
    for (const { bin, queue, pods } of load.parts) {
      queue.left += pods * times;
      bin.left += pods * times;
    }
  }

  /** What the drafts cost, with what the loss of a node is held to cost. */
  costOf(drafts: readonly Draft[]): number {
    const { caution, allPods } = this.#parts;
    let cost = 0;
    for (const { load, good, times } of drafts)
      cost += times * good.priceUsdPerHour * (1 + (caution * load.pods) / Math.max(1, allPods));
    return cost;
  }

  /** Undefined where not even one can be afforded. */
  #draftOf(load: Load): Draft | undefined {
    const { ledger } = this.#parts;
    const other = this.#cheapest.for(load);
    const isCheaper = (other?.priceUsdPerHour ?? Infinity) < load.good.priceUsdPerHour;
    const good = other !== undefined && isCheaper ? other : load.good;
    let times = ledger.affordable(good);
    for (const { queue, pods } of load.parts)
      times = Math.min(times, Math.floor(queue.left / pods));
    return times >= 1 ? { load, good, times } : undefined;
  }
}
