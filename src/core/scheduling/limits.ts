import type { InstanceType } from '../catalog/instance-type.ts';
import type { Node, Pool } from '../cluster/snapshot.ts';

/** The resource name under which a pool's limit counts nodes. */
const nodeCount = 'nodes';

/** How much of a pool's limit is in use, for one resource. */
export interface LimitUse {
  readonly resource: string;
  readonly limit: number;
  readonly used: number;
}

/**
 * What every pool may still grow by. Nodes ordered and launched count from the start, leaving
 * ones do not; each order of a plan is charged as it is made, so that no batch overshoots.
 */
export class LimitLedger {
  readonly #used: Map<string, Map<string, number>>;

  private constructor(used: Map<string, Map<string, number>>) {
    this.#used = used;
  }

  static of(pools: readonly Pool[], nodes: readonly Node[]): LimitLedger {
    const used = new Map(
      pools.map((pool) => [
        pool.name,
        new Map(
          Object.keys(pool.limits)
            .sort()
            .map((name) => [name, 0]),
        ),
      ]),
    );
    for (const node of nodes) {
      const uses = node.isLeaving ? undefined : used.get(node.poolName ?? '');
      for (const [name, amount] of uses ?? [])
        uses?.set(name, amount + (name === nodeCount ? 1 : (node.capacity[name] ?? 0)));
    }
    return new LimitLedger(used);
  }

  /** A ledger of its own for trying something out. */
  copy(): LimitLedger {
    return new LimitLedger(new Map([...this.#used].map(([name, uses]) => [name, new Map(uses)])));
  }

  /** How many more nodes of this type the pool's limits allow. */
  affordable(pool: Pool, type: InstanceType): number {
    let times = Infinity;
    for (const { resource, limit, used } of this.uses(pool)) {
      const each = chargeOf(type, resource);
      if (each > 0) times = Math.min(times, Math.floor((limit - used) / each));
    }
    return Math.max(0, times);
  }

  charge(pool: Pool, type: InstanceType, times: number): void {
    const uses = this.#used.get(pool.name);
    for (const [name, amount] of uses ?? []) uses?.set(name, amount + times * chargeOf(type, name));
  }

  /**
   * Lets an order that was charged as `planned` be any of `types`, if the largest of them still
   * fits the limits; false, and nothing charged, if not.
   */
  widen(pool: Pool, planned: InstanceType, types: readonly InstanceType[]): boolean {
    const extras = this.uses(pool).map(({ resource, limit, used }) => {
      const most = Math.max(...types.map((type) => chargeOf(type, resource)));
      const extra = Math.max(0, most - chargeOf(planned, resource));
      return { resource, used, extra, isWithin: extra === 0 || used + extra <= limit };
    });
    if (!extras.every(({ isWithin }) => isWithin)) return false;
    for (const { resource, used, extra } of extras)
      this.#used.get(pool.name)?.set(resource, used + extra);
    return true;
  }

  uses(pool: Pool): readonly LimitUse[] {
    const uses = this.#used.get(pool.name) ?? new Map<string, number>();
    return [...uses].map(([resource, used]) => ({
      resource,
      limit: pool.limits[resource] ?? Infinity,
      used,
    }));
  }
}

/** What one node of the type adds to the use of a limited resource. */
export function chargeOf(type: InstanceType, resource: string): number {
  return resource === nodeCount ? 1 : (type.capacity[resource] ?? 0);
}
