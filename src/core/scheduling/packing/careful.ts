import type { Pool } from '../../cluster/snapshot.ts';
import type { Assigner } from '../assigning/assignment.ts';
import type { Outlook, Task } from '../assigning/outlook.ts';
import { countInDomains } from '../between-pods/counting.ts';
import type { Ties } from '../between-pods/topology.ts';
import type { Good } from '../market/stock.ts';
import type { LimitLedger } from '../ordering/limits.ts';
import { Margins, marginFor, needsMargin } from '../ordering/margin.ts';
import { Candidates } from './candidates.ts';
import { hasCompany, isFirstOfItsKind, isPreceded } from './company.ts';
import type { Demand } from './demand.ts';
import {
  borne,
  cheapestFor,
  enter,
  exchange,
  type Grown,
  grown,
  type OpenNode,
  openNode,
  type Trade,
  timesBeside,
} from './open-node.ts';

export interface CarefulParts {
  readonly assigner: Assigner;
  /** By weight of the pools, the heaviest first. */
  readonly trades: readonly Trade[];
  readonly ledger: LimitLedger;
  /** Nodes that the plan opens; more are added. */
  readonly nodes: OpenNode[];
  /** Whether the pool's `minValues` can be kept for the node. */
  readonly isOrderable: (node: OpenNode) => boolean;
  readonly hasMinValues: (pool: Pool) => boolean;
  /** Whether a new node is opened only where no open one can grow, whatever that costs. */
  readonly isThrifty: boolean;
  /** Whether domains are kept even where the rules would let them be uneven for less. */
  readonly isEven: boolean;
}

/** A place for some pods, and what it adds to the price. */
interface Offer {
  readonly node: OpenNode;
  readonly isNew: boolean;
  readonly wish: number;
  readonly good: Good;
  readonly demand: Demand;
  readonly trade: Trade;
  readonly addedUsdPerHour: number;
}

/** So many pods are tried in one step. */
const podsPerStep = 16;
/** Nodes that are asked whether they could grow; the last opened are the likeliest. */
const mostAsked = 32;

/**
 * Places pods one at a time, each where it adds least to the price: on a node that is there, on
 * one that the plan opens, or on a new one. Slower than packing and never wrong about limits or
 * about who is where, it serves pods that must join others and what limits leave over.
 */
export class Careful {
  /** What orders need of the limits beyond the planned machines. */
  readonly margins: Margins;
  readonly #parts: CarefulParts;
  #candidates: Candidates;

  constructor(parts: CarefulParts) {
    this.#parts = parts;
    this.#candidates = new Candidates(parts.nodes, parts.trades);
    this.margins = new Margins(parts.ledger);
  }

  /** To be called where nodes have lost pods or are gone. */
  lookAfresh(): void {
    this.#candidates = new Candidates(this.#parts.nodes, this.#parts.trades);
  }

  /**
   * Places what it can of the task, giving in as far as it must; the rest stays waiting. In small
   * steps of work.
   */
  *placing(task: Task): Generator<void, void> {
    const { assigner, nodes } = this.#parts;
    let tried = 0;
    for (let index = 0; index < task.rungs.length && task.waiting.length > 0; index++) {
      const outlook = assigner.look(task, index);
      if (outlook === undefined) return;
      while (task.waiting.length > 0) {
        if (tried % podsPerStep === 0) yield;
        tried += 1;
        const isThere = !isPreceded(outlook.ties, nodes) && assigner.placeOnExisting(task, outlook);
        if (!isThere && !this.#join(task, outlook)) break;
      }
    }
  }

  #join(task: Task, outlook: Outlook): boolean {
    const demands = this.#parts.assigner.demandsFor(task, outlook);
    const isFirst = isFirstOfItsKind(outlook.ties, this.#parts.nodes);
    // The first of pods that must share a node chooses one that has room for all of them.
    for (let pods = isFirst ? task.waiting.length : 1; pods >= 1; pods = Math.floor(pods / 2)) {
      const offer = this.#bestOffer(demands, { pods, ties: outlook.ties, isFirst });
      if (offer === undefined) continue;
      // Rules over other labels are asked again for each pod.
      const isFree = outlook.ties.zonal.length === 0;
      this.#take(task, offer, isFirst && isFree ? pods : this.#atOnce(task, outlook, offer));
      return true;
    }
    return false;
  }

  /** How many pods of the task would be given the very same place one after the other. */
  #atOnce(
    { waiting }: Task,
    { ties, options }: Outlook,
    { node, demand, ...offer }: Offer,
  ): number {
    const isForAll =
      !offer.isNew &&
      offer.addedUsdPerHour <= 0 &&
      ties.zonal.length === 0 &&
      ties.company.length === 0 &&
      !this.#parts.hasMinValues(node.stock.pool) &&
      options.every(({ slots, next }) => next >= slots.length);
    if (!isForAll || offer.good !== node.good) return 1;
    return Math.min(waiting.length, timesBeside(demand.need, node), borne(node, demand));
  }

  #take(task: Task, { node, isNew, wish, good, demand, trade }: Offer, pods: number): void {
    const { ledger, nodes } = this.#parts;
    this.margins.release(node);
    if (isNew) {
      nodes.push(node);
      ledger.charge(good, 1);
    } else exchange(node, good, trade);
    node.wish = wish;
    enter(node, demand, task.waiting.splice(task.waiting.length - pods, pods).reverse());
    countInDomains(demand.ties, demand.pins, pods);
    if (!this.#isMargined(node)) return;
    const margin = marginFor(node, trade);
    if (margin !== undefined) this.margins.hold(node, margin);
  }

  #bestOffer(demands: readonly Demand[], at: Seeking): Offer | undefined {
    let best: Offer | undefined;
    for (const demand of demands) {
      const open = this.#onOpenNode(demand, at);
      const isEnough = open !== undefined && this.#parts.isThrifty;
      for (const offer of isEnough ? [open] : [open, this.#onNewNode(demand, at)])
        if (offer !== undefined && (best === undefined || isBetter(offer, best))) best = offer;
      // Demands come evenest first: a dearer domain that keeps the balance beats a cheaper one.
      if (best !== undefined && this.#parts.isEven && demand.ties.zonal.length > 0) return best;
    }
    return best;
  }

  #onOpenNode(demand: Demand, { pods, ties, isFirst }: Seeking): Offer | undefined {
    let best: Offer | undefined;
    let asked = 0;
    this.#candidates.ask(demand, (node, trade) => {
      if (!(isFirst || hasCompany(ties, node))) return false;
      const more = this.#grown(node, demand, { pods, trade });
      if (more === undefined) return false;
      asked += 1;
      const addedUsdPerHour = more.good.priceUsdPerHour - node.good.priceUsdPerHour;
      const offer = { node, isNew: false, ...more, demand, trade, addedUsdPerHour };
      if (best === undefined || isBetter(offer, best)) best = offer;
      return addedUsdPerHour <= 0 || asked >= mostAsked;
    });
    return best;
  }

  #grown(
    node: OpenNode,
    demand: Demand,
    { pods, trade }: { readonly pods: number; readonly trade: Trade },
  ): Grown | undefined {
    if (!this.#parts.hasMinValues(node.stock.pool)) return grown(node, demand, { pods, trade });
    const margin = this.margins.release(node);
    const isRight = (other: OpenNode): boolean => this.#isRight(other, trade, node.good);
    const more = grown(node, demand, { pods, trade, isRight });
    if (margin !== undefined) this.margins.hold(node, margin);
    return more;
  }

  /** Whether an order can be made for the node as it would be, in place of the one given up. */
  #isRight(node: OpenNode, trade: Trade, instead: Good | undefined): boolean {
    if (!this.#isMargined(node)) return this.#parts.isOrderable(node);
    const { ledger } = this.#parts;
    if (instead !== undefined) ledger.charge(instead, -1);
    ledger.charge(node.good, 1);
    const isRight = marginFor(node, trade) !== undefined;
    ledger.charge(node.good, -1);
    if (instead !== undefined) ledger.charge(instead, 1);
    return isRight;
  }

  #isMargined(node: OpenNode): boolean {
    return this.#parts.hasMinValues(node.stock.pool) && needsMargin(node);
  }

  #onNewNode(demand: Demand, { pods, ties, isFirst }: Seeking): Offer | undefined {
    if (!isFirst && ties.company.length > 0) return undefined;
    const ports = demand.ports;
    if (pods > ties.soloCap || (pods > 1 && ports.length > 0)) return undefined;
    const total = demand.need.map((amount) => amount * pods);
    for (const trade of this.#parts.trades.slice(demand.tier)) {
      let best: Offer | undefined;
      for (const stock of trade.markets.stocks) {
        const isWithin = (good: Good): boolean =>
          this.#parts.ledger.affordable(good) >= 1 &&
          (!this.#parts.hasMinValues(stock.pool) ||
            this.#isRight(
              { ...openNode(demand, good, trade), used: total, ports },
              trade,
              undefined,
            ));
        const good = cheapestFor({ wish: demand.wish, stock, total, ports }, trade, isWithin);
        if (good === undefined) continue;
        const node = openNode(demand, good, trade);
        const addedUsdPerHour = good.priceUsdPerHour;
        const offer = {
          node,
          isNew: true,
          wish: demand.wish,
          good,
          demand,
          trade,
          addedUsdPerHour,
        };
        if (best === undefined || isBetter(offer, best)) best = offer;
      }
      if (best !== undefined) return best;
    }
    return undefined;
  }
}

interface Seeking {
  readonly pods: number;
  readonly ties: Ties;
  /** Nobody that it must be with is anywhere, and it will do itself. */
  readonly isFirst: boolean;
}

function isBetter(a: Offer, b: Offer): boolean {
  return a.addedUsdPerHour < b.addedUsdPerHour - 1e-12;
}
