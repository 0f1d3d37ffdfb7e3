import type { Pod } from '../cluster/pod.ts';
import type { Node, Snapshot } from '../cluster/snapshot.ts';
import type { Move, Stay } from '../disruption/move.ts';
import type { DecisionDraft, Money } from './decision.ts';
import { costUsdPerHour, perHour } from './money.ts';
import { podsOf, timeText } from './words.ts';

/** A node that runs nothing is given up. */
export function nodeEmpty(move: Move, snapshot: Snapshot): DecisionDraft {
  const [node] = move.nodes;
  return {
    code: 'NodeEmpty',
    subject: { kind: 'Node', name: node?.name ?? '' },
    because: [
      { name: 'pool', value: node?.poolName ?? '' },
      { name: 'savingUsdPerHour', value: move.savingUsdPerHour },
    ],
    money: without(snapshot, move.savingUsdPerHour),
    sentence: move.sentence,
  };
}

/** A node that was looked at and stays. */
export function disruptionRefused({ node, code, sentence }: Stay): DecisionDraft {
  return {
    code: 'DisruptionRefused',
    subject: { kind: 'Node', name: node.name },
    because: [{ name: 'code', value: code }],
    sentence,
  };
}

/** The node's pods are being moved off it. */
export function nodeDraining(draining: {
  readonly nodeName: string;
  readonly pods: readonly Pod[];
}): DecisionDraft {
  const { nodeName, pods } = draining;
  const what = pods.length === 0 ? 'there is nothing to move' : `moving ${podsOf(pods)}`;
  return {
    code: 'NodeDraining',
    subject: { kind: 'Node', name: nodeName },
    because: [{ name: 'pods', value: pods.length }],
    sentence: `Draining node ${nodeName}: ${what}.`,
  };
}

/** A pod that does not let its node go, and what holds it. */
export function drainBlocked(blocked: {
  readonly nodeName: string;
  readonly pod: Pick<Pod, 'namespace' | 'name'>;
  readonly why: string;
}): DecisionDraft {
  const { nodeName, pod, why } = blocked;
  return {
    code: 'DrainBlocked',
    subject: { kind: 'Node', name: nodeName },
    because: [
      { name: 'pod', value: `${pod.namespace}/${pod.name}` },
      { name: 'why', value: why },
    ],
    sentence: `Node ${nodeName} cannot be drained yet: pod ${pod.namespace}/${pod.name} stays: ${why}.`,
  };
}

/** The node is gone and billed no longer. `snapshot` is the cluster while it was still there. */
export function nodeRemoved(removed: {
  readonly node: Pick<Node, 'name' | 'priceUsdPerHour'>;
  readonly snapshot?: Snapshot | undefined;
  /** How long it took from the decision, where known. */
  readonly tookMs?: number | undefined;
}): DecisionDraft {
  const { node, snapshot, tookMs } = removed;
  const price = node.priceUsdPerHour;
  const saving = price === undefined ? '' : `, ${perHour(price)} less`;
  const took = tookMs === undefined ? '' : ` after ${timeText(tookMs)}`;
  return {
    code: 'NodeRemoved',
    subject: { kind: 'Node', name: node.name },
    because: price === undefined ? [] : [{ name: 'savingUsdPerHour', value: price }],
    money: snapshot === undefined || price === undefined ? undefined : without(snapshot, price),
    sentence: `Node ${node.name} is gone${took}${saving}.`,
  };
}

/** The cloud is about to take the machine away. */
export function nodeInterrupted(interrupted: {
  readonly nodeName: string;
  readonly instanceId: string;
  readonly what: string;
}): DecisionDraft {
  const { nodeName, instanceId, what } = interrupted;
  return {
    code: 'NodeInterrupted',
    subject: { kind: 'Node', name: nodeName },
    because: [
      { name: 'instanceId', value: instanceId },
      { name: 'what', value: what },
    ],
    sentence: `Node ${nodeName} (${instanceId}) is being taken away by the cloud (${what}): draining it now.`,
  };
}

function without(snapshot: Snapshot, usdPerHour: number): Money {
  const before = costUsdPerHour(snapshot);
  return { beforeUsdPerHour: before, afterUsdPerHour: Math.max(0, before - usdPerHour) };
}
