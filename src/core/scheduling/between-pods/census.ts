import { Headcount } from '../../cluster/headcount.ts';
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
