import { isList, isObject, type Json } from '../json.ts';
import { duplicate, type FieldError, invalid } from '../status/field-error.ts';
import { type Place, tooMany } from './validate.ts';

/** Length of lists, and items that must differ. */
export function listErrors(place: Place): readonly FieldError[] {
  const { value, schema, path } = place;
  if (!isList(value)) return [];
  const errors: FieldError[] = [];
  if (schema.minItems !== undefined && value.length < schema.minItems) {
    const text = `${path} in body should have at least ${schema.minItems} items`;
    errors.push(invalid(path, value, text));
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
    case 'map': {
      const keys = schema['x-kubernetes-list-map-keys'] ?? [];
      const idOf = (item: Json): Json => keyOf(item, keys);
      return repeats(value, idOf).map((i) => duplicate(`${path}[${i}]`, idOf(value[i] ?? null)));
    }
    default:
      return [];
  }
}

function keyOf(item: Json, keys: readonly string[]): Json {
  const fields = keys.map((key) => [key, isObject(item) ? item[key] : undefined] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** Where a value stands for the second time; further repeats are not told. */
function repeats(items: readonly Json[], idOf: (item: Json) => Json): readonly number[] {
  const counts = new Map<string, number>();
  return items.flatMap((item, i) => {
    const id = JSON.stringify(idOf(item));
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 2 ? [i] : [];
  });
}
