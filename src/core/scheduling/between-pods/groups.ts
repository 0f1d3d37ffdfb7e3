import type { Pod, PodTerm, SpreadConstraint } from '../../cluster/pod.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import { requirementsKey } from '../../requirements/requirements.ts';
import { Group, type GroupRule, isAlikeToSpread, spreadRule, termRule } from './group.ts';

/** The groups of one solve: rules that say the same are one group, whoever has them. */
export class Groups {
  readonly #namespaces: Snapshot['namespaces'];
  readonly #byText = new Map<string, Group>();
  /** By a label that all their pods carry; under no text those without one. */
  readonly #anchored = new Map<string, readonly Group[]>();
  /** The last answer for the very same constraint, which classes with other volumes share. */
  readonly #spreads = new Map<SpreadConstraint, { readonly pod: Pod; readonly group: Group }>();

  constructor(namespaces: Snapshot['namespaces']) {
    this.#namespaces = namespaces;
  }

  get size(): number {
    return this.#byText.size;
  }

  /** In the order in which they were made. */
  get all(): Iterable<Group> {
    return this.#byText.values();
  }

  ofSpread(pod: Pod, constraint: SpreadConstraint): Group {
    const known = this.#spreads.get(constraint);
    if (known !== undefined && isAlikeToSpread(known.pod, pod)) return known.group;
    const group = this.#ofSpread(pod, constraint);
    this.#spreads.set(constraint, { pod, group });
    return group;
  }

  /** Several terms over one label are one group: company must match every term. */
  ofTerms(kind: 'affinity' | 'anti-affinity', terms: readonly PodTerm[], at: TermPlace): Group {
    const { key, isHard } = at;
    const text = `${kind} ${isHard} ${key} ${JSON.stringify(terms.map(withoutWeight))}`;
    return this.#group(text, termRule(kind, terms, { ...at, namespaces: this.#namespaces }));
  }

  /** Those that could count a pod with these labels, in the order in which they were made. */
  likelyFor({ labels }: Pod): Group[] {
    const found = [...(this.#anchored.get('') ?? [])];
    for (const key in labels) {
      const list = this.#anchored.get(`${key}=${labels[key]}`);
      if (list !== undefined) for (const group of list) found.push(group);
    }
    return found.length > 1 ? found.sort((a, b) => a.id - b.id) : found;
  }

  #ofSpread(pod: Pod, constraint: SpreadConstraint): Group {
    const rule = spreadRule(pod, constraint);
    const filter = rule.filter?.map(requirementsKey).join(' or ') ?? '';
    const tolerant = rule.tolerant === undefined ? '' : JSON.stringify(pod.tolerations);
    const needs = rule.needs?.join() ?? '';
    const text = `spread ${pod.namespace} ${JSON.stringify(constraint)} ${filter} ${tolerant} ${needs}`;
    return this.#group(text, rule);
  }

  #group(text: string, rule: GroupRule): Group {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const group = new Group(this.#byText.size, text, rule);
    this.#byText.set(text, group);
    const anchor = rule.anchor ?? '';
    this.#anchored.set(anchor, [...(this.#anchored.get(anchor) ?? []), group]);
    return group;
  }
}

/** The label that terms are about, and whether they must hold. */
interface TermPlace {
  readonly key: string;
  readonly isHard: boolean;
}

function withoutWeight(term: PodTerm): PodTerm {
  const { topologyKey, selector, namespaces, namespaceSelector } = term;
  return { topologyKey, selector, namespaces, namespaceSelector };
}
