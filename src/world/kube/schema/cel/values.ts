import { isList, isObject, type Json, type JsonObject } from '../../json.ts';
import { type JsonSchema, namedProperty, propertyOf } from '../schema.ts';

/** A value as rules see it: integers as bigints, objects as maps, times as dates. */
export type CelValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Date
  | readonly CelValue[]
  | ReadonlyMap<string, CelValue>;

/** The value as its schema types it. What the schema does not name, rules cannot see. */
export function celValue(value: Json, schema: JsonSchema): CelValue {
  if (isList(value)) return value.map((item) => celValue(item, schema.items ?? anything));
  if (isObject(value)) return celMap(value, schema);
  if (typeof value === 'number') return celNumber(value, schema);
  return typeof value === 'string' ? celText(value, schema) : value;
}

const anything: JsonSchema = {};

function celMap(value: JsonObject, schema: JsonSchema): CelValue {
  const isNamed = (key: string): boolean => namedProperty(schema, key) !== undefined;
  const entries = Object.entries(value).flatMap(([key, child]): [string, CelValue][] => {
    const property = propertyOf(schema, key);
    if (child === undefined || property === undefined) return [];
    // A null that the schema does not allow counts as not set.
    if (child === null && property.nullable !== true) return [];
    return [[isNamed(key) ? identifier(key) : key, celValue(child, property)]];
  });
  return new Map(entries);
}

function celNumber(value: number, schema: JsonSchema): CelValue {
  return schema.type !== 'number' && Number.isInteger(value) ? BigInt(value) : value;
}

function celText(value: string, schema: JsonSchema): CelValue {
  const isTime = schema.format === 'date-time' || schema.format === 'date';
  return isTime ? new Date(Date.parse(value)) : value;
}

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);
const signs: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** A field's name as rules must write it, since CEL has fewer letters than JSON. */
function identifier(key: string): string {
  if (reserved.has(key)) return `__${key}__`;
  return key.replaceAll(/__|[./-]/g, (sign) => signs[sign] ?? sign);
}
