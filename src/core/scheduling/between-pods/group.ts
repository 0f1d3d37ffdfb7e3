import { type LabelSelector, selects } from '../../cluster/label-selector.ts';
import type { Pod, PodTerm, SpreadConstraint } from '../../cluster/pod.ts';
import type { Requirements } from '../../requirements/requirements.ts';
import { labels } from '../../requirements/well-known.ts';

export type GroupKind = 'spread' | 'affinity' | 'anti-affinity';

/** What a rule says of others: which pods it counts, on which nodes, per value of which label. */
export interface GroupRule {
  readonly kind: GroupKind;
  readonly key: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  /** Whether some pod must have it so, rather than would like it. */
  readonly isHard: boolean;
  readonly matches: (pod: Pick<Pod, 'namespace' | 'labels'>) => boolean;
  /** A label, `key=value`, that every matching pod carries, where there is one. */
  readonly anchor?: string | undefined;
  /** Nodes count where one of these holds; undefined counts all. */
  readonly filter?: readonly Requirements[] | undefined;
  /** Nodes count only where this pod tolerates their taints. */
  readonly tolerant?: Pod | undefined;
  /** Nodes count only where they have all of these labels. */
  readonly needs?: readonly string[] | undefined;
  /** Of an affinity, all labels that its terms are about, the key included. */
  readonly keys?: readonly string[] | undefined;
}

/** What is counted in one domain. */
export interface Counter {
  /** Matching pods. */
  pods: number;
  /** Pods that carry an anti-affinity: those that match it themselves, and others. */
  selfish: number;
  averse: number;
}

/**
 * One rule with its counters. A rule that several classes share is one group. Everything that is
 * counted can be taken back by counting it negatively.
 */
export class Group {
  readonly id: number;
  /** Says all that the rule says: groups of equal text count the same. */
  readonly text: string;
  readonly rule: GroupRule;
  /** By domain. */
  readonly #counters = new Map<string, Counter>();
  /** The last question of `leastOf`, and its answer as long as nothing was counted since. */
  #domains: readonly string[] = [];
  #asked: readonly Counter[] = [];
  #least: number | undefined;

  constructor(id: number, text: string, rule: GroupRule) {
    this.id = id;
    this.text = text;
    this.rule = rule;
  }

  /** To be read by those who ask often; what it says changes as pods are counted. */
  counterIn(domain: string): Readonly<Counter> {
    return this.#counterIn(domain);
  }

  countIn(domain: string): number {
    return this.#counters.get(domain)?.pods ?? 0;
  }

  add(domain: string, pods: number): void {
    this.#counterIn(domain).pods += pods;
    this.#least = undefined;
  }

  /** Pods that carry the anti-affinity: so many that match it themselves, and so many others. */
  addOwners(domain: string, selfish: number, averse: number): void {
    const counter = this.#counterIn(domain);
    counter.selfish += selfish;
    counter.averse += averse;
  }

  /** How many matching pods the domain may hold in the eyes of the pods that are there. */
  capIn(domain: string): number {
    const counter = this.#counters.get(domain);
    return counter === undefined ? Infinity : capOf(counter);
  }

  /** The least count among the domains, none where there are too few of them. */
  leastOf(domains: readonly string[]): number {
    if (domains !== this.#domains) {
      this.#domains = domains;
      this.#asked = domains.map((domain) => this.#counterIn(domain));
      this.#least = undefined;
    }
    this.#least ??= this.#leastAsked();
    return this.#least;
  }

  #leastAsked(): number {
    const counters = this.#asked;
    if (counters.length === 0 || counters.length < this.rule.minDomains) return 0;
    let least = Infinity;
    for (const { pods } of counters) if (pods < least) least = pods;
    return least;
  }

  /** The least count among the domains that hold any. */
  leastAnywhere(): number {
    let least = Infinity;
    for (const { pods } of this.#counters.values()) if (pods > 0) least = Math.min(least, pods);
    return least === Infinity ? 0 : least;
  }

  hasAny(): boolean {
    for (const { pods } of this.#counters.values()) if (pods > 0) return true;
    return false;
  }

  #counterIn(domain: string): Counter {
    const known = this.#counters.get(domain);
    if (known !== undefined) return known;
    const counter = { pods: 0, selfish: 0, averse: 0 };
    this.#counters.set(domain, counter);
    return counter;
  }
}

/** The same as `capIn`, by the counter of the domain. */
export function capOf({ averse, selfish }: Readonly<Counter>): number {
  if (averse > 0) return 0;
  return selfish > 0 ? 1 : Infinity;
}

type Namespaces = ReadonlyMap<string, Readonly<Record<string, string>>> | undefined;

export function spreadRule(pod: Pod, constraint: SpreadConstraint): GroupRule {
  const { selector, honorsNodeAffinity, honorsTaints, isHard } = constraint;
  return {
    kind: 'spread',
    key: constraint.topologyKey,
    maxSkew: constraint.maxSkew,
    minDomains: constraint.minDomains ?? 0,
    isHard,
    anchor: anchorOf(selector),
    matches: (other) => other.namespace === pod.namespace && selects(selector, other.labels),
    ...(honorsNodeAffinity && pod.nodeAlternatives.some((one) => one.size > 0)
      ? { filter: pod.nodeAlternatives }
      : {}),
    ...(honorsTaints ? { tolerant: pod } : {}),
    ...(isHard ? otherKeys(pod, constraint) : {}),
  };
}

/** Whether two pods share all that `spreadRule` reads of them beside the constraint. */
export function isAlikeToSpread(a: Pod, b: Pod): boolean {
  return (
    a.namespace === b.namespace &&
    a.spread === b.spread &&
    a.nodeAlternatives === b.nodeAlternatives &&
    a.tolerations === b.tolerations
  );
}

/** A node that lacks one of the labels over which a pod must be spread counts for none of them. */
function otherKeys(pod: Pod, { topologyKey }: SpreadConstraint): Pick<GroupRule, 'needs'> {
  const keys = (pod.spread ?? []).filter(({ isHard }) => isHard).map((one) => one.topologyKey);
  const needs = keys.filter((key) => key !== topologyKey && key !== labels.hostname);
  return needs.length === 0 ? {} : { needs: [...new Set(needs)].sort() };
}

/** Several terms make one rule: a pod is company only where it matches all of them. */
export function termRule(
  kind: GroupKind,
  terms: readonly PodTerm[],
  at: { readonly key: string; readonly isHard: boolean; readonly namespaces: Namespaces },
): GroupRule {
  return {
    kind,
    key: at.key,
    maxSkew: 0,
    minDomains: 0,
    isHard: at.isHard,
    anchor: anchorOf(terms[0]?.selector),
    ...(kind === 'affinity' ? { keys: terms.map(({ topologyKey }) => topologyKey) } : {}),
    matches: (pod) => terms.every((term) => isMeant(term, pod, at.namespaces)),
  };
}

function anchorOf(selector: LabelSelector | undefined): string | undefined {
  for (const [key, value] of Object.entries(selector?.matchLabels ?? {})) return `${key}=${value}`;
  return undefined;
}

function isMeant(
  term: PodTerm,
  { namespace, labels }: Pick<Pod, 'namespace' | 'labels'>,
  namespaces: Namespaces,
): boolean {
  const isNamed = term.namespaces.includes(namespace);
  if (!isNamed && term.namespaceSelector === undefined) return false;
  const isChosen = isNamed || selects(term.namespaceSelector, namespaces?.get(namespace) ?? {});
  return isChosen && selects(term.selector, labels);
}
