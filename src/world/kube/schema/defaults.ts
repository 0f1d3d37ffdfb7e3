import { isList, isObject, type Json, type JsonObject } from '../json.ts';
import { type JsonSchema, namedProperty } from './schema.ts';

/** The value with the schema's defaults where nothing was said. Repeating changes nothing. */
export function withDefaults(value: JsonObject, schema: JsonSchema): JsonObject {
  return defaulted(value, schema) as JsonObject;
}

function defaulted(value: Json, schema: JsonSchema): Json {
  if (isList(value)) return defaultedList(value, schema);
  if (!isObject(value)) return value;
  // A map of entries, since `__proto__` is a key like any other.
  let result: Map<string, Json | undefined> | undefined;
  for (const [key, property] of propertiesOf(value, schema)) {
    const before = Object.hasOwn(value, key) ? value[key] : undefined;
    const after = defaultedField(before, property);
    if (after === before) continue;
    result ??= new Map(Object.entries(value));
    if (after === undefined) result.delete(key);
    else result.set(key, after);
  }
  return result === undefined ? value : Object.fromEntries(result);
}

function propertiesOf(
  value: JsonObject,
  schema: JsonSchema,
): readonly (readonly [string, JsonSchema])[] {
  const named = Object.entries(schema.properties ?? {});
  const { additionalProperties } = schema;
  if (typeof additionalProperties !== 'object') return named;
  const others = Object.keys(value).filter((key) => namedProperty(schema, key) === undefined);
  return [...named, ...others.map((key) => [key, additionalProperties] as const)];
}

function defaultedField(value: Json | undefined, schema: JsonSchema): Json | undefined {
  // A null that the schema does not allow counts as not set.
  const isUnset = value === undefined || (value === null && schema.nullable !== true);
  const filled = isUnset ? schema.default : value;
  return filled === undefined ? undefined : defaulted(filled, schema);
}

function defaultedList(value: readonly Json[], schema: JsonSchema): Json {
  const { items } = schema;
  if (items === undefined) return value;
  const result = value.map((item) => defaulted(item, items));
  return result.some((item, i) => item !== value[i]) ? result : value;
}
