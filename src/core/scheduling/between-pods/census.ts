import { type Crowd, factsOf } from '../../cluster/node-facts.ts';
import type { Node } from '../../cluster/snapshot.ts';
import { companyDomain, countedDomain } from './domains.ts';
import type { Group } from './group.ts';

/** Adds the pods that are on the nodes to the group's counts; `waiting` ones count nowhere. */
export function countExisting(
  group: Group,
  nodes: readonly Node[],
  waiting: ReadonlySet<string>,
): void {
  const isMatch = matcherOf(group);
  for (const node of nodes) {
    const crowds = crowdsFor(group, node);
    const domain = crowds === undefined ? undefined : domainOf(group, node);
    if (crowds === undefined || domain === undefined) continue;
    let pods = 0;
    for (const crowd of crowds) if (isMatch(crowd)) pods += crowd.pods;
    if (pods > 0) pods -= waitingOn(group, node, waiting);
    if (pods > 0) group.add(domain, pods);
  }
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

function domainOf({ rule }: Group, node: Node): string | undefined {
  return rule.kind === 'affinity' ? companyDomain(node, rule) : countedDomain(node, rule);
}

/** Pods that are bound and look for a new place all the same. */
function waitingOn({ rule }: Group, node: Node, waiting: ReadonlySet<string>): number {
  if (!node.isLeaving) return 0;
  return node.pods.filter(
    (pod) => waiting.has(pod.uid) && !pod.isTerminal && !pod.isTerminating && rule.matches(pod),
  ).length;
}
