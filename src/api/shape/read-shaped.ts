import { isList, isMap, type Path, type Value, type ValueMap } from '../value.ts';
import type { LeafShape, ObjectShape, Shape } from './shape.ts';

/** What reading an object by its shape found: the object as a server holds it, and what is wrong. */
export interface ShapedReading {
  readonly value: ValueMap;
  readonly unknown: readonly UnknownPlace[];
  readonly mismatches: readonly Mismatch[];
}

/** A field that its object does not have. */
export interface UnknownPlace {
  readonly path: Path;
  /** The fields that it has. */
  readonly known: readonly string[];
}

/** A value that is none of the type that is wanted in its place. */
export interface Mismatch {
  readonly path: Path;
  /** The named type that the place belongs to. */
  readonly owner: string;
  readonly wanted: Shape;
  readonly value: Value;
}

/** How quantities are held; undefined for what is none. */
export type QuantityReader = (value: string | number) => string | number | undefined;

/** Reads an object by its shape: unknown and null fields are dropped, and empty lists and maps. */
export function readShaped(
  object: ValueMap,
  shape: Shape,
  quantityOf: QuantityReader,
): ShapedReading {
  const found: Found = { unknown: [], mismatches: [], quantityOf };
  if (shape.type !== 'object') return { value: object, ...found };
  const value = readObject(object, shape, { path: [], owner: shape.name, found });
  return { value, ...found };
}

interface Found {
  readonly unknown: UnknownPlace[];
  readonly mismatches: Mismatch[];
  readonly quantityOf: QuantityReader;
}

interface Place {
  readonly path: Path;
  readonly owner: string;
  readonly found: Found;
}

function readObject(object: ValueMap, shape: ObjectShape, place: Place): ValueMap {
  const result: Record<string, Value> = {};
  for (const [key, value] of Object.entries(object)) {
    const path = [...place.path, key];
    const field = shape.field(key);
    if (field === undefined) {
      if (path.length === 1 && (key === 'apiVersion' || key === 'kind')) result[key] = value;
      else place.found.unknown.push({ path, known: shape.fieldNames });
    } else if (value !== null && value !== undefined && !isEmptyCollection(value, field)) {
      result[key] = readValue(value, field, { path, owner: shape.name, found: place.found });
    }
  }
  return result;
}

/** The real server holds an empty list or map as none at all. */
function isEmptyCollection(value: Value, shape: Shape): boolean {
  if (shape.type === 'list') return isList(value) && value.length === 0;
  return shape.type === 'map' && isMap(value) && Object.keys(value).length === 0;
}

function readValue(value: Value, shape: Shape, place: Place): Value {
  switch (shape.type) {
    case 'any':
      return value;
    case 'object':
      return isMap(value) ? readObject(value, shape, place) : mismatch(value, shape, place);
    case 'map':
      return isMap(value) ? readMap(value, shape.values, place) : mismatch(value, shape, place);
    case 'list':
      if (!isList(value)) return mismatch(value, shape, place);
      return value.map((item, index) =>
        readValue(item, shape.items, { ...place, path: [...place.path, index] }),
      );
    case 'leaf':
      return readLeaf(value, shape, place);
  }
}

/** Made of entries, which may have any name: `__proto__` is one to users. */
function readMap(object: ValueMap, shape: Shape, place: Place): ValueMap {
  const result: [string, Value][] = [];
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue;
    // A null in a map of text is the empty text to the real decoder.
    const given = value === null && shape.type === 'leaf' ? '' : value;
    result.push([key, readValue(given, shape, { ...place, path: [...place.path, key] })]);
  }
  return Object.fromEntries(result);
}

function readLeaf(value: Value, shape: LeafShape, place: Place): Value {
  if (shape.leaf !== 'quantity')
    return isOfType(value, shape.leaf) ? value : mismatch(value, shape, place);
  const isScalar = typeof value === 'string' || typeof value === 'number';
  const quantity = isScalar ? place.found.quantityOf(value) : undefined;
  return quantity ?? mismatch(value, shape, place);
}

function isOfType(value: Value, leaf: LeafShape['leaf']): boolean {
  switch (leaf) {
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'int-or-string':
      return typeof value === 'string' || Number.isInteger(value);
    default:
      return typeof value === 'string';
  }
}

function mismatch(value: Value, wanted: Shape, { path, owner, found }: Place): Value {
  found.mismatches.push({ path, owner, wanted, value });
  return value;
}
