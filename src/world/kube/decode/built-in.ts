import type { ObjectShape, Shape } from '../../../api/shape/shape.ts';
import { isList, isObject, type Json, type JsonObject } from '../json.ts';
import { canonicalQuantity } from './quantity.ts';

/** What reading a built-in object found: the object as the server holds it, and complaints. */
export interface Decoded {
  readonly value: JsonObject;
  readonly unknown: readonly string[];
  /** The first value of a wrong type, in the words of the real decoder. */
  readonly mismatch: string | undefined;
}

/** Reads an object by its shape: unknown and null fields are dropped, quantities made canonical. */
export function decodeBuiltIn(object: JsonObject, shape: Shape): Decoded {
  const found: Found = { unknown: [], mismatch: undefined };
  if (shape.type !== 'object') return { value: object, ...found };
  const value = decodeObject(object, shape, { path: '', owner: shape.name, found });
  return { value, ...found };
}

interface Found {
  unknown: string[];
  mismatch: string | undefined;
}

interface Place {
  readonly path: string;
  /** The named type that the place belongs to. */
  readonly owner: string;
  readonly found: Found;
}

function decodeObject(object: JsonObject, shape: ObjectShape, place: Place): JsonObject {
  const result: Record<string, Json | undefined> = {};
  for (const [key, value] of Object.entries(object)) {
    const path = place.path === '' ? key : `${place.path}.${key}`;
    const field = shape.field(key);
    if (field === undefined) {
      if (place.path === '' && (key === 'apiVersion' || key === 'kind')) result[key] = value;
      else place.found.unknown.push(path);
    } else if (value !== null && value !== undefined && !isEmptyCollection(value, field)) {
      result[key] = decodeValue(value, field, { ...place, owner: shape.name, path });
    }
  }
  return result;
}

/** The real server holds an empty list or map as none at all. */
function isEmptyCollection(value: Json, shape: Shape): boolean {
  if (shape.type === 'list') return isList(value) && value.length === 0;
  return shape.type === 'map' && isObject(value) && Object.keys(value).length === 0;
}

function decodeValue(value: Json, shape: Shape, place: Place): Json {
  switch (shape.type) {
    case 'any':
      return value;
    case 'object':
      if (isObject(value)) return decodeObject(value, shape, place);
      return mismatch(value, `v1.${shape.name}`, place);
    case 'map':
      if (isObject(value)) return decodeMap(value, shape.values, place);
      return mismatch(value, `map[string]${goType(shape.values)}`, place);
    case 'list':
      if (!isList(value)) return mismatch(value, `[]${goType(shape.items)}`, place);
      return value.map((item, i) =>
        decodeValue(item, shape.items, { ...place, path: `${place.path}[${i}]` }),
      );
    case 'leaf':
      return decodeLeaf(value, shape, place);
  }
}

function decodeMap(object: JsonObject, shape: Shape, place: Place): JsonObject {
  const result: Record<string, Json> = {};
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue;
    // A null in a map of text is the empty text to the real decoder.
    const given = value === null && shape.type === 'leaf' ? '' : value;
    result[key] = decodeValue(given, shape, { ...place, path: `${place.path}.${key}` });
  }
  return result;
}

function decodeLeaf(value: Json, shape: Shape & { type: 'leaf' }, place: Place): Json {
  switch (shape.leaf) {
    case 'integer':
      return Number.isInteger(value) ? value : mismatch(value, 'int32', place);
    case 'number':
      return typeof value === 'number' ? value : mismatch(value, 'float64', place);
    case 'boolean':
      return typeof value === 'boolean' ? value : mismatch(value, 'bool', place);
    case 'int-or-string':
      if (typeof value === 'string' || Number.isInteger(value)) return value;
      return mismatch(value, 'intstr.IntOrString', place);
    case 'quantity':
      return decodeQuantity(value, place);
    default:
      return typeof value === 'string' ? value : mismatch(value, 'string', place);
  }
}

function decodeQuantity(value: Json, place: Place): Json {
  const canonical =
    typeof value === 'string' || typeof value === 'number' ? canonicalQuantity(value) : undefined;
  if (canonical !== undefined) return canonical;
  place.found.mismatch ??= quantityPattern;
  return value;
}

const quantityPattern =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

function mismatch(value: Json, type: string, { path, owner, found }: Place): Json {
  const actual = isObject(value) ? 'object' : isList(value) ? 'array' : goKind(value);
  const field = `${owner}.${path.replaceAll(/\[\d+\]/g, '')}`;
  found.mismatch ??= `json: cannot unmarshal ${actual} into Go struct field ${field} of type ${type}`;
  return value;
}

function goKind(value: Json): string {
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number' && !Number.isInteger(value)) return `number ${value}`;
  return typeof value;
}

function goType(shape: Shape): string {
  if (shape.type === 'object') return `v1.${shape.name}`;
  if (shape.type === 'leaf' && shape.leaf === 'integer') return 'int32';
  if (shape.type === 'leaf' && shape.leaf === 'quantity') return 'resource.Quantity';
  return 'string';
}
