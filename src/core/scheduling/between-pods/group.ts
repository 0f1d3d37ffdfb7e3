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
}

/**
 * One rule with its counters. A rule that several classes share is one group. Everything that is
 * counted can be taken back by counting it negatively.
 */
export class Group {
  readonly id: number;
  readonly rule: GroupRule;
  /** Matching pods by domain. */
  readonly counts = new Map<string, number>();
  /** Pods that carry an anti-affinity, by domain: those that match it themselves, and others. */
  readonly selfish = new Map<string, number>();
  readonly averse = new Map<string, number>();
  /** The last answer of `leastOf`, as long as nothing was counted since. */
  #least: { readonly domains: readonly string[]; readonly count: number } | undefined;

  constructor(id: number, rule: GroupRule) {
    this.id = id;
    this.rule = rule;
  }

  countIn(domain: string): number {
    return this.counts.get(domain) ?? 0;
  }

  add(domain: string, pods: number): void {
    this.counts.set(domain, this.countIn(domain) + pods);
    this.#least = undefined;
  }

  addOwners(domain: string, pods: number, isSelfish: boolean): void {
    const owners = isSelfish ? this.selfish : this.averse;
    owners.set(domain, (owners.get(domain) ?? 0) + pods);
  }

  /** How many matching pods the domain may hold in the eyes of the pods that are there. */
  capIn(domain: string): number {
    if ((this.averse.get(domain) ?? 0) > 0) return 0;
    return (this.selfish.get(domain) ?? 0) > 0 ? 1 : Infinity;
  }

  /** The least count among the domains, none where there are too few of them. */
  leastOf(domains: readonly string[]): number {
    if (this.#least?.domains === domains) return this.#least.count;
    let count = domains.length === 0 || domains.length < this.rule.minDomains ? 0 : Infinity;
    for (const domain of domains) if (count > 0) count = Math.min(count, this.countIn(domain));
    this.#least = { domains, count };
    return count;
  }

  /** The least count among the domains that hold any. */
  leastAnywhere(): number {
    let least = Infinity;
    for (const count of this.counts.values()) if (count > 0) least = Math.min(least, count);
    return least === Infinity ? 0 : least;
  }

  hasAny(): boolean {
    for (const count of this.counts.values()) if (count > 0) return true;
    return false;
  }
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
