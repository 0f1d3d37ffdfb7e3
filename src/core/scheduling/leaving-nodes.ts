import type { Pod } from '../cluster/pod.ts';
import type { Node, Snapshot } from '../cluster/snapshot.ts';

/**
 * The cluster without those pods on its leaving nodes that look for a place themselves: where they
 * are now they count for nobody. The same value where there are none.
 */
export function withoutMoving(snapshot: Snapshot, pods: readonly Pod[]): Snapshot {
  const { nodes } = snapshot;
  if (!nodes.some((node) => node.isLeaving && node.pods.length > 0)) return snapshot;
  const moving = new Set(pods.map(({ uid }) => uid));
  const isMoving = ({ uid }: Pod): boolean => moving.has(uid);
  if (!nodes.some((node) => node.isLeaving && node.pods.some(isMoving))) return snapshot;
  return {
    ...snapshot,
    nodes: nodes.map((node) =>
      node.isLeaving ? { ...node, pods: node.pods.filter((pod) => !isMoving(pod)) } : node,
    ),
  };
}

/**
 * Nodes that the kube-scheduler will still see when the plan is carried out. One that is leaving
 * goes, and its domain with it, as soon as nobody holds it; until then its domain counts, though
 * no pod can go there.
 */
export function lastingNodes(nodes: readonly Node[]): readonly Node[] {
  return nodes.filter((node) => !node.isLeaving || node.pods.some(holdsNode));
}

function holdsNode({ isDaemon, isMirror, isTerminal, isTerminating }: Pod): boolean {
  return !isDaemon && !isMirror && !isTerminal && !isTerminating;
}
