import {
  type Document,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  YAMLMap,
  YAMLSeq,
} from 'yaml';
import type { Edit } from '../../api/legacy/edit.ts';
import {
  containerAt,
  EditBlocked,
  type Entry,
  entryAt,
  entryOf,
  lastOf,
  nodeAt,
  placeAt,
} from '../../api/manifest/yaml-place.ts';
import type { Path, Value } from '../../api/value.ts';

/** Takes the edit on the document in place; comments stay with what they were written to. */
export function editYaml(document: Document, edit: Edit): void {
  switch (edit.kind) {
    case 'set':
      setAt(document, edit.at, edit.value);
      return;
    case 'rename':
      rename(document, edit.at, edit.to);
      return;
    case 'move':
      move(document, edit.from, edit.to);
      return;
    case 'remove':
      removeAt(document, edit.at);
      return;
    case 'wrap':
      wrap(document, edit.at, edit.key);
      return;
    case 'lift':
      lift(document, edit.at);
      return;
    case 'ask':
      ask(document, edit.at, edit.question);
      return;
  }
}

function setAt(document: Document, path: Path, value: Value): void {
  const step = lastOf(path);
  const parent = containerAt(document, path.slice(0, -1));
  const node = document.createNode(value);
  if (isSeq(parent)) {
    const before = parent.items[Number(step)] as Node | undefined;
    if (before !== undefined) keepComments(before, node);
    parent.items[Math.min(Number(step), parent.items.length)] = node;
    return;
  }
  const entry = entryOf(parent, String(step));
  if (entry === undefined) {
    parent.items.push(document.createPair(String(step), value) as Entry);
    return;
  }
  keepTrailing(entry, node);
  entry.value = node;
}

/** The comment beside a value stands beside the next scalar, or above what has several lines. */
function keepTrailing(entry: Entry, node: Node): void {
  const before = entry.value;
  if (before === null) return;
  if (isScalar(node) || !isScalar(before)) keepComments(before, node);
  else addCommentBefore(entry.key, before.comment);
}

function keepComments(from: Node, to: Node): void {
  if (from.comment != null) to.comment = from.comment;
  if (from.commentBefore != null) to.commentBefore = from.commentBefore;
}

function addCommentBefore(node: Node, text: string | null | undefined): void {
  if (text == null || text === '') return;
  node.commentBefore = node.commentBefore == null ? text : `${node.commentBefore}\n${text}`;
}

function rename(document: Document, path: Path, to: string): void {
  const entry = entryAt(document, path);
  const key = document.createNode(to) as Scalar;
  keepComments(entry.key, key);
  if (entry.key.spaceBefore === true) key.spaceBefore = true;
  entry.key = key;
}

function move(document: Document, from: Path, to: Path): void {
  const { parent, index, entry } = placeAt(document, from);
  parent.items.splice(index, 1);
  const target = containerAt(document, to.slice(0, -1), { near: parent, index });
  if (!isMap(target)) throw new EditBlocked('moving into a list');
  const key = document.createNode(String(lastOf(to))) as Scalar;
  keepComments(entry.key, key);
  entry.key = key;
  (target as YAMLMap<Scalar, Node | null>).items.push(entry);
  dropIfEmpty(document, from.slice(0, -1));
}

/** A block that gave away its last entry would print as `{}` in the middle of a comment. */
function dropIfEmpty(document: Document, path: Path): void {
  const parent = nodeAt(document, path);
  if (isMap(parent) && parent.items.length === 0) parent.flow = true;
}

function removeAt(document: Document, path: Path): void {
  const parent = nodeAt(document, path.slice(0, -1));
  if (isSeq(parent)) {
    parent.items.splice(Number(lastOf(path)), 1);
    if (parent.items.length === 0) parent.flow = true;
    return;
  }
  const { parent: map, index } = placeAt(document, path);
  map.items.splice(index, 1);
  dropIfEmpty(document, path.slice(0, -1));
}

function wrap(document: Document, path: Path, key: string): void {
  const entry = entryAt(document, path);
  const map = new YAMLMap(document.schema) as YAMLMap<Scalar, Node | null>;
  const pair = document.createPair(key, null) as Entry;
  pair.value = entry.value;
  map.items.push(pair);
  const list = new YAMLSeq(document.schema);
  list.items.push(map);
  // What is written in braces stays in braces; comments above the old block now stand in the list.
  if (isCollection(entry.value) && entry.value.flow === true) list.flow = true;
  entry.value = list;
}

function lift(document: Document, path: Path): void {
  const inner = entryAt(document, path);
  const outer = entryAt(document, path.slice(0, -1));
  outer.value = inner.value;
}

function ask(document: Document, path: Path, question: string): void {
  const text = ` QUESTION(karpenter convert): ${question.replaceAll(/\s+/g, ' ')}`;
  for (let length = path.length; length > 0; length--) {
    const target = commentTarget(document, path.slice(0, length));
    if (target === undefined) continue;
    if (length === path.length) addCommentBefore(target.before, text);
    else if (isCollection(target.value)) addCommentAfter(target.value, text);
    else addCommentBefore(target.before, text);
    return;
  }
  document.commentBefore = [document.commentBefore, text].filter((part) => part != null).join('\n');
}

function addCommentAfter(node: Node, text: string): void {
  node.comment = node.comment == null ? text : `${node.comment}\n${text}`;
}

function commentTarget(
  document: Document,
  path: Path,
): { readonly before: Node; readonly value: Node | null } | undefined {
  const parent = nodeAt(document, path.slice(0, -1));
  const step = lastOf(path);
  if (isSeq(parent)) {
    const item = parent.items[Number(step)] as Node | undefined;
    return item && { before: item, value: item };
  }
  const entry = isMap(parent) ? entryOf(parent as YAMLMap, String(step)) : undefined;
  return entry && { before: entry.key, value: entry.value };
}
