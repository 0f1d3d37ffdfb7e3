import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Path } from '../value.ts';

/** The document is built in a way that an edit cannot follow: anchors, merged keys. */
export class EditBlocked extends Error {
  override readonly name = 'EditBlocked';
}

/** A key with its value, in a map that may be edited. */
export type Entry = Pair<Scalar, Node | null>;

/** The node at the path, or undefined. Anchored parts are not entered: others use them too. */
export function nodeAt(document: Document, path: Path): Node | null | undefined {
  let node: Node | null | undefined = document.contents;
  for (const step of path) {
    if (isAlias(node)) throw new EditBlocked('it is used by an alias');
    if (isSeq(node)) node = node.items[Number(step)] as Node | undefined;
    else node = isMap(node) ? entryOf(node as YAMLMap, String(step))?.value : undefined;
  }
  return node;
}

export function entryOf(map: YAMLMap, key: string): Entry | undefined {
  return map.items.find((item) => keyText(item as Entry) === key) as Entry | undefined;
}

export function keyText(entry: Pair<unknown, unknown>): string | undefined {
  return isScalar(entry.key) ? String(entry.key.value) : undefined;
}

export function entryAt(document: Document, path: Path): Entry {
  return placeAt(document, path).entry;
}

interface EntryPlace {
  readonly parent: YAMLMap<Scalar, Node | null>;
  readonly index: number;
  readonly entry: Entry;
}

export function placeAt(document: Document, path: Path): EntryPlace {
  const parent = nodeAt(document, path.slice(0, -1));
  if (!isMap(parent)) throw new EditBlocked('it stands behind an alias');
  const map = parent as YAMLMap<Scalar, Node | null>;
  const index = map.items.findIndex((item) => keyText(item) === String(lastOf(path)));
  const entry = map.items[index];
  if (entry === undefined) throw new EditBlocked('it comes from a merged key');
  return { parent: map, index, entry };
}

interface Neighbour {
  readonly near: YAMLMap<Scalar, Node | null>;
  readonly index: number;
}

/** The map or list at the path. Maps that are missing are made, beside the neighbour where possible. */
export function containerAt(
  document: Document,
  path: Path,
  neighbour?: Neighbour,
): YAMLMap | YAMLSeq {
  let node: Node | null = document.contents;
  for (const step of path) {
    if (isSeq(node)) node = (node.items[Number(step)] as Node | undefined) ?? null;
    else if (isMap(node)) node = childMap(document, { map: node as YAMLMap, step, neighbour });
  }
  if (isMap(node) || isSeq(node)) return node as YAMLMap | YAMLSeq;
  throw new EditBlocked('there is no map to write to');
}

function childMap(
  document: Document,
  where: {
    readonly map: YAMLMap;
    readonly step: string | number;
    readonly neighbour: Neighbour | undefined;
  },
): Node | null {
  const { map, step, neighbour } = where;
  const entry = entryOf(map, String(step));
  if (entry?.value != null && !(isScalar(entry.value) && entry.value.value === null))
    return entry.value;
  const made = new YAMLMap(document.schema);
  if (entry !== undefined) {
    entry.value = made;
    return made;
  }
  const pair = document.createPair(String(step), null) as Entry;
  pair.value = made;
  const index = neighbour?.near === map ? neighbour.index : map.items.length;
  map.items.splice(index, 0, pair);
  return made;
}

export function lastOf(path: Path): string | number {
  return path.at(-1) ?? '';
}

/** Where the path begins in the text, or as much of it as there is. */
export function offsetOf(document: Document, path: Path): number {
  let node: unknown = document.contents;
  let offset = document.contents?.range?.[0] ?? 0;
  for (const step of path) {
    const entry = isMap(node) ? entryOf(node as YAMLMap, String(step)) : undefined;
    const item = isSeq(node) ? (node.items[Number(step)] as Node | undefined) : undefined;
    const begin = entry?.key ?? item;
    if (begin?.range == null) return offset;
    offset = begin.range[0];
    node = entry === undefined ? item : entry.value;
  }
  return offset;
}
