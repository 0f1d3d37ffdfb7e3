import type { Snapshot } from '../../src/core/cluster/snapshot.ts';
import type { MinValuesPolicy } from '../../src/core/scheduling/ordering/order.ts';
import type { NewNode, Plan } from '../../src/core/scheduling/plan.ts';
import { launchesOf } from './places.ts';

/** What is bought must exist, be the cheapest of its order, and be there often enough. */
export function purchaseFaults(
  snapshot: Snapshot,
  plan: Plan,
  minValuesPolicy: MinValuesPolicy,
): readonly string[] {
  const bound = minValuesPolicy === 'Strict' ? plan.newNodes : [];
  return [
    ...plan.newNodes.flatMap((node, index) => cheapestFaults(node, `new node ${index}`)),
    ...bound.flatMap((node, index) => minValueFaults(node, `new node ${index}`)),
    ...limitFaults(snapshot, plan),
    ...reservationFaults(snapshot, plan),
  ];
}

function cheapestFaults(node: NewNode, name: string): readonly string[] {
  const launches = launchesOf(node);
  const pricesOf = (typeName: string): readonly number[] =>
    launches
      .filter(({ type }) => type.name === typeName)
      .map(({ offering }) => offering.priceUsdPerHour);
  const prices = node.instanceTypes.map((type) => Math.min(...pricesOf(type.name)));
  const faults: string[] = [];
  const { instanceType, zone, capacityType, priceUsdPerHour } = node.cheapest;
  if (prices.some((price, index) => index > 0 && price < (prices[index - 1] ?? 0)))
    faults.push(`${name} does not list its types cheapest first`);
  if (Math.min(...prices) !== priceUsdPerHour) faults.push(`${name} has a cheaper purchase`);
  const isReal = launches.some(
    ({ type, offering }) =>
      type.name === instanceType &&
      offering.zone === zone &&
      offering.capacityType === capacityType &&
      offering.priceUsdPerHour === priceUsdPerHour,
  );
  if (!isReal) faults.push(`${name} counts on a purchase that does not exist`);
  return faults;
}

function minValueFaults(node: NewNode, name: string): readonly string[] {
  return [...(node.pool.minValues ?? [])].flatMap(([key, least]) => {
    const values = new Set(launchesOf(node).map(({ labels }) => labels[key]));
    values.delete(undefined);
    return values.size < least ? [`${name} has too few values of ${key}`] : [];
  });
}

/** Even if the cloud picks the largest type of every order, no limit may be passed. */
function limitFaults(snapshot: Snapshot, plan: Plan): readonly string[] {
  return snapshot.pools.flatMap((pool) =>
    Object.entries(pool.limits).flatMap(([resource, limit]) => {
      const orders = plan.newNodes.filter((node) => node.pool.name === pool.name);
      const used = snapshot.nodes
        .filter((node) => node.poolName === pool.name && !node.isLeaving)
        .map((node) => (resource === 'nodes' ? 1 : (node.capacity[resource] ?? 0)));
      const added = orders.map((order) => largestOf(order, resource));
      const total = [...used, ...added].reduce((sum, amount) => sum + amount, 0);
      const isWorse = added.some((amount) => amount > 0);
      return isWorse && total > limit ? [`pool ${pool.name} passes its limit ${resource}`] : [];
    }),
  );
}

function largestOf(order: NewNode, resource: string): number {
  if (resource === 'nodes') return 1;
  return Math.max(...order.instanceTypes.map((type) => type.capacity[resource] ?? 0));
}

/** No more orders, earlier ones included, may count on a reservation than it has machines left. */
function reservationFaults(snapshot: Snapshot, plan: Plan): readonly string[] {
  const wanted = new Map<string, { left: number; orders: number }>();
  for (const node of plan.newNodes) {
    const { instanceType, zone, capacityType } = node.cheapest;
    if (capacityType !== 'reserved') continue;
    const reservations = launchesOf(node).flatMap(({ type, offering }) =>
      type.name === instanceType && offering.zone === zone && offering.reservation !== undefined
        ? [offering.reservation]
        : [],
    );
    const [first] = reservations;
    if (first === undefined) continue;
    // Several reservations of one type and zone are one stock to an order that allows them all.
    const ids = [...new Set(reservations.map(({ id }) => id))].sort();
    const key = ids.join();
    const left = ids.reduce((sum, id) => sum + leftOf(snapshot, id), 0);
    wanted.set(key, { left, orders: (wanted.get(key)?.orders ?? 0) + 1 });
  }
  return [...wanted]
    .filter(([, { left, orders }]) => orders > left)
    .map(
      ([key, { left, orders }]) =>
        `${orders} orders count on reservation ${key}, which has ${left} left`,
    );
}

/** What the cloud says is left of the reservation, less what it does not know of yet. */
function leftOf({ pools, nodes }: Snapshot, id: string): number {
  const told = pools
    .flatMap((pool) => pool.instanceTypes.flatMap((type) => type.offerings))
    .flatMap(({ reservation }) => (reservation?.id === id ? [reservation.left] : []));
  const ordered = nodes.filter(
    ({ stage, isLeaving, labels }) =>
      stage === 'ordered' &&
      !isLeaving &&
      labels['karpenter.k8s.aws/capacity-reservation-id'] === id,
  );
  return Math.max(0, ...told) - ordered.length;
}
