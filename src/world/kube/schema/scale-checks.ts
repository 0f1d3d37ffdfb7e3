import { isList, isObject, type Json, type JsonObject, valueAt } from '../json.ts';
import type { Kind } from '../kinds.ts';
import { type FieldError, invalid } from '../status/field-error.ts';
import { isInt64 } from './type-checks.ts';

const largestScale = 2 ** 31 - 1;

/** The numbers that the scale subresource shows must be such that it can show them. */
export function scaleErrors(
  { scale }: Kind,
  object: JsonObject,
  parts: readonly ('spec' | 'status')[],
): readonly FieldError[] {
  if (scale === undefined) return [];
  const paths = { spec: scale.specReplicasPath, status: scale.statusReplicasPath };
  return parts.flatMap((part) => replicaErrors(object, paths[part]));
}

function replicaErrors(object: JsonObject, path: string): readonly FieldError[] {
  const value = valueAt(object, ...path.split('.').filter((part) => part !== ''));
  if (value === undefined) return [];
  if (typeof value !== 'number' || !isInt64(value)) {
    const text = `${path} accessor error: ${goText(value)} is of the type ${goType(value)}, expected int64`;
    return [invalid(path, 0, text)];
  }
  if (value < 0) return [invalid(path, value, 'should be a non-negative integer')];
  if (value <= largestScale) return [];
  return [invalid(path, value, `should be less than or equal to ${largestScale}`)];
}

/** A value as Go prints it. */
function goText(value: Json): string {
  if (value === null) return '<nil>';
  if (isList(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isObject(value)) return String(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, one]) => `${key}:${goText(one ?? null)}`).join(' ')}]`;
}

function goType(value: Json): string {
  if (value === null) return '<nil>';
  if (isList(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'number') return 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}
