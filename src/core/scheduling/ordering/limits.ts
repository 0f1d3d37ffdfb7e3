import type { InstanceType } from '../../catalog/instance-type.ts';
import type { Node, Pool } from '../../cluster/snapshot.ts';
import type { Good } from '../market/stock.ts';

/** The resource name under which a pool's limit counts nodes. */
const nodeCount = 'nodes';

/** How much of a pool's limit is in use, for one resource. */
export interface LimitUse {
  readonly resource: string;
  readonly limit: number;
  readonly used: number;
}

interface Account {
  readonly names: readonly string[];
  readonly limits: Float64Array;
  readonly used: Float64Array;
}

/**
 * What every pool may still grow by, and what reservations still hold. Nodes ordered and launched
 * count from the start, leaving ones do not; each order of a plan is charged as it is made, so
 * that no batch overshoots.
 */
export class LimitLedger {
  readonly #accounts: ReadonlyMap<string, Account>;
  readonly #reserved: Map<string, number>;

  private constructor(accounts: ReadonlyMap<string, Account>, reserved: Map<string, number>) {
    this.#accounts = accounts;
    this.#reserved = reserved;
  }

  static of(pools: readonly Pool[], nodes: readonly Node[]): LimitLedger {
    const accounts = new Map(pools.map((pool) => [pool.name, accountOf(pool)]));
    for (const node of nodes) {
      const account = node.isLeaving ? undefined : accounts.get(node.poolName ?? '');
      account?.names.forEach((name, index) => {
        const amount = name === nodeCount ? 1 : (node.capacity[name] ?? 0);
        account.used[index] = (account.used[index] ?? 0) + amount;
      });
    }
    return new LimitLedger(accounts, new Map());
  }

  /** The same once more, to be charged by itself. */
  copy(): LimitLedger {
    const accounts = new Map<string, Account>();
    for (const [name, account] of this.#accounts)
      accounts.set(name, { ...account, used: account.used.slice() });
    return new LimitLedger(accounts, new Map(this.#reserved));
  }

  /** How many more nodes like this the pool's limits, and the reservation it is from, allow. */
  affordable({ shape, offering }: Good): number {
    const { type, stock } = shape;
    let times = this.affordableTypes(stock.pool, type);
    const { reservation } = offering;
    if (reservation !== undefined)
      times = Math.min(times, this.#reserved.get(reservation.id) ?? reservation.left);
    return times;
  }

  /** How many more nodes of this type the pool's limits allow. */
  affordableTypes(pool: Pool, type: InstanceType): number {
    const account = this.#accounts.get(pool.name);
    if (account === undefined) return Infinity;
    let times = Infinity;
    for (let index = 0; index < account.names.length; index++) {
      const each = chargeOf(type, account.names[index] ?? '');
      const left = (account.limits[index] ?? 0) - (account.used[index] ?? 0);
      if (each > 0) times = Math.min(times, Math.floor(left / each));
    }
    return Math.max(0, times);
  }

  charge({ shape, offering }: Good, times: number): void {
    const { type, stock } = shape;
    const account = this.#accounts.get(stock.pool.name);
    account?.names.forEach((name, index) => {
      account.used[index] = (account.used[index] ?? 0) + times * chargeOf(type, name);
    });
    const { reservation } = offering;
    if (reservation === undefined) return;
    const left = this.#reserved.get(reservation.id) ?? reservation.left;
    this.#reserved.set(reservation.id, left - times);
  }

  /** By how much the largest of `types` exceeds the planned one, by limited resource. */
  extras(pool: Pool, planned: InstanceType, types: readonly InstanceType[]): readonly number[] {
    return (this.#accounts.get(pool.name)?.names ?? []).map((name) => {
      let most = chargeOf(planned, name);
      for (const type of types) most = Math.max(most, chargeOf(type, name));
      return most - chargeOf(planned, name);
    });
  }

  /**
   * Charges what an order may need beyond the planned machine, if that still fits the limits;
   * false, and nothing charged, if not.
   */
  widen(pool: Pool, extras: readonly number[]): boolean {
    const account = this.#accounts.get(pool.name);
    if (account === undefined) return true;
    const { used, limits } = account;
    for (let index = 0; index < extras.length; index++) {
      const extra = extras[index] ?? 0;
      if (extra > 0 && (used[index] ?? 0) + extra > (limits[index] ?? 0)) return false;
    }
    for (let index = 0; index < extras.length; index++)
      used[index] = (used[index] ?? 0) + (extras[index] ?? 0);
    return true;
  }

  /**
   * By how much the type exceeds the planned one, by limited resource, and as the largest share of
   * a limit; undefined where the limits, with the planned one charged, leave no room for that.
   */
  extraOf(
    pool: Pool,
    planned: InstanceType,
    type: InstanceType,
  ): { readonly amounts: readonly number[]; readonly share: number } | undefined {
    const account = this.#accounts.get(pool.name);
    if (account === undefined) return { amounts: [], share: 0 };
    let share = 0;
    const amounts = account.names.map((name, index) => {
      const amount = Math.max(0, chargeOf(type, name) - chargeOf(planned, name));
      const limit = account.limits[index] ?? 0;
      if (amount === 0) return 0;
      const isWithin = (account.used[index] ?? 0) + amount <= limit;
      share = Math.max(share, isWithin ? amount / limit : Infinity);
      return amount;
    });
    return share === Infinity ? undefined : { amounts, share };
  }

  /** Keeps so much more of the pool's limits, by limited resource; negative gives back. */
  hold(pool: Pool, amounts: readonly number[]): void {
    const account = this.#accounts.get(pool.name);
    amounts.forEach((amount, index) => {
      if (account !== undefined) account.used[index] = (account.used[index] ?? 0) + amount;
    });
  }

  uses(pool: Pool): readonly LimitUse[] {
    const account = this.#accounts.get(pool.name);
    return (account?.names ?? []).map((resource, index) => ({
      resource,
      limit: account?.limits[index] ?? Infinity,
      used: account?.used[index] ?? 0,
    }));
  }
}

function accountOf(pool: Pool): Account {
  const names = Object.keys(pool.limits).sort();
  const limits = Float64Array.from(names, (name) => pool.limits[name] ?? Infinity);
  return { names, limits, used: new Float64Array(names.length) };
}

/** What one node of the type adds to the use of a limited resource. */
export function chargeOf(type: InstanceType, resource: string): number {
  return resource === nodeCount ? 1 : (type.capacity[resource] ?? 0);
}
