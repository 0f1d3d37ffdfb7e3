import type { InstanceType } from '../catalog/instance-type.ts';
import { type Resources, smallest } from '../quantity/resources.ts';
import { withRenewedKeys } from '../requirements/requirements.ts';
import { nameField, labels as wellKnown } from '../requirements/well-known.ts';
import { daemonsOfType, daemonsToCome } from './daemons.ts';
import type { HostPort, Pod } from './pod.ts';
import type { Node } from './snapshot.ts';

type Labels = Readonly<Record<string, string>>;

/**
 * Namespace and labels: all that selectors can see of a pod. Pods that share their labels, as those
 * do that were decoded with one memory, are of the very same kind.
 */
export type CrowdKind = Pick<Pod, 'namespace' | 'labels'>;

/** Bound pods of one kind. */
export interface Crowd {
  readonly kind: CrowdKind;
  readonly pods: number;
}

/** What decisions ask of a node again and again, worked out once per node value. */
export interface NodeFacts {
  /** Under their present names, the host name included; the node's own name where it has one. */
  readonly labels: Labels;
  /** What its bound pods hold. */
  readonly used: Resources;
  readonly ports: readonly HostPort[];
  /** Bound pods as others' selectors see them; those that are going or gone do not count. */
  readonly crowds: readonly Crowd[];
  /** Bound pods that keep others away. */
  readonly keepers: readonly Pod[];
  /** Volumes attached, by CSI driver. */
  readonly attached: ReadonlyMap<string, ReadonlySet<string>>;
}

const known = new WeakMap<Node, NodeFacts>();

/** A node value never changes, so that its facts hold as long as it is the same value. */
export function factsOf(node: Node): NodeFacts {
  const before = known.get(node);
  if (before !== undefined) return before;
  const facts = compile(node);
  known.set(node, facts);
  return facts;
}

function compile(node: Node): NodeFacts {
  const used: Record<string, number> = {};
  for (const pod of node.pods)
    for (const name in pod.requests) used[name] = (used[name] ?? 0) + (pod.requests[name] ?? 0);
  const seen = node.pods.filter((pod) => !pod.isTerminal && !pod.isTerminating);
  return {
    labels: labelsOf(node),
    used,
    ports: node.pods.flatMap((pod) => pod.hostPorts),
    crowds: crowdsOf(seen),
    keepers: seen.filter((pod) => (pod.antiAffinity?.length ?? 0) > 0),
    attached: attachedOf(node.pods),
  };
}

function labelsOf(node: Node): Labels {
  const labels: Record<string, string> = withRenewedKeys(node.labels);
  labels[wellKnown.hostname] ??= node.name;
  if (isThere(node)) labels[nameField] = node.name;
  return labels;
}

/** Whether the node has joined the cluster; before that it goes by the name of its claim. */
export function isThere({ stage }: Node): boolean {
  return stage === 'registered' || stage === 'initialized';
}

function crowdsOf(pods: readonly Pod[]): readonly Crowd[] {
  const counts = new Map<CrowdKind, number>();
  for (const pod of pods) {
    const kind = kindOf(pod);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return Array.from(counts, ([kind, count]) => ({ kind, pods: count }));
}

const kinds = new WeakMap<Labels, Map<string, CrowdKind>>();
/** Only pods without labels can be in so many namespaces; beyond, their memory begins anew. */
const mostNamespaces = 1_000;

function kindOf({ namespace, labels }: Pod): CrowdKind {
  const byNamespace = kinds.get(labels) ?? new Map<string, CrowdKind>();
  const known = byNamespace.get(namespace);
  if (known !== undefined) return known;
  if (byNamespace.size >= mostNamespaces) byNamespace.clear();
  const kind = { namespace, labels };
  byNamespace.set(namespace, kind);
  kinds.set(labels, byNamespace);
  return kind;
}

function attachedOf(pods: readonly Pod[]): ReadonlyMap<string, ReadonlySet<string>> {
  const attached = new Map<string, Set<string>>();
  for (const pod of pods) {
    for (const [driver, volumes] of Object.entries(pod.volumes?.attachments ?? {})) {
      const set = attached.get(driver) ?? new Set();
      for (const volume of volumes) set.add(volume);
      attached.set(driver, set);
    }
  }
  return attached;
}

/** Daemons that will still come to the node, with what they will hold. */
export interface Expected {
  readonly requests: Resources;
  /** Of an order, those of daemons of any machine that it may become. */
  readonly ports: readonly HostPort[];
  /** What an order needs beyond that, so that each of its types has room for its own daemons. */
  readonly ofSomeTypes: Resources;
}

const expectations = new WeakMap<
  Node,
  { readonly daemons: readonly Pod[]; readonly expected: Expected }
>();

/** What room to keep free for daemons; worked out once per node value and list of daemons. */
export function expectedOn(node: Node, daemons: readonly Pod[]): Expected {
  const before = expectations.get(node);
  if (before !== undefined && isSameList(before.daemons, daemons)) return before.expected;
  const { labels } = factsOf(node);
  const coming = daemonsToCome(node, labels, daemons);
  const byType = (node.possibleTypes ?? []).map((type) => ({
    type,
    daemons: daemonsOfType(type, { node, labels }, daemons),
  }));
  const requests = totalOf(coming);
  const any = new Set([...coming, ...byType.flatMap((one) => one.daemons)]);
  const expected = {
    requests,
    ports: [...any].flatMap((pod) => pod.hostPorts),
    ofSomeTypes: neededBySomeTypes(byType, requests),
  };
  expectations.set(node, { daemons, expected });
  return expected;
}

/** A machine that an order may become, and the daemons that may then run on it. */
interface Outcome {
  readonly type: InstanceType;
  readonly daemons: readonly Pod[];
}

function neededBySomeTypes(outcomes: readonly Outcome[], surely: Resources): Resources {
  const least = outcomes
    .map(({ type }) => type.allocatable)
    .reduce(smallest, outcomes[0]?.type.allocatable ?? {});
  const needed: Record<string, number> = {};
  for (const { type, daemons } of outcomes) {
    const own = totalOf(daemons);
    for (const name in own) {
      const spare = (type.allocatable[name] ?? 0) - (least[name] ?? 0);
      const more = (own[name] ?? 0) - (surely[name] ?? 0) - spare;
      if (more > (needed[name] ?? 0)) needed[name] = more;
    }
  }
  return needed;
}

function totalOf(pods: readonly Pod[]): Resources {
  const total: Record<string, number> = {};
  for (const { requests } of pods)
    for (const name in requests) total[name] = (total[name] ?? 0) + (requests[name] ?? 0);
  return total;
}

/** Whether the lists hold the same values in the same order. */
export function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a === b || (a.length === b.length && a.every((value, index) => value === b[index]));
}
