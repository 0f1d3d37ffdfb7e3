import type { Good } from '../market/stock.ts';
import type { OpenNode } from '../packing/open-node.ts';

/** Equal for nodes that are planned alike, with loads alike. */
export function likenessOf({ stock, wish, used, good }: OpenNode): string {
  return `${wish} ${used.join()} ${good.shape.index} ${good.outlet.index} ${stock.pool.name}`;
}

/** One type in one zone, bought as spot: what the cloud takes back at once. */
export interface SpotPool {
  readonly name: string;
  /** How many pods the plan has there. */
  pods: number;
  readonly nodes: Set<OpenNode>;
}

/** The spot pools of a plan. */
export class SpotPools {
  readonly #byName = new Map<string, SpotPool>();
  readonly #byGood = new Map<Good, SpotPool | undefined>();

  constructor(nodes: readonly OpenNode[]) {
    for (const node of nodes) this.enter(node);
  }

  /** The pool that a purchase is from, be the plan in it or not; undefined for other capacity. */
  of(good: Good): SpotPool | undefined {
    if (this.#byGood.has(good)) return this.#byGood.get(good);
    const pool = this.#find(good);
    this.#byGood.set(good, pool);
    return pool;
  }

  /** The pool with most pods; of several the first by name. */
  largest(): SpotPool | undefined {
    let best: SpotPool | undefined;
    for (const pool of this.#byName.values()) {
      const more = pool.pods - (best?.pods ?? -1);
      if (best === undefined || more > 0 || (more === 0 && pool.name < best.name)) best = pool;
    }
    return best;
  }

  enter(node: OpenNode): void {
    this.#count(node, 1)?.nodes.add(node);
  }

  leave(node: OpenNode): void {
    this.#count(node, -1)?.nodes.delete(node);
  }

  #count({ good, pods }: OpenNode, times: number): SpotPool | undefined {
    const pool = this.of(good);
    if (pool !== undefined) pool.pods += times * pods;
    return pool;
  }

  #find({ shape, offering }: Good): SpotPool | undefined {
    if (offering.capacityType !== 'spot') return undefined;
    const name = `${shape.type.name} ${offering.zone}`;
    const pool = this.#byName.get(name) ?? { name, pods: 0, nodes: new Set() };
    this.#byName.set(name, pool);
    return pool;
  }
}
