import { portsClash } from '../../cluster/pod.ts';
import type { Vector } from '../../quantity/columns.ts';
import { impossible } from '../market/wish.ts';
import type { LimitLedger } from '../ordering/limits.ts';
import { isCompany } from './company.ts';
import type { Demand } from './demand.ts';
import { emptiest } from './emptiest.ts';
import {
  borne,
  cheaperThan,
  enter,
  exchange,
  leave,
  type OpenNode,
  type Trade,
  timesBeside,
  type Want,
} from './open-node.ts';

export interface Improving {
  /** Opened by packing; those that are given up are taken out. */
  readonly nodes: OpenNode[];
  readonly trade: Trade;
  readonly ledger: LimitLedger;
  readonly mostPods: number;
}

/** So many nodes with room left are asked to take pods, and so many are joined in pairs. */
const mostHosts = 40;
/** So many of the emptiest nodes are looked at in one pass. */
const mostDrained = 160;
const mostPaired = 40;
const mostAtOnce = 16;
const mostPasses = 3;

/**
 * Makes the plan cheaper without packing it anew: pods move into room that others leave, so that
 * their machines shrink or go; and machines are joined where one for both is cheaper. Buying one
 * by one cannot see such bargains. Nothing is ever moved that would make the plan dearer.
 */
export function* improve(improving: Improving): Generator<void, void> {
  const { nodes } = improving;
  if (nodes.some(({ stock }) => stock.pool.minValues !== undefined)) return;
  let before = Infinity;
  for (let pass = 0; pass < mostPasses; pass++) {
    const price = priceOf(nodes);
    if (price >= before * 0.9999) return;
    before = price;
    const roomy = emptiest(nodes, mostDrained);
    const hosts = roomy.slice(0, mostHosts);
    for (const node of roomy) {
      drain(node, hosts, improving);
      yield;
    }
    yield* joinEmptiest(improving);
  }
}

/** The same for nodes of several trades, but for those whose pods must stay together. */
export function* improveAll(
  nodes: OpenNode[],
  { trades, ledger }: { readonly trades: readonly Trade[]; readonly ledger: LimitLedger },
): Generator<void, void> {
  for (const trade of trades) {
    const isOwn = (node: OpenNode): boolean =>
      trade.markets.stocks.includes(node.stock) && !isCompany(node);
    const own = nodes.filter(isOwn);
    const others = nodes.filter((node) => !isOwn(node));
    yield* improve({ nodes: own, trade, ledger, mostPods: Infinity });
    nodes.splice(0, nodes.length, ...others, ...own);
  }
}

export function priceOf(nodes: readonly OpenNode[]): number {
  return nodes.reduce((sum, node) => sum + node.good.priceUsdPerHour, 0);
}

/** Moves what it can off the node into room elsewhere, then lets the node shrink or go. */
function drain(node: OpenNode, hosts: readonly OpenNode[], improving: Improving): void {
  const { nodes, ledger, trade } = improving;
  const least = leastOf(node);
  // The fullest are asked first, so that the emptiest come to be empty.
  for (let index = hosts.length - 1; index >= 0; index--) {
    const host = hosts[index];
    if (host === undefined || host === node || host.pods === 0) continue;
    if (timesBeside(least, host) === 0) continue;
    // A copy, since who leaves altogether is taken off the list.
    for (const { demand, pods } of [...node.guests]) {
      const room = Math.min(pods.length, roomOn(host, demand, improving));
      if (room === 0) continue;
      host.wish = trade.wishes.join(host.wish, demand.wish);
      enter(host, demand, leave(node, demand, room));
    }
  }
  if (node.pods === 0) {
    nodes.splice(nodes.indexOf(node), 1);
    ledger.charge(node.good, -1);
  } else shrink(node, improving);
}

/** By resource, the least that any pod of the node asks for: who has not even that takes nobody. */
function leastOf({ guests, used }: OpenNode): Vector {
  const least = new Float64Array(used.length).fill(Infinity);
  for (const { demand } of guests)
    for (let column = 0; column < least.length; column++)
      least[column] = Math.min(least[column] ?? 0, demand.need[column] ?? 0);
  return least;
}

/** How many more pods the node holds as the machine that it is. */
function roomOn(node: OpenNode, demand: Demand, { trade, mostPods }: Improving): number {
  const { markets, wishes } = trade;
  const room = Math.min(mostPods - node.pods, timesBeside(demand.need, node));
  if (room <= 0) return 0;
  const wish = wishes.join(node.wish, demand.wish);
  if (wish === impossible) return 0;
  if (wish !== node.wish && !markets.of(wish).has(node.good)) return 0;
  const { ports } = demand;
  if (ports.length > 0) {
    const taken = [...node.ports, ...node.good.shape.daemonPorts];
    if (portsClash(ports, taken)) return 0;
  }
  return Math.min(room, borne(node, demand));
}

/** Takes the cheapest machine that holds what is left on the node. */
function shrink(node: OpenNode, { trade }: Improving): void {
  const { wish, stock, used, ports } = node;
  const good = cheaperThan(node.good.priceUsdPerHour, { wish, stock, total: used, ports }, trade);
  if (good !== undefined && trade.isAffordable(good, node.good)) exchange(node, good, trade);
}

/** Joins machines into one wherever that is cheaper: many of the emptiest at once, then any two. */
function* joinEmptiest(improving: Improving): Generator<void, void> {
  const { nodes } = improving;
  const late = [...emptiest(nodes, mostPaired)];
  for (let many = Math.min(mostAtOnce, late.length); many > 2; many--) {
    const [one, ...others] = late.slice(0, many);
    if (one === undefined || !join(one, others, improving)) continue;
    late.splice(1, others.length);
    break;
  }
  yield;
  for (let a = 0; a < late.length; a++) {
    for (let b = a + 1; b < late.length; b++) {
      const one = late[a];
      const other = late[b];
      if (one === undefined || other === undefined || !join(one, [other], improving)) continue;
      late.splice(b, 1);
      b = a;
    }
    yield;
  }
}

/** Puts everyone on one machine if that costs less; false, and nothing done, if not. */
function join(one: OpenNode, others: readonly OpenNode[], improving: Improving): boolean {
  const { trade, ledger, nodes } = improving;
  const want = together(one, others, improving);
  if (want === undefined) return false;
  let price = one.good.priceUsdPerHour;
  for (const other of others) price += other.good.priceUsdPerHour;
  const good = cheaperThan(price * (1 - 1e-9), want, trade);
  if (good === undefined || !isBorneByAll(one, others)) return false;
  for (const other of others) ledger.charge(other.good, -1);
  if (!trade.isAffordable(good, one.good)) {
    for (const other of others) ledger.charge(other.good, 1);
    return false;
  }
  one.wish = want.wish;
  for (const other of others) {
    for (const { demand, pods } of other.guests) enter(one, demand, pods);
    nodes.splice(nodes.indexOf(other), 1);
  }
  exchange(one, good, trade);
  return true;
}

/** What one machine for all would have to hold; undefined where they do not agree. */
function together(
  one: OpenNode,
  others: readonly OpenNode[],
  improving: Improving,
): Want | undefined {
  const wish = wishOfAll(one, others, improving);
  if (wish === impossible) return undefined;
  const { stock } = one;
  const total = one.used.slice();
  const ports = [...one.ports];
  for (const other of others) {
    if (portsClash(ports, other.ports)) return undefined;
    ports.push(...other.ports);
    for (let column = 0; column < total.length; column++)
      total[column] = (total[column] ?? 0) + (other.used[column] ?? 0);
  }
  return { wish, stock, total, ports };
}

/** What all of them ask for; `impossible` also where they are of several stocks, or too many. */
function wishOfAll(
  one: OpenNode,
  others: readonly OpenNode[],
  { trade, mostPods }: Improving,
): number {
  let { wish, pods } = one;
  for (const other of others) {
    pods += other.pods;
    if (other.stock !== one.stock || pods > mostPods) return impossible;
    wish = trade.wishes.join(wish, other.wish);
    if (wish === impossible) return impossible;
  }
  return wish;
}

/** Whether rules between pods let all of them share a node. */
function isBorneByAll(one: OpenNode, others: readonly OpenNode[]): boolean {
  const trial: OpenNode = {
    ...one,
    guests: one.guests.map(({ demand, pods }) => ({ demand, pods: [...pods] })),
    used: one.used.slice(),
  };
  for (const other of others)
    for (const { demand, pods } of other.guests) {
      if (pods.length > borne(trial, demand)) return false;
      enter(trial, demand, [...pods]);
    }
  return true;
}
