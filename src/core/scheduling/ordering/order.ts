import { noResources, type Resources, smallest } from '../../quantity/resources.ts';
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
import type { LimitLedger } from './limits.ts';
import { type OrderList, orderListOf, type Supply } from './order-list.ts';
import { hasMinValues, variedListOf } from './order-variety.ts';

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

/** All of an order but its pods. */
export interface Draft
  extends Pick<NewNode, 'requirements' | 'instanceTypes' | 'cheapest' | 'dearest'> {
  readonly daemonRequests: Resources;
  /** What it needs of the pool's limits beyond the planned machine, by limited resource. */
  readonly extras: readonly number[];
}

/** What a draft is made from: of the supply, only what is allowed. */
export interface Choice {
  readonly supply: Supply;
  readonly isAllowed: (shape: Shape) => boolean;
}

/** The draft of the order for a node; undefined where no list of types will do. */
export function draftOf(node: OpenNode, context: OrderContext, choice: Choice): Draft | undefined {
  const wanted = choice.supply.of(node.wish).requirementsIn(node.stock);
  const list = listFor(node, context, choice);
  if (list === undefined || list.shapes.length === 0 || wanted === undefined) return undefined;
  const { stock, good } = node;
  const instanceTypes = list.shapes.map(({ type }) => type);
  return {
    requirements: combine(wanted, purchaseTerms(list, good)),
    instanceTypes,
    daemonRequests: leastDaemons(list.shapes),
    cheapest: purchaseOf(list.cheapest),
    dearest: purchaseOf(list.dearest),
    extras: context.ledger.extras(stock.pool, good.shape.type, instanceTypes),
  };
}

/** What the daemons ask for whichever type comes: every machine of the order has as much. */
function leastDaemons(shapes: readonly Shape[]): Resources {
  const [first = noResources, ...others] = new Set(
    shapes.map(({ daemonRequests }) => daemonRequests),
  );
  return others.reduce(smallest, first);
}

function listFor(
  node: OpenNode,
  { mostInstanceTypes, minValuesPolicy }: OrderContext,
  { supply, isAllowed }: Choice,
): OrderList | undefined {
  const { minValues } = node.stock.pool;
  const isOwn = minValues === undefined && node.good.offering.reservation === undefined;
  const options = { isAllowed, mostTypes: mostInstanceTypes };
  const isAtAnyPrice = isOwn && isScarce(node, supply);
  if (isOwn && !isAtAnyPrice) return orderListOf(node, supply, options);
  const isStrict = minValuesPolicy === 'Strict' && minValues !== undefined;
  return variedListOf(node, supply, { ...options, isStrict, isAtAnyPrice });
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
