import { isList, isObject, type Json, type JsonObject } from '../json.ts';
import { duplicate, type FieldError, invalid } from '../status/field-error.ts';
import type { Place } from './place.ts';
import { tooMany } from './validate.ts';

/** Length of lists, and items that must differ. */
export function listErrors(place: Place): readonly FieldError[] {
  const { value, schema, path } = place;
  if (!isList(value)) return [];
  const errors: FieldError[] = [];
  if (schema.minItems !== undefined && value.length < schema.minItems) {
    const text = `${path} in body should have at least ${schema.minItems} items`;
    errors.push(invalid(path, value.length, text));
  }
  if (schema.maxItems !== undefined && value.length > schema.maxItems) {
    errors.push(tooMany(path, value.length, schema.maxItems));
  }
  if (schema.uniqueItems === true && repeats(value, (item) => item).length > 0) {
    errors.push(invalid(path, value, `${path} in body shouldn't contain duplicates`));
  }
  return [...errors, ...repeatErrors(place, value)];
}

function repeatErrors({ schema, path }: Place, value: readonly Json[]): readonly FieldError[] {
  switch (schema['x-kubernetes-list-type']) {
    case 'set':
      return repeats(value, (item) => item).map((i) => duplicate(`${path}[${i}]`, value[i]));
    case 'map':
      return keyErrors(value, schema['x-kubernetes-list-map-keys'] ?? [], path);
    default:
      return [];
  }
}

/** Items of a list with keys are objects, and differ in their keys. */
function keyErrors(
  value: readonly Json[],
  keys: readonly string[],
  path: string,
): readonly FieldError[] {
  const text = 'must be an object for an array of list-type map';
  const strangers = value.flatMap((item, i) =>
    isObject(item) || item === null ? [] : [invalid(`${path}[${i}]`, item, text)],
  );
  if (strangers.length > 0) return strangers;
  // A null has no keys, and so repeats nothing.
  const idOf = (item: Json): Json | undefined => (isObject(item) ? keyOf(item, keys) : undefined);
  return repeats(value, idOf).map((i) => duplicate(`${path}[${i}]`, idOf(value[i] ?? null)));
}

function keyOf(item: JsonObject, keys: readonly string[]): Json {
  const fields = keys.map((key) => [key, item[key]] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** Where a value stands for the second time; further repeats are not told. */
function repeats(
  items: readonly Json[],
  idOf: (item: Json) => Json | undefined,
): readonly number[] {
  const counts = new Map<string, number>();
  return items.flatMap((item, i) => {
    const id = idOf(item);
    if (id === undefined) return [];
    const text = JSON.stringify(id);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return count === 2 ? [i] : [];
  });
}
