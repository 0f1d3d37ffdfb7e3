import { isList, type Json } from '../json.ts';
import { type FieldError, wrongType } from '../status/field-error.ts';
import type { Place } from './place.ts';
import type { JsonSchema } from './schema.ts';

/**
 * Whether the value has the type of its schema. Where the schema has a format, the real server
 * names formats instead of types, and lets a list pass for text with a format.
 */
export function typeErrors({ value, schema, path }: Place): readonly FieldError[] {
  const wanted = typesOf(schema);
  const actual = typeOf(value);
  if (wanted.length === 0 || (actual === 'null' && schema.nullable === true)) return [];
  const isRight = wanted.includes(actual) || (actual === 'integer' && wanted.includes('number'));
  if (isRight) return [];
  const hasFormat = schema.format !== undefined && actual !== 'null';
  const isPlain = actual === 'string' || actual === 'array';
  if (hasFormat && !isPlain) return [mismatch(path, schema.format ?? '', formatOf(actual))];
  const isNumeric = wanted.includes('integer') || wanted.includes('number');
  if (hasFormat && !isNumeric) return [];
  return [mismatch(path, wanted.join(','), actual)];
}

function typesOf(schema: JsonSchema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return schema.type === undefined ? [] : [schema.type];
}

function mismatch(path: string, wanted: string, actual: string): FieldError {
  return wrongType(path, actual, `${path} in body must be of type ${wanted}: "${actual}"`);
}

/** The name of a value's type. Numbers beyond 64 bits are no integers. */
function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (isList(value)) return 'array';
  if (typeof value !== 'number') return typeof value;
  return isInt64(value) ? 'integer' : 'number';
}

export function isInt64(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63;
}

function formatOf(actual: string): string {
  const formats: Readonly<Record<string, string>> = { integer: 'int64', number: 'float64' };
  return formats[actual] ?? '';
}
