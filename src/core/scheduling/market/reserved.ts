import type { InstanceType } from '../../catalog/instance-type.ts';
import type { Node, Pool } from '../../cluster/snapshot.ts';
import { labels } from '../../requirements/well-known.ts';

const known = new WeakMap<Pool, { readonly text: string; readonly pool: Pool }>();

/**
 * The pools with what is left of reservations once a machine is taken for each of the ids; the
 * same values where none of theirs is taken, and where the same was asked before.
 */
export function withoutTaken(pools: readonly Pool[], ids: readonly string[]): readonly Pool[] {
  if (ids.length === 0) return pools;
  const taken = new Map<string, number>();
  for (const id of ids) taken.set(id, (taken.get(id) ?? 0) + 1);
  const text = [...ids].sort().join();
  return pools.map((pool) => {
    const before = known.get(pool);
    if (before?.text === text) return before.pool;
    const instanceTypes = pool.instanceTypes.map((type) => withLess(type, taken));
    const isSame = instanceTypes.every((type, index) => type === pool.instanceTypes[index]);
    const less = isSame ? pool : { ...pool, instanceTypes };
    known.set(pool, { text, pool: less });
    return less;
  });
}

/** The reservations that ordered machines will be taken from, which the cloud does not know yet. */
export function reservationsOfOrders(nodes: readonly Node[]): readonly string[] {
  return nodes.flatMap(({ stage, isLeaving, labels: own }) => {
    const id = own[labels.reservationId];
    return stage === 'ordered' && !isLeaving && id !== undefined ? [id] : [];
  });
}

function withLess(type: InstanceType, taken: ReadonlyMap<string, number>): InstanceType {
  if (!type.offerings.some(({ reservation }) => taken.has(reservation?.id ?? ''))) return type;
  return {
    ...type,
    offerings: type.offerings.map((offering) => {
      const { reservation } = offering;
      if (reservation === undefined) return offering;
      const left = reservation.left - (taken.get(reservation.id) ?? 0);
      return { ...offering, reservation: { ...reservation, left } };
    }),
  };
}
