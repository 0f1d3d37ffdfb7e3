import type { Pod } from '../../src/core/cluster/pod.ts';
import type { Node, Snapshot } from '../../src/core/cluster/snapshot.ts';
import type { Plan } from '../../src/core/scheduling/plan.ts';
import { overattached, overfull } from './holding.ts';
import { grown, type Labels, meetsOne, nodeLabels } from './label-rules.ts';
import { isUnplaceable, toleratesAll, volumeAlternatives } from './pod-rules.ts';

/** What is wrong with the pods that the plan sends to nodes that are there. */
export function existingNodeFaults(snapshot: Snapshot, plan: Plan): readonly string[] {
  const names = new Set(snapshot.nodes.map((node) => node.name));
  return [
    ...plan.placements
      .filter(({ nodeName }) => !names.has(nodeName))
      .map(({ nodeName }) => `node ${nodeName} does not exist`),
    ...snapshot.nodes.flatMap((node) => nodeFaults(snapshot, plan, node)),
  ];
}

function nodeFaults(snapshot: Snapshot, plan: Plan, node: Node): readonly string[] {
  const placed = plan.placements.filter((p) => p.nodeName === node.name).map((p) => p.pod);
  if (placed.length === 0) return [];
  const daemons = snapshot.daemons.filter((daemon) => isStillToCome(daemon, node));
  // Until the machine is bought its labels are open, and its order was made for these pods.
  const isMeantFor = (pod: Pod): boolean =>
    node.stage === 'ordered' && node.reservedFor.includes(pod.uid);
  return [
    ...(node.isLeaving ? [`node ${node.name} is leaving and got pods`] : []),
    ...overfull(placed, [...node.pods, ...daemons], node),
    ...overattached(placed, node),
    ...placed.filter((pod) => !isMeantFor(pod)).flatMap((pod) => podFaults(pod, node)),
    ...(placed.every(isMeantFor) ? [] : orderFaults(snapshot, node, placed)),
  ];
}

/** Whichever of its types is launched, the pods must fit beside the daemons of that type. */
function orderFaults(snapshot: Snapshot, node: Node, placed: readonly Pod[]): readonly string[] {
  return (node.possibleTypes ?? []).flatMap((type) => {
    const own = [...type.requirements].flatMap(([key, set]) =>
      set.kind === 'only' && set.values.size === 1 ? [[key, [...set.values][0] ?? '']] : [],
    );
    const labels = { ...Object.fromEntries(own), ...nodeLabels(node), ...grown };
    const daemons = snapshot.daemons.filter(
      (daemon) => toleratesAll(daemon, node.taints) && meetsOne(labels, daemon.nodeAlternatives),
    );
    return overfull(placed, [...node.pods, ...daemons], {
      name: `${node.name} as ${type.name}`,
      allocatable: type.allocatable,
    });
  });
}

function podFaults(pod: Pod, node: Node): readonly string[] {
  const faults: string[] = [];
  if (isUnplaceable(pod)) faults.push(`pod ${pod.name} cannot be placed and is on ${node.name}`);
  if (!toleratesAll(pod, node.taints)) faults.push(`pod ${pod.name} on tainted ${node.name}`);
  if (!becoming(node).every((labels) => meetsOne(labels, pod.nodeAlternatives)))
    faults.push(`pod ${pod.name} does not want the labels of ${node.name}`);
  if (!becoming(node).every((labels) => meetsOne(labels, volumeAlternatives(pod))))
    faults.push(`the volumes of pod ${pod.name} cannot be reached from ${node.name}`);
  return faults;
}

/** The labels that it has, and those that it may get in place of none for each that is still open. */
function becoming(node: Node): readonly Labels[] {
  const labels = nodeLabels(node);
  const later = [...(node.openLabels ?? [])].flatMap(([key, { values }]) =>
    [...values].map((value) => ({ ...labels, [key]: value })),
  );
  return [labels, ...later];
}

function isStillToCome(daemon: Pod, node: Node): boolean {
  const runs = node.pods.some(
    (pod) =>
      pod.isDaemon && pod.owner?.name === daemon.owner?.name && pod.namespace === daemon.namespace,
  );
  if (runs || !toleratesAll(daemon, node.taints)) return false;
  const isYoung = node.claimName !== undefined && node.stage !== 'initialized';
  const labels = { ...nodeLabels(node), ...(isYoung ? grown : {}) };
  return meetsOne(labels, daemon.nodeAlternatives);
}
