import type { Good, Shape } from '../market/stock.ts';
import type { OpenNode, Trade } from '../packing/open-node.ts';
import type { LimitLedger } from './limits.ts';
import { holdsAll } from './order-list.ts';
import { valuesIn } from './order-variety.ts';

/**
 * What an order needs of its pool's limits beyond the planned machine, by limited resource: with
 * `minValues` it names several types, and counts as the largest of them.
 */
export type Margin = readonly number[];

/** Whether orders for nodes of the pool need a margin at all. */
export function needsMargin({ stock: { pool } }: Pick<OpenNode, 'stock'>): boolean {
  return pool.minValues !== undefined && Object.keys(pool.limits).length > 0;
}

/**
 * The margin for the node, which is not charged yet, where the limits leave room for the machine
 * and for it; undefined where no list of types has enough values within the limits.
 */
export function marginFor(node: OpenNode, trade: Trade): Margin | undefined {
  const { pool } = node.stock;
  const planned = node.good.shape.type;
  const holders = shapesFor(node, trade)
    .map((shape) => ({ shape, extra: trade.ledger.extraOf(pool, planned, shape.type) }))
    .flatMap(({ shape, extra }) => (extra === undefined ? [] : [{ shape, ...extra }]))
    .sort((a, b) => a.share - b.share);
  const lacking = new Map([...(pool.minValues ?? [])].map(([key]) => [key, new Set<string>()]));
  const margin = Object.keys(pool.limits).map(() => 0);
  const isEnough = (): boolean =>
    [...lacking].every(([key, values]) => values.size >= (pool.minValues?.get(key) ?? 0));
  for (const { shape, amounts } of holders) {
    if (isEnough()) break;
    amounts.forEach((amount, index) => {
      margin[index] = Math.max(margin[index] ?? 0, amount);
    });
    for (const [key, values] of lacking)
      for (const value of valuesIn(node, shape, { key, markets: trade.markets })) values.add(value);
  }
  return isEnough() ? margin : undefined;
}

/** The shapes that the node may be ordered as: a reservation holds what it holds. */
function shapesFor(node: OpenNode, { markets }: Trade): readonly Shape[] {
  const { stock, wish, good } = node;
  const market = markets.of(wish);
  const id = good.offering.reservation?.id;
  const isOfIt = ({ offering }: Good): boolean => offering.reservation?.id === id;
  const shapes =
    id === undefined
      ? market.holdersIn(stock).map(({ shape }) => shape)
      : market
          .reservedIn(stock)
          .filter(isOfIt)
          .map(({ shape }) => shape);
  return shapes.filter((shape) => holdsAll(node, shape, markets));
}

/** The margins that are held for open nodes. */
export class Margins {
  readonly #ledger: LimitLedger;
  readonly #held = new Map<OpenNode, Margin>();

  constructor(ledger: LimitLedger) {
    this.#ledger = ledger;
  }

  hold(node: OpenNode, margin: Margin): void {
    this.#held.set(node, margin);
    this.#ledger.hold(node.stock.pool, margin);
  }

  /** Gives back what is held for the node, if anything is. */
  release(node: OpenNode): Margin | undefined {
    const margin = this.#held.get(node);
    if (margin === undefined) return undefined;
    this.#held.delete(node);
    this.#ledger.hold(
      node.stock.pool,
      margin.map((amount) => -amount),
    );
    return margin;
  }
}
