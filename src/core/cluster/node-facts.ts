import type { InstanceType } from '../catalog/instance-type.ts';
import { type Resources, smallest } from '../quantity/resources.ts';
import { renewedKey } from '../requirements/requirements.ts';
import { nameField, labels as wellKnown } from '../requirements/well-known.ts';
import { daemonsOfType, daemonsToCome } from './daemons.ts';
import type { HostPort, Pod } from './pod.ts';
import type { Node } from './snapshot.ts';

type Labels = Readonly<Record<string, string>>;

/** Bound pods of one namespace with the same labels: all that selectors can see of them. */
export interface Crowd {
  /** Equal for equal namespace and labels. */
  readonly key: string;
  readonly sample: Pod;
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
  /** The same by each label that they carry, written `key=value`. */
  readonly crowdsBy: ReadonlyMap<string, readonly Crowd[]>;
  /** Bound pods that keep others away. */
  readonly keepers: readonly Pod[];
  /** Volumes attached, by CSI driver. */
  readonly attached: ReadonlyMap<string, ReadonlySet<string>>;
}

const known = new WeakMap<Node, NodeFacts>();

/** A node value never changes, so that its facts hold as long as it is the same value. */
export function factsOf(node: Node): NodeFacts {
  const facts = known.get(node) ?? compile(node);
  known.set(node, facts);
  return facts;
}

function compile(node: Node): NodeFacts {
  const labels: Record<string, string> = {};
  for (const [key, value] of Object.entries(node.labels)) labels[renewedKey(key)] = value;
  labels[wellKnown.hostname] ??= node.name;
  if (isThere(node)) labels[nameField] = node.name;
  const used: Record<string, number> = {};
  for (const pod of node.pods)
    for (const name in pod.requests) used[name] = (used[name] ?? 0) + (pod.requests[name] ?? 0);
  const seen = node.pods.filter((pod) => !pod.isTerminal && !pod.isTerminating);
  const crowds = crowdsOf(seen);
  return {
    labels,
    used,
    ports: node.pods.flatMap((pod) => pod.hostPorts),
    crowds,
    crowdsBy: byLabel(crowds),
    keepers: seen.filter((pod) => (pod.antiAffinity?.length ?? 0) > 0),
    attached: attachedOf(node.pods),
  };
}

/** Whether the node has joined the cluster; before that it goes by the name of its claim. */
export function isThere({ stage }: Node): boolean {
  return stage === 'registered' || stage === 'initialized';
}

function crowdsOf(pods: readonly Pod[]): readonly Crowd[] {
  const crowds = new Map<string, { key: string; sample: Pod; pods: number }>();
  for (const pod of pods) {
    const key = crowdKey(pod);
    const crowd = crowds.get(key);
    if (crowd === undefined) crowds.set(key, { key, sample: pod, pods: 1 });
    else crowd.pods += 1;
  }
  return [...crowds.values()];
}

function byLabel(crowds: readonly Crowd[]): ReadonlyMap<string, readonly Crowd[]> {
  const lists = new Map<string, Crowd[]>();
  for (const crowd of crowds)
    for (const key in crowd.sample.labels) {
      const label = `${key}=${crowd.sample.labels[key]}`;
      const list = lists.get(label);
      if (list === undefined) lists.set(label, [crowd]);
      else list.push(crowd);
    }
  return lists;
}

/** Equal for pods that no selector can tell apart. */
function crowdKey(pod: Pod): string {
  let text = pod.namespace;
  for (const key of Object.keys(pod.labels).sort()) text += `,${key}=${pod.labels[key]}`;
  return text;
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
