import { type Crowd, factsOf } from '../../cluster/node-facts.ts';
import type { Node, Snapshot } from '../../cluster/snapshot.ts';
import { companyDomain, countedDomain, domainsToAvoid } from './domains.ts';
import type { Group } from './group.ts';

/** Where the pods are that a rule counts. */
export interface Census {
  readonly snapshot: Pick<Snapshot, 'nodes' | 'namespaces'>;
  /** Pods that count nowhere, since they look for a place. */
  readonly waiting: ReadonlySet<string>;
}

/** Matching pods by domain. */
type Tally = ReadonlyMap<string, number>;

/** What was counted for one attempt holds for the next one as well. */
interface Memory {
  readonly namespaces: Snapshot['namespaces'];
  readonly staying: readonly Node[];
  readonly leaving: readonly Node[];
  /** Of nodes that stay, by the text of the group. */
  readonly tallies: Map<string, Tally>;
}

const memories = new WeakMap<readonly Node[], Memory>();

/** Adds the pods that are on the nodes to the group's counts. */
export function countExisting(group: Group, { snapshot, waiting }: Census): void {
  const { staying, leaving, tallies } = memoryOf(snapshot);
  // Nobody who waits is on a node that stays.
  const stayingPods = tallies.get(group.text) ?? tallyOf(group, staying, new Set());
  tallies.set(group.text, stayingPods);
  for (const tally of [stayingPods, tallyOf(group, leaving, waiting)])
    for (const [domain, pods] of tally) group.add(domain, pods);
}

function memoryOf({ nodes, namespaces }: Census['snapshot']): Memory {
  const known = memories.get(nodes);
  if (known !== undefined && known.namespaces === namespaces) return known;
  const memory = {
    namespaces,
    staying: nodes.filter(({ isLeaving }) => !isLeaving),
    leaving: nodes.filter(({ isLeaving }) => isLeaving),
    tallies: new Map<string, Tally>(),
  };
  memories.set(nodes, memory);
  return memory;
}

function tallyOf(group: Group, nodes: readonly Node[], waiting: ReadonlySet<string>): Tally {
  const tally = new Map<string, number>();
  const isMatch = matcherOf(group);
  for (const node of nodes) {
    const crowds = crowdsFor(group, node);
    const domains = crowds === undefined ? [] : domainsOf(group, node);
    if (crowds === undefined || domains.length === 0) continue;
    let pods = 0;
    for (const crowd of crowds) if (isMatch(crowd)) pods += crowd.pods;
    if (pods > 0) pods -= waitingOn(group, node, waiting);
    if (pods <= 0) continue;
    for (const domain of domains) tally.set(domain, (tally.get(domain) ?? 0) + pods);
  }
  return tally;
}

/** Crowds are alike on many nodes, and asked about once. */
function matcherOf({ rule }: Group): (crowd: Crowd) => boolean {
  const known = new Map<string, boolean>();
  return ({ key, sample }) => {
    const isMatch = known.get(key) ?? rule.matches(sample);
    known.set(key, isMatch);
    return isMatch;
  };
}

/** The crowds that could match; undefined where there are none to count. */
function crowdsFor({ rule }: Group, node: Node): readonly Crowd[] | undefined {
  // Whoever is still on a leaving node is there for others, but not to be evened out with.
  if (node.isLeaving && rule.kind === 'spread') return undefined;
  const { crowds, crowdsBy } = factsOf(node);
  return rule.anchor === undefined ? crowds : crowdsBy.get(rule.anchor);
}

function domainsOf({ rule }: Group, node: Node): readonly string[] {
  if (rule.kind === 'anti-affinity') return domainsToAvoid(node, rule);
  const one = rule.kind === 'affinity' ? companyDomain(node, rule) : countedDomain(node, rule);
  return one === undefined ? [] : [one];
}

/** Pods that are bound and look for a new place all the same. */
function waitingOn({ rule }: Group, node: Node, waiting: ReadonlySet<string>): number {
  if (!node.isLeaving) return 0;
  return node.pods.filter(
    (pod) => waiting.has(pod.uid) && !pod.isTerminal && !pod.isTerminating && rule.matches(pod),
  ).length;
}
