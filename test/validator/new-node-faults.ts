import type { Snapshot } from '../../src/core/cluster/snapshot.ts';
import type { NewNode } from '../../src/core/scheduling/plan.ts';
import { overfull, sum } from './holding.ts';
import { meetsOne } from './label-rules.ts';
import { type Launch, launchesOf } from './places.ts';
import { isUnplaceable, toleratesAll, volumeAlternatives } from './pod-rules.ts';

/** What is wrong with an order and the pods that it is for. */
export function newNodeFaults(snapshot: Snapshot, node: NewNode, name: string): readonly string[] {
  const faults: string[] = [];
  if (node.pods.length === 0) faults.push(`${name} is for nobody`);
  if (node.instanceTypes.length === 0) faults.push(`${name} names no type`);
  if (node.pool.notReady !== undefined) faults.push(`${name} is of a pool that is not ready`);
  if (node.pool.isStatic === true) faults.push(`${name} is of a pool of fixed size`);
  for (const pod of node.pods) {
    if (!toleratesAll(pod, node.pool.taints)) faults.push(`${name} repels pod ${pod.name}`);
    if (isUnplaceable(pod)) faults.push(`${name} is for pod ${pod.name}, which cannot be placed`);
  }
  for (const [resource, amount] of Object.entries(node.requests))
    if (amount < sum(node.pods, resource)) faults.push(`${name} asks for too little ${resource}`);
  const least = (name: string): number =>
    Math.min(...node.instanceTypes.map((type) => type.allocatable[name] ?? 0));
  for (const [resource, amount] of Object.entries(node.requests))
    if (amount > least(resource)) faults.push(`${name} counts on more ${resource} than it has`);
  const launches = launchesOf(node);
  for (const type of node.instanceTypes) {
    const own = launches.filter((launch) => launch.type === type);
    faults.push(...typeFaults({ snapshot, node, launches: own, where: `${name} as ${type.name}` }));
  }
  return faults;
}

/** Whatever of its types and offerings the cloud picks, every pod must be able to run there. */
function typeFaults(parts: {
  readonly snapshot: Snapshot;
  readonly node: NewNode;
  readonly launches: readonly Launch[];
  readonly where: string;
}): readonly string[] {
  const { snapshot, node, launches, where } = parts;
  const [first] = launches;
  if (first === undefined) return [`${where} cannot be bought`];
  const daemons = snapshot.daemons.filter(
    (daemon) =>
      toleratesAll(daemon, node.pool.taints) &&
      launches.some(({ labels }) => meetsOne(labels, daemon.nodeAlternatives)),
  );
  const faults = [
    ...overfull(node.pods, daemons, { name: where, allocatable: first.type.allocatable }),
  ];
  for (const pod of node.pods) {
    if (!launches.every(({ labels }) => meetsOne(labels, pod.nodeAlternatives)))
      faults.push(`${where} has labels that pod ${pod.name} does not want`);
    if (!launches.every(({ labels }) => meetsOne(labels, volumeAlternatives(pod))))
      faults.push(`${where} cannot reach the volumes of pod ${pod.name}`);
  }
  return faults;
}
