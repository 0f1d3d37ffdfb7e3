import { decodeNode, type NodeSource } from '../../api/decode/node.ts';
import type { Node } from '../../core/cluster/snapshot.ts';
import { byName } from '../../core/text-order.ts';
import { isSameList, isSameValue } from './same-value.ts';

interface Kept {
  readonly source: NodeSource;
  readonly node: Node;
}

/**
 * Nodes as decisions see them, each decoded again only when something it is made from changed,
 * and the same value as before where the change decides nothing.
 */
export class NodeViews {
  readonly #kept = new Map<string, Kept>();
  /** Undefined once another order is needed. */
  #list: readonly Node[] | undefined;
  /** Where the nodes are in the list, by key. */
  #places: ReadonlyMap<string, number> = new Map();
  /** Keys of nodes that have become other values since. */
  readonly #outdated = new Set<string>();
  #decodings = 0;
  #supply = 0;

  /** How many nodes have been decoded so far, for those who watch over the work. */
  get decodings(): number {
    return this.#decodings;
  }

  /** Rises when a pod that found no place might find one now; not when room was only taken. */
  get supply(): number {
    return this.#supply;
  }

  set(key: string, source: NodeSource): void {
    const before = this.#kept.get(key);
    if (before !== undefined && isSameSource(before.source, source)) return;
    this.#decodings++;
    const decoded = decodeNode(source);
    if (before !== undefined && isSameValue(before.node, decoded)) {
      this.#kept.set(key, { source, node: before.node });
      return;
    }
    if (before === undefined || hasMoreRoom(before.node, decoded)) this.#supply++;
    this.#kept.set(key, { source, node: decoded });
    if (before?.node.name === decoded.name) this.#outdated.add(key);
    else this.#list = undefined;
  }

  delete(key: string): void {
    if (!this.#kept.delete(key)) return;
    // What counted against the limits of its pool, or kept others away, is gone.
    this.#supply++;
    this.#list = undefined;
  }

  keys(): readonly string[] {
    return [...this.#kept.keys()];
  }

  /** All of them in order of name; the same array until one changes. */
  list(): readonly Node[] {
    this.#list = this.#list === undefined ? this.#sorted() : this.#upToDate(this.#list);
    this.#outdated.clear();
    return this.#list;
  }

  #sorted(): readonly Node[] {
    const entries = [...this.#kept].sort(([, a], [, b]) => byName(a.node, b.node));
    this.#places = new Map(entries.map(([key], index) => [key, index]));
    return entries.map(([, { node }]) => node);
  }

  /** Thousands of nodes are not put in order again because pods of a few came or went. */
  #upToDate(list: readonly Node[]): readonly Node[] {
    if (this.#outdated.size === 0) return list;
    const copy = [...list];
    for (const key of this.#outdated) {
      const [place, kept] = [this.#places.get(key), this.#kept.get(key)];
      if (place !== undefined && kept !== undefined) copy[place] = kept.node;
    }
    return copy;
  }
}

function isSameSource(a: NodeSource, b: NodeSource): boolean {
  return (
    a.node === b.node &&
    a.claim === b.claim &&
    a.csiNode === b.csiNode &&
    a.isLeaving === b.isLeaving &&
    a.isProtected === b.isProtected &&
    a.instanceTypes === b.instanceTypes &&
    isSameList(a.pods, b.pods) &&
    isSameList(a.reservedFor ?? [], b.reservedFor ?? [])
  );
}

/** False only where nothing but more pods, bound or expected, tells the two apart. */
function hasMoreRoom(before: Node, after: Node): boolean {
  const stayed = new Set<unknown>([...after.pods, ...after.reservedFor]);
  const bound = new Set(after.pods.map((pod) => pod.uid));
  if (before.pods.some((pod) => !stayed.has(pod))) return true;
  if (before.reservedFor.some((uid) => !stayed.has(uid) && !bound.has(uid))) return true;
  const { pods: _pods, reservedFor: _reserved, ...rest } = before;
  const { pods: _now, reservedFor: _later, ...other } = after;
  return !isSameValue(rest, other);
}
