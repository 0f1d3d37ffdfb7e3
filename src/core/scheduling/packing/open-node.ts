import { type HostPort, type Pod, portsClash } from '../../cluster/pod.ts';
import type { Vector } from '../../quantity/columns.ts';
import type { Group } from '../between-pods/group.ts';
import type { Markets } from '../market/market.ts';
import type { Good, Stock } from '../market/stock.ts';
import { impossible, type Wishes } from '../market/wish.ts';
import type { LimitLedger } from '../ordering/limits.ts';
import type { Demand } from './demand.ts';

/** What decides about open nodes: the pools' goods and the wishes of pods. */
export interface Trade {
  readonly markets: Markets;
  readonly wishes: Wishes;
  readonly ledger: LimitLedger;
  /** Whether the limits leave room for such a node in place of the one given up. */
  readonly isAffordable: (good: Good, instead: Good | undefined) => boolean;
}

/** Pods of one demand that share a node. */
export interface Guest {
  readonly demand: Demand;
  readonly pods: Pod[];
}

/** A node that the plan will order, with its pods. Which machine it becomes is still open. */
export interface OpenNode {
  readonly stock: Stock;
  /** One for each demand, and none without pods. Thousands of nodes have a handful: no map each. */
  readonly guests: Guest[];
  readonly used: Vector;
  wish: number;
  pods: number;
  /** The cheapest way to buy a machine that holds everyone. */
  good: Good;
  /** What that machine leaves to pods; one vector for all machines of a shape. */
  free: Readonly<Vector>;
  ports: readonly HostPort[];
}

/** The node as it would be with more pods: what it asks for, and what it then costs at the least. */
export interface Grown {
  readonly wish: number;
  readonly good: Good;
}

export function openNode(demand: Demand, good: Good, { markets }: Trade): OpenNode {
  return {
    free: markets.freeOf(good.shape),
    stock: good.shape.stock,
    guests: [],
    used: new Float64Array(demand.need.length),
    wish: demand.wish,
    pods: 0,
    good,
    ports: [],
  };
}

/** Adds pods of the demand; the list becomes the node's own. */
export function enter(node: OpenNode, demand: Demand, pods: Pod[]): void {
  const known = guestOf(node, demand);
  const more = { demand, pods };
  if (known === undefined) node.guests.push(more);
  else known.pods.push(...pods);
  countGuest(node, more);
}

/** The same where the node has nobody of that demand. */
export function enterFirst(node: OpenNode, guest: Guest): void {
  node.guests.push(guest);
  countGuest(node, guest);
}

function countGuest(node: OpenNode, { demand, pods }: Guest): void {
  const { used } = node;
  const { need, ports } = demand;
  for (let index = 0; index < used.length; index++)
    used[index] = (used[index] ?? 0) + pods.length * (need[index] ?? 0);
  node.pods += pods.length;
  if (ports.length > 0) node.ports = [...node.ports, ...ports];
}

function guestOf({ guests }: OpenNode, demand: Demand): Guest | undefined {
  for (const guest of guests) if (guest.demand === demand) return guest;
  return undefined;
}

/** Takes so many pods of the demand off the node and returns them. */
export function leave(node: OpenNode, demand: Demand, amount: number): Pod[] {
  const guest = guestOf(node, demand);
  if (guest === undefined) return [];
  const { pods } = guest;
  const gone = pods.splice(pods.length - amount, amount);
  if (pods.length === 0) node.guests.splice(node.guests.indexOf(guest), 1);
  for (let index = 0; index < node.used.length; index++)
    node.used[index] = (node.used[index] ?? 0) - gone.length * (demand.need[index] ?? 0);
  node.pods -= gone.length;
  const { ports } = demand;
  if (ports.length > 0) node.ports = node.ports.filter((port) => !ports.includes(port));
  return gone;
}

/** Makes the node another machine, and the limits know of it. */
export function exchange(node: OpenNode, good: Good, { ledger, markets }: Trade): void {
  ledger.charge(node.good, -1);
  ledger.charge(good, 1);
  node.good = good;
  node.free = markets.freeOf(good.shape);
}

/** How the node would be with so many more pods of the demand; undefined where it cannot be. */
export function grown(
  node: OpenNode,
  demand: Demand,
  at: {
    readonly pods: number;
    readonly trade: Trade;
    /** What else must hold for the machine that it becomes. */
    readonly isRight?: ((grown: OpenNode) => boolean) | undefined;
  },
): Grown | undefined {
  const { pods, trade, isRight } = at;
  if (pods > borne(node, demand)) return undefined;
  const wish = trade.wishes.join(node.wish, demand.wish);
  if (wish === impossible) return undefined;
  const own = demand.ports;
  if (own.length > 0 && portsClash(own, node.ports)) return undefined;
  const total = sumOf(node.used, demand.need, pods);
  const ports = own.length === 0 ? node.ports : [...node.ports, ...own];
  const isOwn = (good: Good): boolean =>
    trade.isAffordable(good, node.good) &&
    (isRight === undefined || isRight({ ...node, wish, good, used: total, ports }));
  const { priceUsdPerHour } = node.good;
  const want = { wish, stock: node.stock, total, ports, priceUsdPerHour };
  const good = cheapestFor(want, trade, isOwn);
  return good === undefined ? undefined : { wish, good };
}

function sumOf(used: Vector, need: Vector, pods: number): Vector {
  const sum = new Float64Array(used.length);
  for (let column = 0; column < sum.length; column++)
    sum[column] = (used[column] ?? 0) + pods * (need[column] ?? 0);
  return sum;
}

/** What a machine must hold, of which stock. */
export interface Want {
  readonly wish: number;
  readonly stock: Stock;
  readonly total: Vector;
  readonly ports: readonly HostPort[];
  /** What the machine cost that held less: nothing cheaper holds more, as far as limits allow. */
  readonly priceUsdPerHour?: number;
}

/** The cheapest good that holds so much, of those that are affordable. */
export function cheapestFor(
  want: Want,
  { markets }: Pick<Trade, 'markets'>,
  isAffordable: (good: Good) => boolean,
): Good | undefined {
  const { wish, stock, total, ports, priceUsdPerHour: least = 0 } = want;
  const market = markets.of(wish);
  const front = market.frontIn(stock);
  const fits = ({ shape }: Good): boolean =>
    markets.holds(shape, total) && (ports.length === 0 || !portsClash(ports, shape.daemonPorts));
  let isTurnedDown = ports.length > 0;
  const from = Math.max(0, least > 0 ? front.findIndex((one) => one.priceUsdPerHour >= least) : 0);
  for (let step = 0; step < front.length; step++) {
    const good = front[(from + step) % front.length];
    if (good === undefined || !fits(good)) continue;
    if (isAffordable(good)) return good;
    isTurnedDown = true;
  }
  // What beats all others may be more than the limits allow; then a lesser machine has to do.
  if (!isTurnedDown) return undefined;
  const reserved = market.reservedIn(stock).find((good) => fits(good) && isAffordable(good));
  for (const { cheapest } of market.holdersIn(stock)) {
    if (reserved !== undefined && reserved.priceUsdPerHour <= cheapest.priceUsdPerHour) break;
    if (fits(cheapest) && isAffordable(cheapest)) return cheapest;
  }
  return reserved;
}

/** The same where a bargain is wanted: undefined as soon as nothing below the price will do. */
export function cheaperThan(usdPerHour: number, want: Want, trade: Trade): Good | undefined {
  const { wish, stock, total, ports } = want;
  for (const good of trade.markets.of(wish).frontIn(stock)) {
    if (good.priceUsdPerHour >= usdPerHour) return undefined;
    if (!trade.markets.holds(good.shape, total)) continue;
    if (ports.length === 0 || !portsClash(ports, good.shape.daemonPorts)) return good;
  }
  return undefined;
}

/** How often the need fits the machine that the node is, beside what it holds. */
export function timesBeside(need: Vector, { free, used }: OpenNode): number {
  let times = Infinity;
  for (let column = 0; column < need.length; column++) {
    const amount = need[column] ?? 0;
    if (amount <= 0) continue;
    times = Math.min(times, Math.floor(((free[column] ?? 0) - (used[column] ?? 0)) / amount));
    if (times <= 0) return 0;
  }
  return times;
}

/** How many more pods of the demand those on the node bear, and it them. */
export function borne(node: OpenNode, demand: Demand): number {
  let most = demand.ports.length > 0 ? 1 : Infinity;
  for (const { group, matches, cap } of demand.ties.host) {
    const room = Math.min(cap, capOn(node, group)) - countOn(node, group);
    if (room < 0) return 0;
    if (matches) most = Math.min(most, room);
  }
  return most;
}

/** How many pods on the node the group counts. */
export function countOn(node: OpenNode, group: Group): number {
  let count = 0;
  for (const {
    demand: { ties },
    pods,
  } of node.guests)
    if (isCounted(ties.host, group) || isCounted(ties.company, group)) count += pods.length;
  return count;
}

function isCounted(
  list: readonly { readonly group: Group; readonly matches: boolean }[],
  group: Group,
): boolean {
  return list.some((tie) => tie.group === group && tie.matches);
}

function capOn(node: OpenNode, group: Group): number {
  let cap = Infinity;
  for (const { demand } of node.guests)
    for (const tie of demand.ties.host) if (tie.group === group) cap = Math.min(cap, tie.cap);
  return cap;
}
