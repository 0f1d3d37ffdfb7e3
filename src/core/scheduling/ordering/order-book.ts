import type { InstanceType } from '../../catalog/instance-type.ts';
import type { Pod } from '../../cluster/pod.ts';
import type { Pool } from '../../cluster/snapshot.ts';
import type { Good, Shape } from '../market/stock.ts';
import type { OpenNode } from '../packing/open-node.ts';
import type { NewNode } from '../plan.ts';
import { Leeway } from './leeway.ts';
import { chargeOf } from './limits.ts';
import { type Draft, draftOf, type OrderContext } from './order.ts';
import type { Supply } from './order-list.ts';
import { RequestSums } from './request-sums.ts';

/**
 * Writes the orders for open nodes. Most nodes are planned like another, and what was found out
 * for that one is not looked for again.
 */
export class OrderBook {
  readonly #context: OrderContext;
  readonly #drafts = new Map<Good, SharedDraft[]>();
  readonly #sums = new RequestSums();

  constructor(context: OrderContext) {
    this.#context = context;
  }

  /** Whether the node is of one of the pools whose orders are written here. */
  isFor({ stock }: OpenNode): boolean {
    return this.#context.markets.stocks.includes(stock);
  }

  /** The order for the node; undefined where no list of types will do. */
  orderOf(node: OpenNode): NewNode | undefined {
    const { pool } = node.stock;
    const { ledger } = this.#context;
    const draft = this.#draftFor(node);
    if (draft !== undefined && ledger.widen(pool, draft.extras)) return this.#newNode(node, draft);
    // Where a larger type would overshoot a limit, the order may not become one.
    const planned = node.good.shape.type;
    const isAllowed = ({ type }: Shape): boolean =>
      pool.minValues === undefined
        ? isNoLarger(type, planned, pool)
        : ledger.extraOf(pool, planned, type) !== undefined;
    const narrow = draftOf(node, this.#context, { supply: this.#context.markets, isAllowed });
    if (narrow === undefined || !ledger.widen(pool, narrow.extras)) return undefined;
    return this.#newNode(node, narrow);
  }

  /** Nodes planned as the same machine share a draft, if their loads make no difference to it. */
  #draftFor(node: OpenNode): Draft | undefined {
    const { good, wish, used, ports } = node;
    if (ports.length > 0 || good.offering.reservation !== undefined)
      return this.#draftFrom(this.#context.markets, node);
    const known = this.#drafts.get(good) ?? [];
    this.#drafts.set(good, known);
    for (const one of known) if (one.wish === wish && one.leeway.covers(used)) return one.draft;
    const leeway = new Leeway(this.#context.markets);
    const draft = this.#draftFrom(leeway, node);
    known.push({ wish, leeway, draft });
    return draft;
  }

  #draftFrom(supply: Supply, node: OpenNode): Draft | undefined {
    return draftOf(node, this.#context, { supply, isAllowed: () => true });
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

interface SharedDraft {
  readonly wish: number;
  readonly leeway: Leeway;
  readonly draft: Draft | undefined;
}

function isNoLarger(type: InstanceType, planned: InstanceType, pool: Pool): boolean {
  return Object.keys(pool.limits).every((name) => chargeOf(type, name) <= chargeOf(planned, name));
}

/** A node that is ordered is done with: where it has but one list of pods, that is handed on. */
function podsOf({ guests, pods: many }: OpenNode): readonly Pod[] {
  const [only] = guests;
  if (only !== undefined && guests.length === 1) return only.pods;
  // A list that begins empty would have room for seventeen.
  const all = new Array<Pod>(many);
  let place = 0;
  for (const { pods } of guests) for (const pod of pods) all[place++] = pod;
  return all;
}
