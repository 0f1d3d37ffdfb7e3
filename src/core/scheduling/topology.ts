import { factsOf } from '../cluster/node-facts.ts';
import type { Pod, PodTerm, SpreadConstraint } from '../cluster/pod.ts';
import type { PodClass } from '../cluster/pod-class.ts';
import type { Node, Snapshot } from '../cluster/snapshot.ts';
import { firstConflict, requirementsKey } from '../requirements/requirements.ts';
import { labels } from '../requirements/well-known.ts';
import { countExisting } from './census.ts';
import { countedDomain, type Domains } from './domains.ts';
import { Group, type GroupRule, spreadRule, termRule } from './group.ts';
import type { Rung } from './ladder.ts';

/** How one class stands to one group, over any label but the host name. */
export interface Tie {
  readonly group: Group;
  /** Its pods are counted by the group. */
  readonly matches: boolean;
  /** Its pods have the rule themselves, rather than being seen by that of others. */
  readonly isOwner: boolean;
  /** The domains over which an owner is spread. */
  readonly eligible: readonly string[];
}

/** The same for the host name: a node holds at most `cap` matching pods beside such a pod. */
export interface HostTie {
  readonly group: Group;
  readonly matches: boolean;
  readonly isOwner: boolean;
  readonly cap: number;
}

/** Everything between a class at one rung and other pods. */
export interface Ties {
  readonly zonal: readonly Tie[];
  readonly host: readonly HostTie[];
  /** Affinity over the host name: the node must hold such a pod already. */
  readonly company: readonly { readonly group: Group; readonly matches: boolean }[];
  /** Labels of which a place must settle the value, sorted. */
  readonly pinned: readonly string[];
  /** How many of its own pods a node holds at most, by these rules alone. */
  readonly soloCap: number;
}

/** All rules between pods in one solve, counted over the pods that are there. */
export class Topology {
  readonly #snapshot: Snapshot;
  readonly #domains: Domains;
  readonly #groups = new Map<string, Group>();
  /** The groups by a label that all their pods carry; under no text those without one. */
  readonly #anchored = new Map<string, readonly Group[]>();
  readonly #waiting: ReadonlySet<string>;
  readonly #counted = new Set<Group>();
  readonly #own = new Map<Rung, ReadonlySet<Group>>();
  readonly #ties = new Map<string, Ties>();
  readonly #matching = new Map<string, readonly Group[]>();

  constructor(snapshot: Snapshot, waiting: readonly Pod[], domains: Domains) {
    this.#snapshot = snapshot;
    this.#domains = domains;
    this.#waiting = new Set(waiting.map((pod) => pod.uid));
    for (const node of snapshot.nodes)
      for (const pod of factsOf(node).keepers) this.#addKeeper(pod, node);
  }

  get groups(): number {
    return this.#groups.size;
  }

  /** Makes the class's rules known; to be called for all classes before any ties are asked for. */
  register(pod: Pod, rung: Rung): void {
    this.#ownGroups(pod, rung);
  }

  /** How the class stands to all groups while it asks for what the rung says. */
  tiesOf(podClass: PodClass, rung: Rung, rungIndex: number): Ties {
    const text = `${rungIndex} ${podClass.crowd} ${podClass.rules}`;
    const known = this.#ties.get(text);
    if (known !== undefined) return known;
    const ties = this.#makeTies(podClass, rung);
    this.#ties.set(text, ties);
    return ties;
  }

  #makeTies(podClass: PodClass, rung: Rung): Ties {
    const { sample } = podClass;
    const own = this.#ownGroups(sample, rung);
    const others = this.#groupsMatching(podClass).filter(
      (group) => !own.has(group) && isSeen(group, rung),
    );
    const all = [...own, ...others];
    for (const group of all) this.#countExisting(group);
    const isMatch = (group: Group): boolean => group.rule.matches(sample);
    const zonal = all
      .filter((group) => group.rule.key !== labels.hostname)
      .map((group): Tie => {
        const isOwner = own.has(group);
        const isSpread = isOwner && group.rule.kind === 'spread';
        const eligible = isSpread ? this.#domains.eligible(group, rung.strict) : [];
        return { group, matches: isMatch(group), isOwner, eligible };
      });
    const hosts = all.filter((group) => group.rule.key === labels.hostname);
    const host = hosts
      .filter((group) => group.rule.kind !== 'affinity')
      .map((group): HostTie => {
        const matches = isMatch(group);
        return {
          group,
          matches,
          isOwner: own.has(group),
          cap: capOf(group, own.has(group), matches),
        };
      });
    const company = hosts
      .filter((group) => group.rule.kind === 'affinity')
      .map((group) => ({ group, matches: isMatch(group), isOwner: own.has(group) }));
    return {
      zonal,
      host: [...host, ...company.filter(({ isOwner }) => !isOwner).map(asCounted)],
      company: company.filter(({ isOwner }) => isOwner),
      pinned: this.#pinnedKeys(zonal),
      soloCap: Math.min(Infinity, ...host.filter((tie) => tie.matches).map((tie) => tie.cap)),
    };
  }

  #pinnedKeys(zonal: readonly Tie[]): readonly string[] {
    const keys = zonal
      .filter(({ isOwner, group }) => isOwner || this.#domains.all(group.rule.key).length > 0)
      .map(({ group }) => group.rule.key);
    return [...new Set(keys)].sort();
  }

  /** The groups of the rules that the pod has itself; a rung belongs to one class of pods. */
  #ownGroups(pod: Pod, rung: Rung): ReadonlySet<Group> {
    const known = this.#own.get(rung);
    if (known !== undefined) return known;
    const hard = pod.antiAffinity?.length ?? 0;
    const own = new Set([
      ...rung.spread.map((constraint) => this.#spreadGroup(pod, constraint)),
      ...termLists(rung.affinity).map(({ key, terms }) =>
        this.#termGroup('affinity', terms, key, true),
      ),
      ...rung.preferredAffinity.map((term) =>
        this.#termGroup('affinity', [term], term.topologyKey, false),
      ),
      ...rung.antiAffinity.map((term, index) =>
        this.#termGroup('anti-affinity', [term], term.topologyKey, index < hard),
      ),
    ]);
    this.#own.set(rung, own);
    return own;
  }

  #groupsMatching({ crowd, sample }: PodClass): readonly Group[] {
    const known = this.#matching.get(crowd);
    if (known !== undefined) return known;
    const found = this.#likely(sample).filter((group) => group.rule.matches(sample));
    this.#matching.set(crowd, found);
    return found;
  }

  /** The groups that could match a pod with these labels, in the order in which they were made. */
  #likely({ labels: own }: Pod): Group[] {
    const lists = Object.entries(own).map(([key, value]) => this.#anchored.get(`${key}=${value}`));
    const found = [this.#anchored.get(''), ...lists].flatMap((list) => list ?? []);
    return found.sort((a, b) => a.id - b.id);
  }

  #spreadGroup(pod: Pod, constraint: SpreadConstraint): Group {
    const rule = spreadRule(pod, constraint);
    const filter = rule.filter?.map(requirementsKey).join(' or ') ?? '';
    const tolerant = rule.tolerant === undefined ? '' : JSON.stringify(pod.tolerations);
    const text = `spread ${pod.namespace} ${JSON.stringify(constraint)} ${filter} ${tolerant}`;
    return this.#group(text, rule);
  }

  #termGroup(
    kind: 'affinity' | 'anti-affinity',
    terms: readonly PodTerm[],
    key: string,
    isHard: boolean,
  ): Group {
    const text = `${kind} ${isHard} ${key} ${JSON.stringify(terms.map(withoutWeight))}`;
    const { namespaces } = this.#snapshot;
    return this.#group(text, termRule(kind, terms, { key, isHard, namespaces }));
  }

  #group(text: string, rule: GroupRule): Group {
    const known = this.#groups.get(text);
    if (known !== undefined) return known;
    const group = new Group(this.#groups.size, rule);
    this.#groups.set(text, group);
    const anchor = rule.anchor ?? '';
    this.#anchored.set(anchor, [...(this.#anchored.get(anchor) ?? []), group]);
    return group;
  }

  /** Once per group, and only where some class is tied to it: most rules in a cluster are others'. */
  #countExisting(group: Group): void {
    if (this.#counted.has(group)) return;
    this.#counted.add(group);
    countExisting(group, this.#snapshot.nodes, this.#waiting);
  }

  #addKeeper(pod: Pod, node: Node): void {
    if (this.#waiting.has(pod.uid)) return;
    for (const term of pod.antiAffinity ?? []) {
      const group = this.#termGroup('anti-affinity', [term], term.topologyKey, true);
      const domain = countedDomain(node, group.rule);
      if (domain !== undefined) group.addOwners(domain, 1, group.rule.matches(pod));
    }
  }
}

/** What others' rules mean for a class: hard ones always, soft ones only to be counted by. */
function isSeen({ rule }: Group, { alternatives }: Rung): boolean {
  if (!rule.isHard) return false;
  const { filter } = rule;
  // Pods on nodes that the rule does not look at are not counted by it.
  return (
    filter === undefined ||
    filter.some((one) => alternatives.some((other) => firstConflict(one, other) === undefined))
  );
}

/** The most matching pods that a pod with the rule bears on its node, itself included. */
function capOf({ rule }: Group, isOwner: boolean, matches: boolean): number {
  if (!isOwner) return Infinity;
  if (rule.kind === 'spread') return rule.maxSkew;
  return matches ? 1 : 0;
}

function asCounted({ group, matches }: { group: Group; matches: boolean }): HostTie {
  return { group, matches, isOwner: false, cap: Infinity };
}

/** One list of all terms per label, since company must match every term. */
function termLists(
  terms: readonly PodTerm[],
): readonly { readonly key: string; readonly terms: readonly PodTerm[] }[] {
  return [...new Set(terms.map((term) => term.topologyKey))].map((key) => ({ key, terms }));
}

function withoutWeight(term: PodTerm): PodTerm {
  const { topologyKey, selector, namespaces, namespaceSelector } = term;
  return { topologyKey, selector, namespaces, namespaceSelector };
}
