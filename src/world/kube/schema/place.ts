import { isList, isObject, type Json } from '../json.ts';
import { correlatedField, correlatedItem } from './correlation.ts';
import { type JsonSchema, propertyOf } from './schema.ts';

/** A value in its place inside the object being judged. */
export interface Place {
  readonly value: Json;
  readonly schema: JsonSchema;
  readonly path: string;
  /** What stood here before an update; what has not changed since is not judged again. */
  readonly old?: Json | undefined;
}

/** The places inside, as far as the schema knows them: items in order, fields by name. */
export function placesIn(
  { value, schema, path, old }: Place,
  fieldPath: (path: string, key: string) => string = joined,
): readonly Place[] {
  if (isList(value)) {
    const { items } = schema;
    if (items === undefined) return [];
    return value.map((item, i) => ({
      value: item,
      schema: items,
      path: `${path}[${i}]`,
      old: correlatedItem(item, schema, old),
    }));
  }
  if (!isObject(value)) return [];
  return Object.keys(value)
    .sort()
    .flatMap((key) => {
      const child = value[key];
      const property = propertyOf(schema, key);
      if (child === undefined || property === undefined) return [];
      const before = correlatedField(key, schema, old);
      return [{ value: child, schema: property, path: fieldPath(path, key), old: before }];
    });
}

export function joined(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
