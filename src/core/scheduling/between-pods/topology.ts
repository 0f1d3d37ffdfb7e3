import { Headcount } from '../../cluster/headcount.ts';
import type { Pod, PodTerm } from '../../cluster/pod.ts';
import type { PodClass } from '../../cluster/pod-class.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { labels } from '../../requirements/well-known.ts';
import type { Rung } from '../assigning/ladder.ts';
import { countExisting, type Keeping, keepingOn } from './census.ts';
import type { Domains } from './domains.ts';
import type { Group } from './group.ts';
import { Groups } from './groups.ts';
import { type Counting, countingOf } from './node-filter.ts';

/** How one class stands to one group, over any label but the host name. */
export interface Tie {
  readonly group: Group;
  /** Its pods are counted by the group. */
  readonly matches: boolean;
  /** Its pods have the rule themselves, rather than being seen by that of others. */
  readonly isOwner: boolean;
  /** The domains over which an owner is spread. */
  readonly eligible: readonly string[];
  /**
   * Where only some of the new nodes that would do are looked at by the rule: the pin that says
   * whether pods are on such a node, `no` where they are not.
   */
  readonly sight?: string | undefined;
}

/** The same for the host name: a node holds at most `cap` matching pods beside such a pod. */
export interface HostTie {
  readonly group: Group;
  readonly matches: boolean;
  readonly isOwner: boolean;
  readonly cap: number;
}

/** Ties over the host name as rows of numbers, which packing asks again and again. */
export interface HostRows {
  readonly groups: Int32Array;
  readonly matches: Uint8Array;
  readonly caps: Float64Array;
}

/** Everything between a class at one rung and other pods. */
export interface Ties {
  readonly zonal: readonly Tie[];
  readonly host: readonly HostTie[];
  readonly hostRows: HostRows;
  /** Affinity over the host name: the node must hold such a pod already. */
  readonly company: readonly { readonly group: Group; readonly matches: boolean }[];
  /** Labels of which a place must settle the value, sorted. */
  readonly pinned: readonly string[];
  /** How many of its own pods a node holds at most, by these rules alone. */
  readonly soloCap: number;
}

/** A group that has to do with a class, and how. */
interface Concern {
  readonly group: Group;
  readonly isOwner: boolean;
  readonly counting: Counting;
}

const none: readonly string[] = [];
const noRows = rowsOf([]);

/** Of a pod that has nothing to do with others. */
export const noTies: Ties = {
  ...{ zonal: [], host: [], hostRows: noRows, company: [], pinned: none },
  soloCap: Infinity,
};

/** All rules between pods in one solve, counted over the pods that are there and do not move. */
export class Topology {
  readonly #snapshot: Snapshot;
  readonly #domains: Domains;
  readonly #groups: Groups;
  readonly #counted = new Set<Group>();
  readonly #own = new Map<Rung, ReadonlySet<Group>>();
  readonly #matching = new Map<string, readonly Group[]>();

  constructor(snapshot: Snapshot, domains: Domains) {
    this.#snapshot = snapshot;
    this.#domains = domains;
    this.#groups = new Groups(snapshot.namespaces);
    for (const keeping of keepingOn(snapshot)) this.#addKeepers(keeping);
  }

  get groups(): number {
    return this.#groups.size;
  }

  /** Makes the class's rules known; to be called for all classes before any ties are asked for. */
  register(pod: Pod, rung: Rung): void {
    this.#ownGroups(pod, rung);
  }

  /** Looks at who is there, and at the domains of the spreads made known; ties then find answers. */
  *lookingAround(): Generator<void, void> {
    if (this.#groups.size > 0) yield* Headcount.counting(this.#snapshot.nodes);
    const rules = Array.from(this.#groups.all, ({ rule }) => rule);
    const spreads = rules.filter(({ kind, key }) => kind === 'spread' && key !== labels.hostname);
    for (const key of new Set(spreads.map((rule) => rule.key)))
      yield* this.#domains.meeting(
        key,
        spreads.filter((rule) => rule.key === key),
      );
  }

  /** How the class stands to all groups while it asks for what the rung says. */
  tiesOf(podClass: PodClass, rung: Rung): Ties {
    const { sample } = podClass;
    const own = this.#ownGroups(sample, rung);
    const zonal: Tie[] = [];
    const host: HostTie[] = [];
    const company: Ties['company'][number][] = [];
    const seen: HostTie[] = [];
    let soloCap = Infinity;
    for (const { group, isOwner, counting } of this.#concerning(podClass, rung, own)) {
      this.#countExisting(group);
      const { kind, key } = group.rule;
      const matches = !isOwner || group.rule.matches(sample);
      if (key !== labels.hostname) {
        const eligible = isOwner && kind === 'spread' ? this.#domains.eligible(group) : none;
        const sight = counting === 'either' ? `counted by ${group.id}` : undefined;
        zonal.push({ group, matches, isOwner, eligible, sight });
      } else if (kind !== 'affinity') {
        const cap = capOf(group, isOwner, matches);
        host.push({ group, matches, isOwner, cap });
        if (matches) soloCap = Math.min(soloCap, cap);
      } else if (isOwner) company.push({ group, matches });
      else seen.push({ group, matches, isOwner, cap: Infinity });
    }
    host.push(...seen);
    const pinned = this.#pinnedKeys(zonal);
    const hostRows = host.length === 0 ? noRows : rowsOf(host);
    return { zonal, host, hostRows, company, pinned, soloCap };
  }

  /** The groups of its own rules, then those of others whose hard rules count it. */
  #concerning(podClass: PodClass, rung: Rung, own: ReadonlySet<Group>): readonly Concern[] {
    const concerns: Concern[] = [];
    for (const group of own) concerns.push({ group, isOwner: true, counting: 'always' });
    const asking = { alternatives: rung.alternatives, pod: podClass.sample };
    for (const group of this.#groupsMatching(podClass)) {
      // Soft rules of others mean nothing to the class.
      if (own.has(group) || !group.rule.isHard) continue;
      const counting = countingOf(group.rule, asking, this.#domains.pools);
      if (counting !== 'never') concerns.push({ group, isOwner: false, counting });
    }
    return concerns;
  }

  #pinnedKeys(zonal: readonly Tie[]): readonly string[] {
    const keys = new Set<string>();
    for (const { isOwner, group } of zonal)
      if (isOwner || this.#domains.all(group.rule.key).length > 0) keys.add(group.rule.key);
    return keys.size === 0 ? none : [...keys].sort();
  }

  /** The groups of the rules that the pod has itself; a rung belongs to one class of pods. */
  #ownGroups(pod: Pod, rung: Rung): ReadonlySet<Group> {
    const known = this.#own.get(rung);
    if (known !== undefined) return known;
    const hard = pod.antiAffinity?.length ?? 0;
    const own = new Set([
      ...rung.spread.map((constraint) => this.#groups.ofSpread(pod, constraint)),
      ...termLists(rung.affinity).map(({ key, terms }) =>
        this.#groups.ofTerms('affinity', terms, { key, isHard: true }),
      ),
      ...rung.preferredAffinity.map((term) =>
        this.#groups.ofTerms('affinity', [term], { key: term.topologyKey, isHard: false }),
      ),
      ...rung.antiAffinity.map((term, index) =>
        this.#groups.ofTerms('anti-affinity', [term], {
          key: term.topologyKey,
          isHard: index < hard,
        }),
      ),
    ]);
    this.#own.set(rung, own);
    return own;
  }

  #groupsMatching({ crowd, sample }: PodClass): readonly Group[] {
    const known = this.#matching.get(crowd);
    if (known !== undefined) return known;
    const found = this.#groups.likelyFor(sample).filter((group) => group.rule.matches(sample));
    this.#matching.set(crowd, found);
    return found;
  }

  /** Once per group, and only where some class is tied to it: most rules in a cluster are others'. */
  #countExisting(group: Group): void {
    if (this.#counted.has(group)) return;
    this.#counted.add(group);
    countExisting(group, this.#snapshot);
  }

  #addKeepers({ term, keepers }: Keeping): void {
    const at = { key: term.topologyKey, isHard: true };
    const group = this.#groups.ofTerms('anti-affinity', [term], at);
    for (const [domain, { selfish, averse }] of keepers) group.addOwners(domain, selfish, averse);
  }
}

function rowsOf(host: readonly HostTie[]): HostRows {
  const groups = Int32Array.from(host, ({ group }) => group.id);
  const matches = Uint8Array.from(host, (tie) => (tie.matches ? 1 : 0));
  return { groups, matches, caps: Float64Array.from(host, ({ cap }) => cap) };
}

/** The most matching pods that a pod with the rule bears on its node, itself included. */
function capOf({ rule }: Group, isOwner: boolean, matches: boolean): number {
  if (!isOwner) return Infinity;
  if (rule.kind === 'spread') return rule.maxSkew;
  return matches ? 1 : 0;
}

/** One list of all terms per label, since company must match every term. */
function termLists(
  terms: readonly PodTerm[],
): readonly { readonly key: string; readonly terms: readonly PodTerm[] }[] {
  return [...new Set(terms.map((term) => term.topologyKey))].map((key) => ({ key, terms }));
}
