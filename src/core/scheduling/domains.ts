import { factsOf } from '../cluster/node-facts.ts';
import type { Pod } from '../cluster/pod.ts';
import type { Node } from '../cluster/snapshot.ts';
import { labelsMeet, type Requirements } from '../requirements/requirements.ts';
import { has } from '../requirements/value-set.ts';
import type { Group, GroupRule } from './group.ts';
import type { Stock } from './stock.ts';
import { repels } from './wish.ts';

/** The values that a label can take: on nodes that could be bought, and on nodes that are there. */
export class Domains {
  readonly #stocks: readonly Stock[];
  readonly #nodes: readonly Node[];
  readonly #all = new Map<string, readonly string[]>();
  readonly #counts: (readonly string[])[] = [];

  constructor(stocks: readonly Stock[], nodes: readonly Node[]) {
    this.#stocks = stocks;
    this.#nodes = nodes;
  }

  /** Every value, sorted. */
  all(key: string): readonly string[] {
    const known = this.#all.get(key);
    if (known !== undefined) return known;
    const inStocks = this.#stocks.flatMap((stock) => valuesIn(stock, key));
    const values = sorted([...inStocks, ...this.#valuesOnNodes(key)]);
    this.#all.set(key, values);
    return values;
  }

  /** The values over which a pod is spread: those that its rule counts and its labels allow. */
  eligible(group: Group, strict: readonly Requirements[]): readonly string[] {
    const { key } = group.rule;
    return this.#counted(group).filter((value) =>
      strict.some((wanted) => {
        const set = wanted.get(key);
        return set === undefined || has(set, value);
      }),
    );
  }

  /** The values of nodes that the group's rule counts, whoever asks. */
  #counted({ id, rule: { key, filter, tolerant } }: Group): readonly string[] {
    const known = this.#counts[id];
    if (known !== undefined) return known;
    const stocks = this.#stocks.filter(
      ({ pool }) => tolerant === undefined || !repels(pool.taints, tolerant, false),
    );
    const values = [
      ...stocks.flatMap((stock) => valuesIn(stock, key)),
      ...this.#nodes.flatMap((node) => {
        const value = countedDomain(node, { key, filter, tolerant });
        return value === undefined ? [] : [value];
      }),
    ];
    const counted = sorted(values);
    this.#counts[id] = counted;
    return counted;
  }

  #valuesOnNodes(key: string): Iterable<string> {
    const values = new Set<string>();
    for (const node of this.#nodes) {
      const value = factsOf(node).labels[key];
      if (value !== undefined) values.add(value);
    }
    return values;
  }
}

/** The domain in which pods on this node count for the rule; undefined where they do not. */
export function countedDomain(
  node: Node,
  { key, filter, tolerant }: Pick<GroupRule, 'key' | 'filter' | 'tolerant'>,
): string | undefined {
  const { labels } = factsOf(node);
  if (filter !== undefined && !filter.some((wanted) => labelsMeet(labels, wanted)))
    return undefined;
  if (tolerant !== undefined && repels(node.taints, tolerant as Pod, false)) return undefined;
  return labels[key];
}

/** Kept with the stock: there are hundreds of types and the answer is always the same. */
function valuesIn({ pool, shapes, memory }: Stock, key: string): readonly string[] {
  const text = `domains ${key}`;
  const known = memory.get(text);
  if (known !== undefined) return known as readonly string[];
  const values = new Set<string>();
  const allowed = pool.requirements.get(key);
  if (allowed?.kind === 'only') for (const value of allowed.values) values.add(value);
  for (const { type } of shapes) {
    const set = type.requirements.get(key);
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
