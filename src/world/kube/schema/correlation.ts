import { isEqual, isList, isObject, type Json } from '../json.ts';
import type { JsonSchema } from './schema.ts';

/** The old value of a field, unless the object counts as one piece. */
export function correlatedField(
  key: string,
  schema: JsonSchema,
  old: Json | undefined,
): Json | undefined {
  if (!isObject(old) || schema['x-kubernetes-map-type'] === 'atomic') return undefined;
  return Object.hasOwn(old, key) ? old[key] : undefined;
}

/** The old item with the same keys; items of other lists have no past of their own. */
export function correlatedItem(
  item: Json,
  schema: JsonSchema,
  old: Json | undefined,
): Json | undefined {
  if (!isList(old) || schema['x-kubernetes-list-type'] !== 'map') return undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  return old.find((one) => keys.every((key) => isEqual(fieldOf(one, key), fieldOf(item, key))));
}

function fieldOf(item: Json, key: string): Json | undefined {
  return isObject(item) ? item[key] : undefined;
}
