import type { ObjectMeta } from '../../api/resource.ts';

/** JSON as the server holds it: never changed in place, shared freely between versions. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** An object as stored: without `apiVersion` and `kind`, which belong to the view being served. */
export interface ApiObject extends JsonObject {
  readonly metadata: Metadata;
}

/** The metadata that all rooms know, with the lists that only the server looks into as plain JSON. */
export interface Metadata extends JsonObject, Omit<ObjectMeta, 'ownerReferences'> {
  readonly ownerReferences?: readonly JsonObject[];
  readonly managedFields?: readonly JsonObject[];
}

export const emptyObject: JsonObject = Object.freeze({});

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** What is at the path, or undefined where the path ends early. */
export function valueAt(value: Json | undefined, ...path: readonly string[]): Json | undefined {
  let at = value;
  for (const key of path) {
    if (!isObject(at)) return undefined;
    at = at[key];
  }
  return at;
}

export function objectAt(value: Json | undefined, ...path: readonly string[]): JsonObject {
  const at = valueAt(value, ...path);
  return isObject(at) ? at : emptyObject;
}

export function listAt(value: Json | undefined, ...path: readonly string[]): readonly Json[] {
  const at = valueAt(value, ...path);
  return isList(at) ? at : [];
}

export function textAt(value: Json | undefined, ...path: readonly string[]): string | undefined {
  const at = valueAt(value, ...path);
  return typeof at === 'string' ? at : undefined;
}

export function numberAt(value: Json | undefined, ...path: readonly string[]): number | undefined {
  const at = valueAt(value, ...path);
  return typeof at === 'number' ? at : undefined;
}

/** A copy with the value at the path, making objects on the way; undefined removes the last key. */
export function withValue<T extends JsonObject>(
  object: T,
  path: readonly string[],
  value: Json | undefined,
): T {
  const [key, ...rest] = path;
  if (key === undefined) return object;
  if (rest.length > 0) {
    return { ...object, [key]: withValue(objectAt(object, key), rest, value) };
  }
  if (value !== undefined) return { ...object, [key]: value };
  const { [key]: _removed, ...others } = object;
  return others as T;
}

/** Whether two values say the same, whatever the order of keys; undefined counts as absent. */
export function isEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isList(a)) {
    return isList(b) && a.length === b.length && a.every((item, i) => isEqual(item, b[i]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  for (const key in a) if (!isEqual(a[key], b[key])) return false;
  for (const key in b) if (b[key] !== undefined && a[key] === undefined) return false;
  return true;
}
