import { isList, isObject, type Json, type JsonObject } from '../json.ts';
import { type JsonSchema, propertyOf } from './schema.ts';

export interface Pruned<T extends Json = Json> {
  readonly value: T;
  /** Paths of the fields that were dropped: `spec.template.colour`. */
  readonly unknown: readonly string[];
}

const typeMeta = ['apiVersion', 'kind', 'metadata'];

/** A custom resource without the fields that its schema does not name. */
export function prune(object: JsonObject, schema: JsonSchema): Pruned<JsonObject> {
  const unknown: string[] = [];
  const value = pruneObject(object, { schema, path: '', kept: typeMeta, unknown });
  return { value, unknown: unknown.sort() };
}

interface Place {
  readonly schema: JsonSchema;
  readonly path: string;
  /** Fields that stay whatever the schema says. */
  readonly kept: readonly string[];
  readonly unknown: string[];
}

function pruneObject(object: JsonObject, place: Place): JsonObject {
  const kept: [string, Json][] = [];
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue;
    const path = place.path === '' ? key : `${place.path}.${key}`;
    const schema = place.kept.includes(key) ? undefined : propertySchema(place.schema, key);
    if (schema === 'unknown') place.unknown.push(path);
    else
      kept.push([
        key,
        schema === undefined ? value : pruneValue(value, { ...place, schema, path }),
      ]);
  }
  // Through entries, since `__proto__` is a key like any other.
  return Object.fromEntries(kept);
}

/** Undefined keeps the value as it is. */
function propertySchema(schema: JsonSchema, key: string): JsonSchema | undefined | 'unknown' {
  const property = propertyOf(schema, key);
  if (property !== undefined) return property;
  const isOpen = schema.additionalProperties === true || preservesUnknown(schema);
  return isOpen ? undefined : 'unknown';
}

function preservesUnknown(schema: JsonSchema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true;
}

function pruneValue(value: Json, place: Place): Json {
  if (isObject(value)) {
    const kept = place.schema['x-kubernetes-embedded-resource'] === true ? typeMeta : [];
    return pruneObject(value, { ...place, kept });
  }
  const items = place.schema.items;
  if (!isList(value) || items === undefined) return value;
  return value.map((item, i) =>
    pruneValue(item, { ...place, schema: items, path: `${place.path}[${i}]` }),
  );
}
