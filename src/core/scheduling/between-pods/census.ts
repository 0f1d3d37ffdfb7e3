import { Headcount } from '../../cluster/headcount.ts';
import { factsOf } from '../../cluster/node-facts.ts';
import type { Pod, PodTerm } from '../../cluster/pod.ts';
import type { Node, Snapshot } from '../../cluster/snapshot.ts';
import { companyDomain, countedDomain, domainsToAvoid } from './domains.ts';
import { type Group, type GroupRule, termRule } from './group.ts';

/** Matching pods by domain. */
type Tally = ReadonlyMap<string, number>;

/** Pods on the nodes that keep others away by one term. */
export interface Keeping {
  readonly term: PodTerm;
  /** By domain: how many of them match the term themselves, and how many do not. */
  readonly keepers: ReadonlyMap<string, { readonly selfish: number; readonly averse: number }>;
}

/** What was counted for one attempt holds for the next one as well. */
interface Memory {
  readonly namespaces: Snapshot['namespaces'];
  /** By the text of the group. */
  readonly tallies: Map<string, Tally>;
  keeping?: readonly Keeping[];
}

type Peopled = Pick<Snapshot, 'nodes' | 'namespaces'>;

const memories = new WeakMap<readonly Node[], Memory>();

/**
 * Adds the pods that are on the nodes to the group's counts; whoever is held on a leaving node is
 * still there for the kube-scheduler, whatever the rule.
 */
export function countExisting(group: Group, snapshot: Peopled): void {
  const { tallies } = memoryOf(snapshot);
  const tally = tallies.get(group.text) ?? tallyOf(group, snapshot.nodes);
  tallies.set(group.text, tally);
  for (const [domain, pods] of tally) group.add(domain, pods);
}

/** Who keeps others away, in the order in which the nodes show them; equal terms may come apart. */
export function keepingOn(snapshot: Peopled): readonly Keeping[] {
  const memory = memoryOf(snapshot);
  memory.keeping ??= keepingOf(snapshot);
  return memory.keeping;
}

function keepingOf({ nodes, namespaces }: Peopled): readonly Keeping[] {
  const drafts = new Map<PodTerm, KeepingDraft>();
  for (const node of nodes)
    for (const pod of factsOf(node).keepers)
      for (const term of pod.antiAffinity ?? []) {
        const draft = drafts.get(term) ?? draftOf(term, namespaces);
        drafts.set(term, draft);
        note(draft, pod, node);
      }
  return [...drafts.values()];
}

function note({ rule, keepers }: KeepingDraft, pod: Pod, node: Node): void {
  const isSelfish = rule.matches(pod);
  for (const domain of domainsToAvoid(node, rule)) {
    const { selfish, averse } = keepers.get(domain) ?? nobody;
    const more = isSelfish ? { selfish: selfish + 1, averse } : { selfish, averse: averse + 1 };
    keepers.set(domain, more);
  }
}

interface KeepingDraft extends Keeping {
  readonly rule: GroupRule;
  readonly keepers: Map<string, { readonly selfish: number; readonly averse: number }>;
}

const nobody = { selfish: 0, averse: 0 };

function draftOf(term: PodTerm, namespaces: Snapshot['namespaces']): KeepingDraft {
  const at = { key: term.topologyKey, isHard: true, namespaces };
  return { term, rule: termRule('anti-affinity', [term], at), keepers: new Map() };
}

function memoryOf({ nodes, namespaces }: Peopled): Memory {
  const known = memories.get(nodes);
  if (known !== undefined && known.namespaces === namespaces) return known;
  const memory: Memory = { namespaces, tallies: new Map() };
  memories.set(nodes, memory);
  return memory;
}

function tallyOf(group: Group, nodes: readonly Node[]): Tally {
  const tally = new Map<string, number>();
  Headcount.of(nodes).forEachNode(group.rule, (node, pods) => {
    for (const domain of domainsOf(group, node)) tally.set(domain, (tally.get(domain) ?? 0) + pods);
  });
  return tally;
}

function domainsOf({ rule }: Group, node: Node): readonly string[] {
  if (rule.kind === 'anti-affinity') return domainsToAvoid(node, rule);
  const one = rule.kind === 'affinity' ? companyDomain(node, rule) : countedDomain(node, rule);
  return one === undefined ? [] : [one];
}
