import type { Good } from '../market/stock.ts';
import { Balancing } from './balancing.ts';
import type { Bin } from './bin.ts';
import { Filling, type Load } from './filling.ts';
import type { Trade } from './open-node.ts';

/** Finds what a machine would carry, one machine after the other. */
export class Loading {
  readonly #filling: Filling;
  readonly #balancing: Balancing;
  readonly #mostPods: number;

  constructor(parts: {
    readonly trade: Trade;
    readonly groups: number;
    readonly mostPods: number;
  }) {
    this.#filling = new Filling({ ...parts.trade, groups: parts.groups });
    this.#balancing = new Balancing(this.#filling, parts.trade.markets.columns.names.length);
    this.#mostPods = parts.mostPods;
  }

  /**
   * The same load once more, with pods from other queues of the same bins: as good as the last,
   * and so as good as any. Undefined where some are gone.
   */
  again({ good, parts, pods: all }: Load): Load | undefined {
    if (all === 0 || parts.some(({ bin, pods }) => bin.left < pods)) return undefined;
    const filling = this.#begin(good);
    if (parts.every(({ bin, pods }) => this.#addAll(bin, pods))) return filling.load();
    filling.giveUp();
    return undefined;
  }

  /** The better of two ways: with the dearest pods first, and balanced. */
  best(good: Good, bins: readonly Bin[]): Load {
    const inOrder = this.#inOrder(good, bins);
    if (bins.length < 2 || inOrder.pods === 0) return inOrder;
    const filling = this.#balance(good, bins);
    const least = inOrder.worthUsdPerHour * (1 + 1e-9);
    if (filling.worthUsdPerHour > least) return filling.load();
    filling.giveUp();
    return inOrder;
  }

  /** A little of each bin in turn, so that pods heavy in one resource meet those heavy in another. */
  balanced(good: Good, bins: readonly Bin[]): Load {
    return bins.length < 2 ? this.#inOrder(good, bins) : this.#balance(good, bins).load();
  }

  #begin(good: Good): Filling {
    this.#filling.begin(good, this.#mostPods);
    return this.#filling;
  }

  /** Adds so many pods of the bin, from as many queues as it takes; false where it has fewer. */
  #addAll(bin: Bin, pods: number): boolean {
    if (bin.left < pods) return false;
    let left = pods;
    for (let added = 1; left > 0 && added > 0; left -= added) added = this.#filling.add(bin, left);
    return left === 0;
  }

  /** Bin by bin, the dearest pods first, as many as fit of each. */
  #inOrder(good: Good, bins: readonly Bin[]): Load {
    const filling = this.#begin(good);
    for (const bin of bins) while (filling.add(bin, Infinity) > 0);
    return filling.load();
  }

  #balance(good: Good, bins: readonly Bin[]): Filling {
    const filling = this.#begin(good);
    this.#balancing.fill(bins);
    return filling;
  }
}
