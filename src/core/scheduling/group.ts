import { type LabelSelector, selects } from '../cluster/label-selector.ts';
import type { Pod, PodTerm, SpreadConstraint } from '../cluster/pod.ts';
import type { Requirements } from '../requirements/requirements.ts';

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

  constructor(id: number, rule: GroupRule) {
    this.id = id;
    this.rule = rule;
  }

  countIn(domain: string): number {
    return this.counts.get(domain) ?? 0;
  }

  add(domain: string, pods: number): void {
    this.counts.set(domain, this.countIn(domain) + pods);
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
    if (domains.length < this.rule.minDomains) return 0;
    let least = Infinity;
    for (const domain of domains) least = Math.min(least, this.countIn(domain));
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
    matches: ({ namespace, labels }) => namespace === pod.namespace && selects(selector, labels),
    ...(honorsNodeAffinity && pod.nodeAlternatives.some((one) => one.size > 0)
      ? { filter: pod.nodeAlternatives }
      : {}),
    ...(honorsTaints ? { tolerant: pod } : {}),
  };
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
