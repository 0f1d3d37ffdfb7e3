import type { Ties } from '../between-pods/topology.ts';
import { impossible } from '../market/wish.ts';
import type { Demand } from './demand.ts';
import { borne, type OpenNode, type Trade } from './open-node.ts';

/**
 * Which open nodes may still take pods of some kind. As long as nodes only gain pods, whoever
 * bears none of that kind never will again: such a node is left out from then on, so that a
 * thousand full ones are not asked for every single pod.
 */
export class Candidates {
  readonly #nodes: readonly OpenNode[];
  readonly #trades: readonly Trade[];
  readonly #lines = new Map<Ties, Map<number, Line>>();

  /** Nodes may be added to the list afterwards, at its end; none may be taken out or lose pods. */
  constructor(nodes: readonly OpenNode[], trades: readonly Trade[]) {
    this.#nodes = nodes;
    this.#trades = trades;
  }

  /** Asks them, the last opened first, until the answer is that this is enough. */
  ask(demand: Demand, isEnough: (node: OpenNode, trade: Trade) => boolean): void {
    const line = this.#lineFor(demand);
    let later: Candidate | undefined;
    for (let one = line.last; one !== undefined; one = one.before) {
      if (isClosedTo(one, demand)) {
        if (later === undefined) line.last = one.before;
        else later.before = one.before;
        continue;
      }
      if (isEnough(one.node, one.trade)) return;
      later = one;
    }
  }

  /** Rules between pods and wishes close a node for good; its size depends on the single pod. */
  #lineFor({ ties, wish }: Demand): Line {
    const byWish = this.#lines.get(ties) ?? new Map<number, Line>();
    this.#lines.set(ties, byWish);
    const line = byWish.get(wish) ?? { last: undefined, seen: 0 };
    byWish.set(wish, line);
    for (; line.seen < this.#nodes.length; line.seen++) {
      const node = this.#nodes[line.seen];
      const trade = node === undefined ? undefined : this.#tradeOf(node);
      if (node !== undefined && trade !== undefined) line.last = { node, trade, before: line.last };
    }
    return line;
  }

  #tradeOf(node: OpenNode): Trade | undefined {
    return this.#trades.find(({ markets }) => markets.stocks.includes(node.stock));
  }
}

interface Candidate {
  readonly node: OpenNode;
  readonly trade: Trade;
  before: Candidate | undefined;
}

interface Line {
  last: Candidate | undefined;
  /** So many of all nodes have been in line. */
  seen: number;
}

function isClosedTo({ node, trade }: Candidate, demand: Demand): boolean {
  return trade.wishes.join(node.wish, demand.wish) === impossible || borne(node, demand) < 1;
}
