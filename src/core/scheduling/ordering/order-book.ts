import type { InstanceType } from '../../catalog/instance-type.ts';
import { PairNumbering } from '../../cluster/numbering.ts';
import type { Pod } from '../../cluster/pod.ts';
import type { Pool } from '../../cluster/snapshot.ts';
import type { Stock } from '../market/stock.ts';
import type { OpenNode } from '../packing/open-node.ts';
import type { NewNode } from '../plan.ts';
import { chargeOf } from './limits.ts';
import { LoadSizes } from './load-sizes.ts';
import { type Draft, draftOf, type OrderContext } from './order.ts';
import { RequestSums } from './request-sums.ts';

/**
 * Writes the orders for the open nodes of one stock. Most of them are planned like another, many
 * like the one before, and what was found out for that one is not looked for again.
 */
export class OrderBook {
  readonly #context: OrderContext;
  readonly #sizes: LoadSizes;
  /** Purchases with wishes, and these with sizes of loads. */
  readonly #purchases = new PairNumbering();
  readonly #plans = new PairNumbering();
  readonly #drafts = new Map<number, Draft | undefined>();
  readonly #sums = new RequestSums();
  #lastNode: OpenNode | undefined;
  #lastDraft: Draft | undefined;

  constructor(stock: Stock, context: OrderContext) {
    this.#context = context;
    this.#sizes = new LoadSizes(stock, context.markets.columns);
  }

  /** The order for the node; undefined where no list of types will do. */
  orderOf(node: OpenNode): NewNode | undefined {
    const { pool } = node.stock;
    const { ledger } = this.#context;
    const draft = this.#draftFor(node);
    if (draft !== undefined && ledger.widen(pool, draft.extras)) return this.#newNode(node, draft);
    // Where a larger type would overshoot a limit, the order may not become one.
    const planned = node.good.shape.type;
    const narrow = draftOf(node, this.#context, ({ type }) =>
      pool.minValues === undefined
        ? isNoLarger(type, planned, pool)
        : ledger.extraOf(pool, planned, type) !== undefined,
    );
    if (narrow === undefined || !ledger.widen(pool, narrow.extras)) return undefined;
    return this.#newNode(node, narrow);
  }

  #draftFor(node: OpenNode): Draft | undefined {
    if (node.ports.length > 0 || node.good.offering.reservation !== undefined)
      return draftOf(node, this.#context, () => true);
    if (this.#lastNode === undefined || !isAlike(node, this.#lastNode)) {
      this.#lastDraft = this.#sharedDraft(node);
      this.#lastNode = node;
    }
    return this.#lastDraft;
  }

  /** Nodes planned as the same machine, with loads that the same machines hold, share a draft. */
  #sharedDraft(node: OpenNode): Draft | undefined {
    const { stock, good, wish, used } = node;
    const machine = good.shape.index * stock.outlets.length + good.outlet.index;
    const purchase = this.#purchases.of(machine, wish);
    const plan = this.#plans.of(purchase, this.#sizes.of(used));
    if (this.#drafts.has(plan)) return this.#drafts.get(plan);
    const draft = draftOf(node, this.#context, () => true);
    this.#drafts.set(plan, draft);
    return draft;
  }

  #newNode(node: OpenNode, draft: Draft): NewNode {
    const { requirements, instanceTypes, daemonRequests, cheapest, dearest } = draft;
    return {
      pool: node.stock.pool,
      pods: podsOf(node),
      requests: this.#sums.of(node, daemonRequests),
      requirements,
      instanceTypes,
      cheapest,
      dearest,
    };
  }
}

/** Whether both are planned as the same machine for the same load. */
function isAlike(a: OpenNode, b: OpenNode): boolean {
  if (a.good !== b.good || a.wish !== b.wish) return false;
  for (let column = 0; column < a.used.length; column++)
    if (a.used[column] !== b.used[column]) return false;
  return true;
}

function isNoLarger(type: InstanceType, planned: InstanceType, pool: Pool): boolean {
  return Object.keys(pool.limits).every((name) => chargeOf(type, name) <= chargeOf(planned, name));
}

function podsOf({ guests }: OpenNode): readonly Pod[] {
  const all: Pod[] = [];
  for (const pods of guests.values()) for (const pod of pods) all.push(pod);
  return all;
}
