import {
  fieldShape,
  isAtomic,
  itemShape,
  type ListShape,
  type Shape,
} from '../../../api/shape/shape.ts';
import { isEqual, isList, isObject, type Json, type JsonObject } from '../json.ts';
import { type FieldSet, fieldNode, leafField, noFields } from './field-set.ts';

/** The key of an item in a set or keyed list, as a field set names it. */
export function itemKey(item: Json, shape: ListShape): string {
  if (shape.listType === 'set') return `v:${JSON.stringify(item)}`;
  const fields: Record<string, Json> = {};
  for (const key of [...shape.keys].sort()) {
    // The protocol of a port is a key that people leave out.
    const value = (isObject(item) ? item[key] : undefined) ?? (key === 'protocol' ? 'TCP' : null);
    if (value !== null) fields[key] = value;
  }
  return `k:${JSON.stringify(fields)}`;
}

/** Every field that a value sets: leaves, whole atomic values, and the items of keyed lists. */
export function fieldsOf(value: Json, shape: Shape): FieldSet {
  return nodeOf(value, shape) ?? noFields;
}

function nodeOf(value: Json | undefined, shape: Shape): FieldSet | undefined {
  if (value === undefined) return undefined;
  const parts = partsOf(value, shape);
  if (parts === undefined || parts.size === 0) return leafField;
  const below: Record<string, FieldSet> = {};
  for (const [key, part] of parts) {
    const node = nodeOf(part.value, part.shape);
    if (node === undefined) continue;
    below[key] = key.startsWith('k:') ? asItem(node) : node;
  }
  return fieldNode('out', below);
}

/** An item of a keyed list is itself a field, beside those inside it. */
function asItem(node: FieldSet): FieldSet {
  const { '.': _dot, ...below } = node;
  return fieldNode('in', below) ?? leafField;
}

export interface Comparison {
  /** Fields added or changed. */
  readonly changed: FieldSet;
  readonly removed: FieldSet;
}

/** What a write changed, field by field. */
export function compareFields(before: Json, after: Json, shape: Shape): Comparison {
  const { changed, removed } = compareNode(before, after, shape);
  return { changed: changed ?? noFields, removed: removed ?? noFields };
}

interface Difference {
  readonly changed?: FieldSet | undefined;
  readonly removed?: FieldSet | undefined;
}

function compareNode(a: Json | undefined, b: Json | undefined, shape: Shape): Difference {
  if (a === b) return {};
  if (a === undefined) return { changed: writtenNode(b, shape) };
  if (b === undefined) return { removed: writtenNode(a, shape) };
  const before = partsOf(a, shape);
  const after = partsOf(b, shape);
  if (before === undefined || after === undefined) {
    return isEqual(a, b) ? {} : { changed: leafField };
  }
  return compareParts(before, after);
}

function compareParts(before: Parts, after: Parts): Difference {
  const changed: Record<string, FieldSet> = {};
  const removed: Record<string, FieldSet> = {};
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const part = after.get(key) ?? before.get(key);
    if (part === undefined) continue;
    const below = compareNode(before.get(key)?.value, after.get(key)?.value, part.shape);
    const isWholeItem = key.startsWith('k:') && before.has(key) !== after.has(key);
    const whole = (node: FieldSet): FieldSet => (isWholeItem ? asItem(node) : node);
    if (below.changed !== undefined) changed[key] = whole(below.changed);
    if (below.removed !== undefined) removed[key] = whole(below.removed);
  }
  return { changed: fieldNode('out', changed), removed: fieldNode('out', removed) };
}

/**
 * A whole new value: maps and items of lists count as written themselves, and so do objects of
 * custom resources. Those of built-in kinds are always there, if empty.
 */
function writtenNode(value: Json | undefined, shape: Shape): FieldSet | undefined {
  if (value === undefined) return undefined;
  const parts = partsOf(value, shape);
  if (parts === undefined || parts.size === 0) return leafField;
  const below: Record<string, FieldSet> = {};
  for (const [key, part] of parts) {
    const node = writtenNode(part.value, part.shape);
    if (node !== undefined) below[key] = key.startsWith('k:') ? asItem(node) : node;
  }
  const isAlwaysThere = shape.type === 'object' && shape.name !== '';
  return fieldNode(isAlwaysThere ? 'out' : 'in', below);
}

interface Part {
  readonly value: Json | undefined;
  readonly shape: Shape;
}

type Parts = ReadonlyMap<string, Part>;

/** The separately owned parts of a value, or undefined when it has one owner as a whole. */
function partsOf(value: Json, shape: Shape): Parts | undefined {
  if (isAtomic(shape)) return undefined;
  if (isObject(value)) return objectParts(value, shape);
  if (!isList(value) || shape.type !== 'list') return undefined;
  const parts = new Map<string, Part>();
  for (const item of value)
    parts.set(itemKey(item, shape), { value: item, shape: itemShape(shape) });
  return parts;
}

function objectParts(value: JsonObject, shape: Shape): Parts {
  const parts = new Map<string, Part>();
  for (const key of Object.keys(value)) {
    if (value[key] !== undefined) {
      parts.set(`f:${key}`, { value: value[key], shape: fieldShape(shape, key) });
    }
  }
  return parts;
}
