import { decodeNode, type NodeSource } from '../../api/decode/node.ts';
import type { Node } from '../../core/cluster/snapshot.ts';

interface Kept {
  readonly source: NodeSource;
  readonly node: Node;
}

/**
 * Nodes as decisions see them, each decoded again only when something it is made from changed.
 * Of a thousand nodes a new pod touches one.
 */
export class NodeViews {
  #kept = new Map<string, Kept>();

  /** The view of every source, in order of name. Sources that are not named again are forgotten. */
  of(sources: ReadonlyMap<string, NodeSource>): readonly Node[] {
    const kept = new Map<string, Kept>();
    for (const [key, source] of sources) {
      const before = this.#kept.get(key);
      const isSame = before !== undefined && isSameSource(before.source, source);
      kept.set(key, isSame ? before : { source, node: decodeNode(source) });
    }
    this.#kept = kept;
    return [...kept.values()].map(({ node }) => node).sort(byName);
  }
}

function isSameSource(a: NodeSource, b: NodeSource): boolean {
  return (
    a.node === b.node &&
    a.claim === b.claim &&
    a.isLeaving === b.isLeaving &&
    a.instanceTypes === b.instanceTypes &&
    isSameList(a.pods, b.pods) &&
    isSameList(a.reservedFor ?? [], b.reservedFor ?? [])
  );
}

function isSameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a === b || (a.length === b.length && a.every((item, i) => item === b[i]));
}

function byName(a: Node, b: Node): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
