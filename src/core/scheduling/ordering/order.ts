import type { InstanceType } from '../../catalog/instance-type.ts';
import type { Pod } from '../../cluster/pod.ts';
import type { Pool } from '../../cluster/snapshot.ts';
import type { Resources } from '../../quantity/resources.ts';
import {
  combine,
  type Requirements,
  type RequirementTerm,
  requirementsOf,
} from '../../requirements/requirements.ts';
import { labels } from '../../requirements/well-known.ts';
import type { Markets } from '../market/market.ts';
import type { Good, Shape } from '../market/stock.ts';
import type { OpenNode } from '../packing/open-node.ts';
import type { NewNode, Purchase } from '../plan.ts';
import { isScarce } from './dry-spells.ts';
import { chargeOf, type LimitLedger } from './limits.ts';
import { type OrderList, orderListOf } from './order-list.ts';
import { hasMinValues, variedListOf } from './order-variety.ts';
import { likenessOf } from './spot-pools.ts';

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
  return hasMinValues(node, context.markets);
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
  const { ledger } = context;
  const narrow = draftOf(node, context, ({ type }) =>
    pool.minValues === undefined
      ? isNoLarger(type, planned, pool)
      : ledger.extraOf(pool, planned, type) !== undefined,
  );
  if (narrow === undefined) return undefined;
  return ledger.widen(pool, planned, narrow.instanceTypes) ? newNode(node, narrow) : undefined;
}

/** All of an order but its pods. */
interface Draft extends Pick<NewNode, 'requirements' | 'instanceTypes' | 'cheapest' | 'dearest'> {
  readonly daemonRequests: Resources;
}

/** Nodes with equal loads have equal drafts; markets live no longer than one solve. */
const drafts = new WeakMap<Markets, Map<string, Draft | undefined>>();

function draftFor(node: OpenNode, context: OrderContext): Draft | undefined {
  const { good, ports } = node;
  if (ports.length > 0 || good.offering.reservation !== undefined)
    return draftOf(node, context, () => true);
  const known = drafts.get(context.markets) ?? new Map<string, Draft | undefined>();
  drafts.set(context.markets, known);
  const text = likenessOf(node);
  if (known.has(text)) return known.get(text);
  const draft = draftOf(node, context, () => true);
  known.set(text, draft);
  return draft;
}

function isNoLarger(type: InstanceType, planned: InstanceType, pool: Pool): boolean {
  return Object.keys(pool.limits).every((name) => chargeOf(type, name) <= chargeOf(planned, name));
}

function draftOf(
  node: OpenNode,
  context: OrderContext,
  isAllowed: (shape: Shape) => boolean,
): Draft | undefined {
  const wanted = context.markets.of(node.wish).requirementsIn(node.stock);
  const list = listFor(node, context, isAllowed);
  const [best] = list?.shapes ?? [];
  if (list === undefined || best === undefined || wanted === undefined) return undefined;
  return {
    requirements: combine(wanted, purchaseTerms(list, node.good)),
    instanceTypes: list.shapes.map(({ type }) => type),
    daemonRequests: best.daemonRequests,
    cheapest: purchaseOf(list.cheapest),
    dearest: purchaseOf(list.dearest),
  };
}

function listFor(
  node: OpenNode,
  { markets, mostInstanceTypes, minValuesPolicy }: OrderContext,
  isAllowed: (shape: Shape) => boolean,
): OrderList | undefined {
  const { minValues } = node.stock.pool;
  const isOwn = minValues === undefined && node.good.offering.reservation === undefined;
  const options = { isAllowed, mostTypes: mostInstanceTypes };
  const isAtAnyPrice = isOwn && isScarce(node, markets);
  if (isOwn && !isAtAnyPrice) return orderListOf(node, markets, options);
  const isStrict = minValuesPolicy === 'Strict' && minValues !== undefined;
  return variedListOf(node, markets, { ...options, isStrict, isAtAnyPrice });
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

function purchaseOf({ shape, offering, priceUsdPerHour }: Good): Purchase {
  const { zone, capacityType } = offering;
  return { instanceType: shape.type.name, zone, capacityType, priceUsdPerHour };
}

/** Only these types, and only the zones and kinds of capacity that they may be bought in now. */
function purchaseTerms({ shapes, kinds, zones }: OrderList, { offering }: Good): Requirements {
  const term = (key: string, values: Iterable<string>): RequirementTerm => ({
    key,
    operator: 'In',
    values: [...values].sort(),
  });
  const { reservation } = offering;
  const names = shapes.map(({ type }) => type.name);
  return requirementsOf([
    term(labels.instanceType, names),
    term(labels.capacityType, kinds),
    ...(zones === undefined ? [] : [term(labels.zone, zones)]),
    ...(reservation === undefined ? [] : [term(labels.reservationId, [reservation.id])]),
  ]);
}
