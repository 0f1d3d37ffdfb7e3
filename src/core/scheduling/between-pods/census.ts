import { type Crowd, factsOf } from '../../cluster/node-facts.ts';
import type { Node, Snapshot } from '../../cluster/snapshot.ts';
import { companyDomain, countedDomain, domainsToAvoid } from './domains.ts';
import type { Group } from './group.ts';

/** Matching pods by domain. */
type Tally = ReadonlyMap<string, number>;

/** What was counted for one attempt holds for the next one as well. */
interface Memory {
  readonly namespaces: Snapshot['namespaces'];
  /** By the text of the group. */
  readonly tallies: Map<string, Tally>;
}

const memories = new WeakMap<readonly Node[], Memory>();

/**
 * Adds the pods that are on the nodes to the group's counts; whoever is held on a leaving node is
 * still there for the kube-scheduler, whatever the rule.
 */
export function countExisting(
  group: Group,
  snapshot: Pick<Snapshot, 'nodes' | 'namespaces'>,
): void {
  const { tallies } = memoryOf(snapshot);
  const tally = tallies.get(group.text) ?? tallyOf(group, snapshot.nodes);
  tallies.set(group.text, tally);
  for (const [domain, pods] of tally) group.add(domain, pods);
}

function memoryOf({ nodes, namespaces }: Pick<Snapshot, 'nodes' | 'namespaces'>): Memory {
  const known = memories.get(nodes);
  if (known !== undefined && known.namespaces === namespaces) return known;
  const memory = { namespaces, tallies: new Map<string, Tally>() };
  memories.set(nodes, memory);
  return memory;
}

function tallyOf(group: Group, nodes: readonly Node[]): Tally {
  const tally = new Map<string, number>();
  const isMatch = matcherOf(group);
  for (const node of nodes) {
    const crowds = crowdsFor(group, node);
    const domains = crowds === undefined ? [] : domainsOf(group, node);
    if (crowds === undefined || domains.length === 0) continue;
    let pods = 0;
    for (const crowd of crowds) if (isMatch(crowd)) pods += crowd.pods;
    if (pods === 0) continue;
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
  const { crowds, crowdsBy } = factsOf(node);
  return rule.anchor === undefined ? crowds : crowdsBy.get(rule.anchor);
}

function domainsOf({ rule }: Group, node: Node): readonly string[] {
  if (rule.kind === 'anti-affinity') return domainsToAvoid(node, rule);
  const one = rule.kind === 'affinity' ? companyDomain(node, rule) : countedDomain(node, rule);
  return one === undefined ? [] : [one];
}
