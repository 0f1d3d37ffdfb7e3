import { factsOf, isThere } from '../../cluster/node-facts.ts';
import type { Pod } from '../../cluster/pod.ts';
import type { PodClass } from '../../cluster/pod-class.ts';
import type { Node, Pool } from '../../cluster/snapshot.ts';
import { firstUnmet, labelsMeet } from '../../requirements/requirements.ts';
import { allowsAbsence, firstValueOf, has } from '../../requirements/value-set.ts';
import { isWellKnownLabel } from '../../requirements/well-known.ts';
import type { Stock } from '../market/stock.ts';
import { repels } from '../market/wish.ts';
import type { Group, GroupRule } from './group.ts';
import { type Party, partiesOf } from './party.ts';
import { Reach } from './reach.ts';

/** Stands for the domain of a node that lacks the label; no label has this value. */
const unknownDomain = '?';

/** The values that a label can take: on nodes that could be bought, and on nodes that are there. */
export class Domains {
  /** The pools that nodes can be bought from. */
  readonly pools: readonly Pool[];
  readonly #stocks: readonly Stock[];
  readonly #nodes: readonly Node[];
  readonly #parties: readonly Party[];
  readonly #all = new Map<string, readonly string[]>();
  /** By the text of the group. */
  readonly #eligible = new Map<string, readonly string[]>();
  /** By label, for rules that look at all nodes. */
  readonly #unfiltered = new Map<string, readonly string[]>();
  readonly #reaches = new Map<Stock, Reach>();

  constructor(
    stocks: readonly Stock[],
    nodes: readonly Node[],
    classes: readonly Pick<PodClass, 'rules' | 'sample'>[],
  ) {
    this.#stocks = stocks;
    this.pools = stocks.map(({ pool }) => pool);
    this.#nodes = nodes;
    this.#parties = partiesOf(classes);
  }

  /** Every value, sorted. */
  all(key: string): readonly string[] {
    const known = this.#all.get(key);
    if (known !== undefined) return known;
    const inStocks = this.#stocks.flatMap((stock) => valuesIn(stock, key));
    const values = sorted([...inStocks, ...this.#valuesOnNodes(key), ...this.#valuesInPods(key)]);
    this.#all.set(key, values);
    return values;
  }

  /** Whether nodes could be bought that lack the label. */
  isOptional(key: string): boolean {
    if (isWellKnownLabel(key)) return false;
    return this.#stocks.some(({ pool }) => {
      const set = pool.requirements.get(key);
      return set === undefined || allowsAbsence(set);
    });
  }

  /**
   * Asks who might open domains that one of the rules, all of them about this label, looks at, in
   * small steps; whoever asks for eligible ones afterwards finds the answers.
   */
  *meeting(key: string, rules: readonly GroupRule[]): Generator<void, void> {
    for (const stock of this.#stocks) {
      const reach = this.#reachOf(stock);
      for (const value of this.#valuesOf(stock, key))
        if (rules.some((rule) => isLookedAt(stock.pool, value, rule)))
          yield* reach.meeting(key, value);
      yield;
    }
  }

  /**
   * The values over which pods with the rule are spread: those of nodes that it looks at, and of
   * such nodes as might be opened for somebody. What nobody here can open stays without a node.
   */
  eligible({ text, rule }: Group): readonly string[] {
    const known = this.#eligible.get(text);
    if (known !== undefined) return known;
    const { key, filter, tolerant, needs } = rule;
    const looksAtAll = (filter ?? tolerant ?? needs) === undefined;
    const eligible =
      (looksAtAll ? this.#unfiltered.get(key) : undefined) ?? this.#eligibleFor(rule);
    if (looksAtAll) this.#unfiltered.set(key, eligible);
    this.#eligible.set(text, eligible);
    return eligible;
  }

  #eligibleFor(rule: GroupRule): readonly string[] {
    const values = new Set<string>();
    for (const node of this.#nodes) {
      const value = countedDomain(node, rule);
      if (value !== undefined) values.add(value);
    }
    for (const stock of this.#stocks) {
      const reach = this.#reachOf(stock);
      for (const value of this.#valuesOf(stock, rule.key))
        if (isLookedAt(stock.pool, value, rule) && reach.has(rule.key, value)) values.add(value);
    }
    return sorted(values);
  }

  /** A pool that knows the label and names no value takes any that others name. */
  #valuesOf(stock: Stock, key: string): readonly string[] {
    const own = valuesIn(stock, key);
    const set = stock.pool.requirements.get(key);
    if (set?.kind !== 'except' || isWellKnownLabel(key)) return own;
    return [...own, ...this.all(key).filter((value) => has(set, value))];
  }

  #reachOf(stock: Stock): Reach {
    const reach = this.#reaches.get(stock) ?? new Reach(stock, this.#parties);
    this.#reaches.set(stock, reach);
    return reach;
  }

  #valuesOnNodes(key: string): Iterable<string> {
    const values = new Set<string>();
    for (const node of this.#nodes) {
      const value = factsOf(node).labels[key];
      if (value !== undefined) values.add(value);
    }
    return values;
  }

  /** Values that pods ask for by name, where a pool that knows the label and names none takes them. */
  #valuesInPods(key: string): readonly string[] {
    if (isWellKnownLabel(key)) return [];
    const takers = this.pools
      .map((pool) => pool.requirements.get(key))
      .filter((set) => set?.kind === 'except');
    if (takers.length === 0) return [];
    const named = new Set(this.#parties.flatMap(({ sample }) => valuesAskedFor(sample, key)));
    return [...named].filter((value) => takers.some((set) => set !== undefined && has(set, value)));
  }
}

/** The domain in which pods on this node count for the rule; undefined where they do not. */
export function countedDomain(
  node: Node,
  { key, filter, tolerant, needs }: Pick<GroupRule, 'key' | 'filter' | 'tolerant' | 'needs'>,
): string | undefined {
  const { labels } = factsOf(node);
  if (needs?.some((name) => labels[name] === undefined)) return undefined;
  if (filter !== undefined && !filter.some((wanted) => labelsMeet(labels, wanted)))
    return undefined;
  if (tolerant !== undefined && repels(node.taints, tolerant, false)) return undefined;
  return labels[key];
}

/** The same for those who keep away from such pods: a machine on order may come to be in any. */
export function domainsToAvoid(node: Node, rule: GroupRule): readonly string[] {
  const open = node.openLabels?.get(rule.key);
  if (open?.kind === 'only') return [...open.values];
  const domain = countedDomain(node, rule);
  return domain === undefined ? [] : [domain];
}

/**
 * The same for company, which is known of by any label of the terms: whoever matches all of them
 * and is not in reach keeps others from being the first of their kind. A node that is not there
 * yet may still come to have the label.
 */
export function companyDomain(node: Node, rule: GroupRule): string | undefined {
  const { labels } = factsOf(node);
  const isKnownOf = !isThere(node) || rule.keys?.some((key) => labels[key] !== undefined) === true;
  return countedDomain(node, rule) ?? (isKnownOf ? unknownDomain : undefined);
}

/** The values of the label that the pod names, as a rule or as a wish. */
function valuesAskedFor(pod: Pod, key: string): readonly string[] {
  const preferences = pod.nodePreferences?.map(({ requirements }) => requirements) ?? [];
  const asked = [...pod.nodeAlternatives, ...preferences, ...(pod.volumes?.alternatives ?? [])];
  return asked.flatMap((wanted) => {
    const set = wanted.get(key);
    return set?.kind === 'only' ? [...set.values] : [];
  });
}

/** Whether nodes of the pool with the value would count for the rule, types left aside. */
function isLookedAt(pool: Pool, value: string, { key, filter, tolerant }: GroupRule): boolean {
  if (tolerant !== undefined && repels(pool.taints, tolerant, false)) return false;
  if (filter === undefined) return true;
  return filter.some((wanted) => {
    const set = wanted.get(key);
    if (set !== undefined && !has(set, value)) return false;
    return firstUnmet(pool.requirements, wanted, isWellKnownLabel) === undefined;
  });
}

/** Kept with the stock: there are hundreds of types and the answer is always the same. */
function valuesIn({ pool, offered, memory }: Stock, key: string): readonly string[] {
  const text = `domains ${key}`;
  const known = memory.get(text);
  if (known !== undefined) return known as readonly string[];
  const values = new Set<string>();
  const allowed = pool.requirements.get(key);
  if (allowed?.kind === 'only') for (const value of allowed.values) values.add(value);
  // A pool that knows the label and names no value has nodes of the smallest number allowed.
  else if (allowed !== undefined && !isWellKnownLabel(key)) {
    const first = firstValueOf(allowed);
    if (first !== undefined) values.add(first);
  }
  // Types mostly share the sets that they offer.
  for (const set of new Set(offered(key))) {
    if (set?.kind !== 'only') continue;
    for (const value of set.values)
      if (allowed === undefined || has(allowed, value)) values.add(value);
  }
  const list = sorted(values);
  memory.set(text, list);
  return list;
}

function sorted(values: Iterable<string>): readonly string[] {
  return [...new Set(values)].sort();
}
