import type { Pod } from '../cluster/pod.ts';
import type { Snapshot } from '../cluster/snapshot.ts';
import type { NewNode, Unplaced } from '../scheduling/plan.ts';
import type { DecisionDraft } from './decision.ts';
import { costUsdPerHour, perHour } from './money.ts';
import type { Refusal } from './reason.ts';
import { article, count, podsOf } from './words.ts';

export interface NodeOrder {
  readonly claimName: string;
  readonly node: NewNode;
  readonly snapshot: Snapshot;
  /** What orders of the same plan that were placed before this one cost together. */
  readonly orderedUsdPerHour?: number | undefined;
}

/** A machine has been ordered: what, for whom, for how much, and why this one. */
export function nodeOrdered(order: NodeOrder): DecisionDraft {
  const { node, claimName, snapshot, orderedUsdPerHour = 0 } = order;
  const { instanceType, zone, capacityType, priceUsdPerHour } = node.cheapest;
  const before = costUsdPerHour(snapshot) + orderedUsdPerHour;
  return {
    code: 'NodeOrdered',
    subject: { kind: 'NodeClaim', name: claimName },
    because: [
      { name: 'pods', value: node.pods.length },
      { name: 'pool', value: node.pool.name },
      { name: 'instanceType', value: instanceType },
      { name: 'zone', value: zone },
      { name: 'capacityType', value: capacityType },
      { name: 'priceUsdPerHour', value: priceUsdPerHour },
      ...(node.dearest === undefined
        ? []
        : [{ name: 'dearestUsdPerHour', value: node.dearest.priceUsdPerHour }]),
      { name: 'instanceTypes', value: node.instanceTypes.length },
    ],
    money: { beforeUsdPerHour: before, afterUsdPerHour: before + priceUsdPerHour },
    sentence:
      `Ordered ${article(capacityType)} ${capacityType} ${instanceType} in ${zone} for ` +
      `${podsOf(node.pods)} at ${perHour(priceUsdPerHour)} from NodePool ${node.pool.name}: ` +
      `${choice(node)}${atMost(node)}.`,
  };
}

/** Pods that fit what exists or is on the way, told once per node. */
export function podsPlaced(placed: {
  readonly nodeName: string;
  readonly pods: readonly Pod[];
}): DecisionDraft {
  const { nodeName, pods } = placed;
  return {
    code: 'PodsPlaced',
    subject: { kind: 'Node', name: nodeName },
    because: [{ name: 'pods', value: pods.length }],
    sentence: `Node ${nodeName} has room for ${podsOf(pods)}: nothing to buy for ${pods.length === 1 ? 'it' : 'them'}.`,
  };
}

/** No place for a pod, with what its owner can change. */
export function podRefused({ pod, refusal }: Unplaced): DecisionDraft {
  return {
    code: 'PodRefused',
    subject: { kind: 'Pod', namespace: pod.namespace, name: pod.name },
    because: [
      { name: 'code', value: refusal.code },
      ...refusal.parts.map((part) => ({ name: part.subject.name, value: part.sentence })),
      ...(refusal.remedies ?? []).map(({ sentence }, index) => ({
        name: index === 0 ? 'remedy' : `remedy${index + 1}`,
        value: sentence,
      })),
    ],
    sentence: `No place for pod ${pod.namespace}/${pod.name}: ${refusalText(refusal)}`,
    refusal: plain(refusal),
  };
}

/** Events hold so much that the remedy after a longer sentence would be cut off. */
const longest = 700;

/** What is in the pod's way, and the smallest change that would help. */
export function refusalText({ sentence, remedies = [] }: Refusal): string {
  const [best] = remedies;
  if (best === undefined) return sentence;
  const told = sentence.length > longest ? `${sentence.slice(0, longest)} …` : sentence;
  return `${told} It would help to ${best.sentence}.`;
}

/** As a value of its own: a refusal may be one that is worked out when it is read. */
function plain({ code, sentence, parts, nodes, remedies }: Refusal): Refusal {
  return { code, sentence, parts, nodes, remedies };
}

/** A pool that cannot be ordered from, and why. */
export function nodePoolRefused(pool: {
  readonly name: string;
  readonly reason: string;
}): DecisionDraft {
  return {
    code: 'NodePoolRefused',
    subject: { kind: 'NodePool', name: pool.name },
    because: [{ name: 'reason', value: pool.reason }],
    sentence: `Nothing is ordered from NodePool ${pool.name}: ${pool.reason}.`,
  };
}

/** The list of types is wide so that spot has room; this is what that may come to cost. */
function atMost({ cheapest, dearest }: NewNode): string {
  if (dearest === undefined || dearest.priceUsdPerHour <= cheapest.priceUsdPerHour) return '';
  return `, at ${perHour(dearest.priceUsdPerHour)} at most`;
}

function choice(node: NewNode): string {
  if (node.instanceTypes.length === 1) return 'the one type that holds them at such a price';
  return `the cheapest of ${count(node.instanceTypes.length, 'type')} that hold ${node.pods.length === 1 ? 'it' : 'them'}`;
}
