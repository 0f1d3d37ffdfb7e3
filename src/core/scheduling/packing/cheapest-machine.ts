import type { HostPort } from '../../cluster/pod.ts';
import { take, type Vector } from '../../quantity/columns.ts';
import type { Good } from '../market/stock.ts';
import { impossible } from '../market/wish.ts';
import type { LimitLedger } from '../ordering/limits.ts';
import type { Load } from './filling.ts';
import { cheapestFor, type Trade } from './open-node.ts';

/**
 * Finds the cheapest machine for loads, of which many in a row come to the same. What limits
 * forbid is taken to stay forbidden until `forget`.
 */
export class CheapestMachine {
  readonly #trade: Trade;
  readonly #ledger: LimitLedger;
  /** What the load in hand comes to, and what the one before it came to. */
  #total: Vector;
  #lastTotal: Vector;
  #lastWish = impossible;
  #last: Good | undefined;

  constructor({ trade, ledger }: { readonly trade: Trade; readonly ledger: LimitLedger }) {
    this.#trade = trade;
    this.#ledger = ledger;
    this.#total = new Float64Array(trade.markets.columns.names.length);
    this.#lastTotal = this.#total.slice();
  }

  /** To be called whenever something may have become affordable again. */
  forget(): void {
    this.#last = undefined;
  }

  /** Undefined where the limits allow nothing that holds the load. */
  for(load: Load): Good | undefined {
    const ports = this.#addUp(load);
    if (ports.length === 0 && this.#isLikeLast(load)) return this.#last;
    const { wish, good } = load;
    const want = { wish, stock: good.shape.stock, total: this.#total, ports };
    const found = cheapestFor(want, this.#trade, (one) => this.#ledger.affordable(one) >= 1);
    this.#last = ports.length === 0 ? found : undefined;
    this.#lastWish = wish;
    [this.#total, this.#lastTotal] = [this.#lastTotal, this.#total];
    return found;
  }

  #addUp({ parts }: Load): readonly HostPort[] {
    const total = this.#total.fill(0);
    const ports: HostPort[] = [];
    for (const { bin, pods } of parts) {
      take(total, bin.need, -pods);
      for (const port of bin.ports) ports.push(port);
    }
    return ports;
  }

  #isLikeLast({ wish, good }: Load): boolean {
    const last = this.#last;
    if (last?.shape.stock !== good.shape.stock || wish !== this.#lastWish) return false;
    for (let column = 0; column < this.#total.length; column++)
      if (this.#total[column] !== this.#lastTotal[column]) return false;
    return this.#ledger.affordable(last) >= 1;
  }
}
