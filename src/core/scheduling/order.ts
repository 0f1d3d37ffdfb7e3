import type { InstanceType } from '../catalog/instance-type.ts';
import { type Pod, portsClash } from '../cluster/pod.ts';
import type { Pool } from '../cluster/snapshot.ts';
import type { Resources } from '../quantity/resources.ts';
import { combine, type Requirements, requirementsOf } from '../requirements/requirements.ts';
import { labels } from '../requirements/well-known.ts';
import { chargeOf, type LimitLedger } from './limits.ts';
import type { Market, Markets } from './market.ts';
import type { OpenNode } from './open-node.ts';
import type { NewNode, Purchase } from './plan.ts';
import type { Good } from './stock.ts';
import type { Holder } from './stock-part.ts';

/**
 * An order may become any type up to this much dearer than the planned one. Spot pools run dry
 * one type at a time, so that a list must be wide; what the plan promises to cost must hold too.
 */
const dearerFactor = 1.5;
/** Below so many types spot orders fail often, and a dearer machine beats none. */
const fewestTypes = 15;
export const mostTypes = 60;

export type MinValuesPolicy = 'Strict' | 'BestEffort';

export interface OrderContext {
  readonly markets: Markets;
  readonly ledger: LimitLedger;
  readonly mostInstanceTypes: number;
  readonly minValuesPolicy: MinValuesPolicy;
}

/** Whether the pool's `minValues` can be kept for a node with this load. */
export function isOrderable(node: OpenNode, context: OrderContext): boolean {
  if (node.stock.pool.minValues === undefined || context.minValuesPolicy === 'BestEffort')
    return true;
  return withMinValues(node.stock.pool, [], holdersOf(node, context.markets)) !== undefined;
}

/** The order for an open node; undefined where no list of types will do. */
export function orderOf(node: OpenNode, context: OrderContext): NewNode | undefined {
  const { stock, good } = node;
  const { pool } = stock;
  const planned = good.shape.type;
  const draft = draftFor(node, context);
  if (draft !== undefined && context.ledger.widen(pool, planned, draft.instanceTypes))
    return newNode(node, draft);
  // Where a larger type would overshoot a limit, the order may not become one.
  const narrow = draftOf(node, context, ({ shape }) => isNoLarger(shape.type, planned, pool));
  return narrow === undefined ? undefined : newNode(node, narrow);
}

/** All of an order but its pods. */
interface Draft extends Pick<NewNode, 'requirements' | 'instanceTypes' | 'cheapest' | 'dearest'> {
  readonly daemonRequests: Resources;
}

/** Nodes with equal loads have equal drafts; markets live no longer than one solve. */
const drafts = new WeakMap<Markets, Map<string, Draft | undefined>>();

function draftFor(node: OpenNode, context: OrderContext): Draft | undefined {
  const { stock, good, wish, used, ports } = node;
  if (ports.length > 0 || good.offering.reservation !== undefined)
    return draftOf(node, context, () => true);
  const known = drafts.get(context.markets) ?? new Map<string, Draft | undefined>();
  drafts.set(context.markets, known);
  const text = `${wish} ${used.join()} ${stock.pool.name}`;
  if (known.has(text)) return known.get(text);
  const draft = draftOf(node, context, () => true);
  known.set(text, draft);
  return draft;
}

function isNoLarger(type: InstanceType, planned: InstanceType, pool: Pool): boolean {
  return Object.keys(pool.limits).every((name) => chargeOf(type, name) <= chargeOf(planned, name));
}

/** The types that could hold the load, cheapest first. */
function listFor(
  node: OpenNode,
  context: OrderContext,
  isAllowed: (holder: Holder) => boolean,
): readonly Holder[] | undefined {
  const { pool } = node.stock;
  const isStrict = context.minValuesPolicy === 'Strict' && pool.minValues !== undefined;
  const holders: Holder[] = [];
  const wide: Holder[] = [];
  eachCandidate(node, context.markets, (cheapest) => {
    const bound = (wide[0]?.cheapest.priceUsdPerHour ?? Infinity) * dearerFactor;
    const isWide =
      wide.length < context.mostInstanceTypes &&
      (wide.length < fewestTypes || cheapest.priceUsdPerHour <= bound);
    if (!isWide && !isStrict) return true;
    const holder = { shape: cheapest.shape, cheapest };
    if (!isAllowed(holder) || !holdsAll(node, holder, context.markets)) return false;
    holders.push(holder);
    if (isWide) wide.push(holder);
    return false;
  });
  if (isStrict) return withMinValues(pool, wide, holders);
  return wide.length > 0 ? wide : undefined;
}

function holdersOf(node: OpenNode, markets: Markets): readonly Holder[] {
  const holders: Holder[] = [];
  eachCandidate(node, markets, (cheapest) => {
    const holder = { shape: cheapest.shape, cheapest };
    if (holdsAll(node, holder, markets)) holders.push(holder);
    return false;
  });
  return holders;
}

/** A node from a reservation can only be what the reservation holds. */
function eachCandidate(
  { stock, good, wish, used }: OpenNode,
  markets: Markets,
  isEnough: (good: Good) => boolean,
): void {
  const market = markets.of(wish);
  const { reservation } = good.offering;
  if (reservation === undefined) {
    // The cheapest machine that holds the load is one that nothing beats: no need to look below.
    const least = market.frontIn(stock).find(({ shape }) => markets.holds(shape, used));
    market.walk(stock, least?.priceUsdPerHour ?? 0, isEnough);
    return;
  }
  market
    .reservedIn(stock)
    .filter(({ offering }) => offering.reservation?.id === reservation.id)
    .some(isEnough);
}

function holdsAll({ used, ports }: OpenNode, { shape }: Holder, markets: Markets): boolean {
  return (
    markets.holds(shape, used) && (ports.length === 0 || !portsClash(ports, shape.daemonPorts))
  );
}

/** The list, grown by the cheapest types that bring a value still missing. */
function withMinValues(
  pool: Pool,
  list: readonly Holder[],
  holders: readonly Holder[],
): readonly Holder[] | undefined {
  const result = new Set(list);
  for (const [key, least] of pool.minValues ?? []) {
    const values = new Set([...result].flatMap((holder) => valuesOf(holder, key)));
    for (const holder of holders) {
      if (values.size >= least) break;
      const added = valuesOf(holder, key).filter((value) => !values.has(value));
      if (added.length === 0) continue;
      result.add(holder);
      for (const value of added) values.add(value);
    }
    if (values.size < least) return undefined;
  }
  const sorted = holders.filter((holder) => result.has(holder));
  return sorted.length > 0 || list.length === 0 ? sorted : undefined;
}

function valuesOf({ shape }: Holder, key: string): readonly string[] {
  const set = shape.type.requirements.get(key);
  return set?.kind === 'only' ? [...set.values] : [];
}

function draftOf(
  node: OpenNode,
  context: OrderContext,
  isAllowed: (holder: Holder) => boolean,
): Draft | undefined {
  const market = context.markets.of(node.wish);
  const wanted = market.requirementsIn(node.stock);
  const holders = listFor(node, context, isAllowed);
  const best = holders?.[0];
  if (holders === undefined || best === undefined || wanted === undefined) return undefined;
  const { kinds, dearest } = boughtAs(holders, market, node.good);
  return {
    requirements: combine(wanted, purchaseTerms(holders, kinds, node.good)),
    instanceTypes: holders.map(({ shape }) => shape.type),
    daemonRequests: best.shape.daemonRequests,
    cheapest: purchaseOf(best.cheapest),
    dearest: purchaseOf(dearest),
  };
}

function newNode({ stock, guests }: OpenNode, draft: Draft): NewNode {
  const { daemonRequests, ...rest } = draft;
  const requests: Record<string, number> = { ...daemonRequests };
  const all: Pod[] = [];
  for (const [{ podClass }, pods] of guests) {
    const each = podClass.sample.requests;
    for (const name in each) requests[name] = sumOf(requests[name] ?? 0, each[name] ?? 0, pods);
    for (const pod of pods) all.push(pod);
  }
  return { pool: stock.pool, pods: all, requests, ...rest };
}

/** Added up one by one, as whoever checks it does: that rounds differently from multiplying. */
function sumOf(before: number, each: number, pods: readonly Pod[]): number {
  let sum = before;
  for (let count = 0; count < pods.length; count++) sum += each;
  return sum;
}

/**
 * The kinds of capacity that the order may be bought as, and the dearest purchase that it allows.
 * Spot is bought where it is allowed, so that a dearer on-demand price is not what may be paid.
 */
function boughtAs(
  holders: readonly Holder[],
  market: Market,
  { offering }: Good,
): { readonly kinds: ReadonlySet<string>; readonly dearest: Good } {
  const id = offering.reservation?.id;
  const [best] = holders;
  if (best === undefined) throw new Error('an order needs a type');
  let dearest = best.cheapest;
  const kind = dearest.offering.capacityType;
  const kinds = new Set<string>();
  for (const { shape } of holders)
    for (const good of market.goodsOf(shape)) {
      const { reservation, capacityType } = good.offering;
      if (reservation?.id !== id) continue;
      kinds.add(capacityType);
      if (capacityType === kind && good.priceUsdPerHour > dearest.priceUsdPerHour) dearest = good;
    }
  return { kinds, dearest };
}

function purchaseOf({ shape, offering, priceUsdPerHour }: Good): Purchase {
  const { zone, capacityType } = offering;
  return { instanceType: shape.type.name, zone, capacityType, priceUsdPerHour };
}

/** Only these types, and only the kinds of capacity that they can be bought as now. */
function purchaseTerms(
  holders: readonly Holder[],
  kinds: ReadonlySet<string>,
  { offering }: Good,
): Requirements {
  const names = holders.map(({ shape }) => shape.type.name).sort();
  const { reservation } = offering;
  return requirementsOf([
    { key: labels.instanceType, operator: 'In', values: names },
    { key: labels.capacityType, operator: 'In', values: [...kinds].sort() },
    ...(reservation === undefined
      ? []
      : [{ key: labels.reservationId, operator: 'In' as const, values: [reservation.id] }]),
  ]);
}
