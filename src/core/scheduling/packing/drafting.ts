import type { HostPort } from '../../cluster/pod.ts';
import { take, type Vector } from '../../quantity/columns.ts';
import type { Good } from '../market/stock.ts';
import type { Load } from './filling.ts';
import { cheapestFor } from './open-node.ts';
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

/** So many machines that are filled like another are drawn in one step. */
const draftsPerStep = 16;

/**
 * Plans on trial. What is drawn takes its pods off the queues and is charged to the limits, and
 * can be taken back, so that another plan can be drawn for the same pods.
 */
export class Drafting {
  readonly #parts: DraftingParts;
  readonly #shelf: Shelf;
  /** What the load in hand comes to. */
  readonly #total: Vector;
  #isFirst = true;

  private constructor(parts: DraftingParts, shelf: Shelf) {
    this.#parts = parts;
    this.#shelf = shelf;
    this.#total = new Float64Array(parts.trade.markets.columns.names.length);
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
    this.#isFirst = false;
    const drafts: Draft[] = [];
    for (let load = yield* shelf.best(); load !== undefined; load = yield* shelf.best()) {
      const draft = this.#parts.isOrderable(load) ? this.#draftOf(load) : undefined;
      if (draft === undefined) {
        shelf.drop(load.good);
        continue;
      }
      this.take(draft);
      drafts.push(draft);
      if (drafts.length % draftsPerStep === 0) yield;
    }
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
    const good = this.#cheapestFor(load);
    let times = ledger.affordable(good);
    for (const { queue, pods } of load.parts)
      times = Math.min(times, Math.floor(queue.left / pods));
    return times >= 1 ? { load, good, times } : undefined;
  }

  #cheapestFor({ parts, wish, good }: Load): Good {
    const { trade, ledger } = this.#parts;
    const total = this.#total.fill(0);
    const ports: HostPort[] = [];
    for (const { bin, pods } of parts) {
      take(total, bin.need, -pods);
      for (const port of bin.ports) ports.push(port);
    }
    const want = { wish, stock: good.shape.stock, total, ports };
    const other = cheapestFor(want, trade, (one) => ledger.affordable(one) >= 1);
    return other !== undefined && other.priceUsdPerHour < good.priceUsdPerHour ? other : good;
  }
}
