import type { Pod } from '../cluster/pod.ts';
import type { Node, Snapshot } from '../cluster/snapshot.ts';

/**
 * The cluster as pods without a place will find it. Whoever of a leaving node looks for a place itself
 * counts only where it goes; once nobody holds the node it is gone, its domain and daemons with
 * it. Until then both count as ever, though no pod can go there. The same value where nothing leaves.
 */
export function afterLeaving(snapshot: Snapshot, pods: readonly Pod[]): Snapshot {
  if (!snapshot.nodes.some((node) => node.isLeaving)) return snapshot;
  const moving = new Set(pods.map(({ uid }) => uid));
  const nodes = snapshot.nodes.flatMap((node) => (node.isLeaving ? held(node, moving) : [node]));
  return { ...snapshot, nodes };
}

/** The node with those that stay on it; none where nobody does. */
function held(node: Node, moving: ReadonlySet<string>): readonly Node[] {
  const staying = node.pods.filter(({ uid }) => !moving.has(uid));
  if (!staying.some(holdsNode)) return [];
  return [staying.length === node.pods.length ? node : { ...node, pods: staying }];
}

function holdsNode({ isDaemon, isMirror, isTerminal, isTerminating }: Pod): boolean {
  return !isDaemon && !isMirror && !isTerminal && !isTerminating;
}
