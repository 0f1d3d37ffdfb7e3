import type { InstanceType } from '../catalog/instance-type.ts';
import type { Pod } from '../cluster/pod.ts';
import type { Pool } from '../cluster/snapshot.ts';
import { add } from '../quantity/resources.ts';
import { combine, type Requirements, requirementsOf } from '../requirements/requirements.ts';
import { labels } from '../requirements/well-known.ts';
import { offeringMeets } from './admission.ts';
import { chargeOf, type LimitLedger } from './limits.ts';
import { exactLoad, type Item, type Load } from './load.ts';
import { joined, type Purchase } from './market.ts';
import type { NewNode } from './plan.ts';
import { cheapest, isPossible, type Shape } from './shape.ts';

/**
 * An order may become any type up to this much dearer than the planned one. Spot pools run dry
 * one type at a time, so that a list must be wide; what the plan promises to cost must hold too.
 */
const dearerFactor = 1.5;
/** Below so many types spot orders fail often, and a dearer machine beats none. */
const fewestTypes = 15;
const mostTypes = 60;

export interface OrderContext {
  readonly items: readonly Item[];
  /** The shapes of the load's pool. */
  readonly shapes: readonly Shape[];
  readonly mostInstanceTypes?: number | undefined;
}

/** A type that holds the load, with its cheapest purchase. */
interface Holder {
  readonly shape: Shape;
  readonly offering: InstanceType['offerings'][number];
}

/** The pool's requirements joined with those of every class on the machine. */
function requirementsOfLoad(load: Load, items: readonly Item[]): Requirements {
  let requirements = load.purchase.shape.pool.requirements;
  for (const { item } of load.counts) {
    const group = items[item]?.group ?? -1;
    requirements = joined(load.purchase, requirements, group) ?? requirements;
  }
  return requirements;
}

/**
 * The types that could hold the load, cheapest first; the list for one order of it. Undefined
 * where they are too few kinds for the pool's `minValues`.
 */
export function typesFor(load: Load, context: OrderContext): readonly Holder[] | undefined {
  const requirements = requirementsOfLoad(load, context.items);
  const holders = holdersOf(load, requirements, context);
  const most = context.mostInstanceTypes ?? mostTypes;
  const bound = (holders[0]?.offering.priceUsdPerHour ?? 0) * dearerFactor;
  const wide = holders.filter(
    ({ offering }, index) => index < fewestTypes || offering.priceUsdPerHour <= bound,
  );
  const list = wide.slice(0, most);
  return withMinValues(load.purchase.shape.pool, list, holders);
}

function holdersOf(
  load: Load,
  requirements: Requirements,
  { items, shapes }: OrderContext,
): readonly Holder[] {
  return shapes
    .flatMap((shape) => {
      if (!isPossible(shape.pool, shape.type, requirements)) return [];
      const offering = cheapest(shape.type, requirements);
      const asPurchase: Purchase = { ...load.purchase, shape };
      if (offering === undefined) return [];
      return exactLoad(asPurchase, items, load.counts) === undefined ? [] : [{ shape, offering }];
    })
    .sort(cheapestFirst);
}

function cheapestFirst(a: Holder, b: Holder): number {
  const difference = a.offering.priceUsdPerHour - b.offering.priceUsdPerHour;
  return difference || (a.shape.type.name < b.shape.type.name ? -1 : 1);
}

/** The list, grown by the cheapest types that bring a value still missing. */
function withMinValues(
  pool: Pool,
  list: readonly Holder[],
  holders: readonly Holder[],
): readonly Holder[] | undefined {
  const result = [...list];
  for (const [key, least] of pool.minValues ?? []) {
    const values = new Set(result.flatMap((holder) => valuesOf(holder, key)));
    for (const holder of holders) {
      if (values.size >= least) break;
      const added = valuesOf(holder, key).filter((value) => !values.has(value));
      if (added.length === 0) continue;
      result.push(holder);
      for (const value of added) values.add(value);
    }
    if (values.size < least) return undefined;
  }
  return result.length > 0 ? result.sort(cheapestFirst) : undefined;
}

function valuesOf({ shape }: Holder, key: string): readonly string[] {
  const set = shape.type.requirements.get(key);
  return set?.kind === 'only' ? [...set.values] : [];
}

/**
 * Orders for a run of equal machines, one per list of pods; undefined in place of an order for
 * which the limits leave no list of types that will do.
 */
export function ordersOf(
  load: Load,
  podLists: readonly (readonly Pod[])[],
  context: OrderContext & { readonly ledger: LimitLedger },
): readonly (NewNode | undefined)[] {
  const { pool, type: planned } = load.purchase.shape;
  const wide = listOf(load, context);
  // Where a larger type would overshoot a limit, the order may not become one.
  const shapes = context.shapes.filter(({ type }) => isNoLarger(type, planned, pool));
  const narrow = listOf(load, { ...context, shapes });
  return podLists.map((pods) => {
    const isWide = wide !== undefined && context.ledger.widen(pool, planned, wide.types);
    const list = isWide ? wide : narrow;
    return list === undefined ? undefined : newNode(load, pods, list);
  });
}

/** What all orders of a run have in common. */
interface OrderList {
  readonly best: Holder;
  readonly types: readonly InstanceType[];
  readonly requirements: Requirements;
}

function listOf(load: Load, context: OrderContext): OrderList | undefined {
  const holders = typesFor(load, context);
  const [best] = holders ?? [];
  if (holders === undefined || best === undefined) return undefined;
  const types = holders.map(({ shape }) => shape.type);
  const wanted = requirementsOfLoad(load, context.items);
  return { best, types, requirements: combine(wanted, purchaseTerms(types, wanted)) };
}

function isNoLarger(type: InstanceType, planned: InstanceType, pool: Pool): boolean {
  return Object.keys(pool.limits).every((name) => chargeOf(type, name) <= chargeOf(planned, name));
}

function newNode(load: Load, pods: readonly Pod[], list: OrderList): NewNode {
  const { best, types, requirements } = list;
  const { zone, capacityType, priceUsdPerHour } = best.offering;
  return {
    pool: load.purchase.shape.pool,
    pods,
    requirements,
    instanceTypes: types,
    requests: pods.map((pod) => pod.requests).reduce(add, best.shape.daemonRequests),
    cheapest: { instanceType: best.shape.type.name, zone, capacityType, priceUsdPerHour },
  };
}

/** Only these types, and only the kinds of capacity that they can be bought as now. */
function purchaseTerms(types: readonly InstanceType[], wanted: Requirements): Requirements {
  const kinds = new Set(
    types
      .flatMap((type) => type.offerings)
      .filter((offering) => offering.isAvailable && offeringMeets(offering, wanted))
      .map((offering) => offering.capacityType),
  );
  return requirementsOf([
    { key: labels.instanceType, operator: 'In', values: types.map((type) => type.name).sort() },
    { key: labels.capacityType, operator: 'In', values: [...kinds].sort() },
  ]);
}
