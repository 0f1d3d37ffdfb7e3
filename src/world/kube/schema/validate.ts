import { isList, isObject, type Json, type JsonObject } from '../json.ts';
import { type FieldError, invalid, required, wrongType } from '../status/field-error.ts';
import { listErrors } from './list-checks.ts';
import type { JsonSchema } from './schema.ts';
import { textErrors } from './text-checks.ts';
import { enumErrors, numberErrors } from './value-checks.ts';

/** A value in its place inside the object being validated. */
export interface Place {
  readonly value: Json;
  readonly schema: JsonSchema;
  readonly path: string;
}

/**
 * Everything wrong with a custom resource by its structural schema, in the real server's words.
 * A further kind of check (rules in CEL) belongs into `checksOf`, where each sees one place.
 */
export function validate(object: JsonObject, schema: JsonSchema): readonly FieldError[] {
  const { metadata: _metadata, ...properties } = schema.properties ?? {};
  const required = schema.required?.filter((name) => name !== 'metadata') ?? [];
  return errorsAt({ value: object, schema: { ...schema, properties, required }, path: '' });
}

function errorsAt(place: Place): readonly FieldError[] {
  if (place.value === null && place.schema.nullable === true) return [];
  const typeError = typeErrorOf(place);
  if (typeError !== undefined) return [typeError];
  return [...checksOf(place), ...childrenOf(place).flatMap(errorsAt)];
}

function checksOf(place: Place): readonly FieldError[] {
  return [
    ...enumErrors(place),
    ...textErrors(place),
    ...numberErrors(place),
    ...listErrors(place),
    ...objectErrors(place),
    ...combinationErrors(place),
  ];
}

function typeErrorOf({ value, schema, path }: Place): FieldError | undefined {
  const actual = typeOf(value);
  if (schema['x-kubernetes-int-or-string'] === true) {
    if (actual === 'integer' || actual === 'string') return undefined;
    return typeMismatch(path, 'integer,string', actual);
  }
  const { type } = schema;
  if (type === undefined || type === actual) return undefined;
  if (type === 'number' && actual === 'integer') return undefined;
  return typeMismatch(path, type, actual);
}

function typeMismatch(path: string, wanted: string, actual: string): FieldError {
  const text = `${path} in body must be of type ${wanted}: "${actual}"`;
  return wrongType(path, actual, text);
}

function typeOf(value: Json): string {
  if (value === null) return 'null';
  if (isList(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function objectErrors({ value, schema, path }: Place): readonly FieldError[] {
  if (!isObject(value)) return [];
  const errors: FieldError[] = [];
  const count = Object.keys(value).length;
  if (schema.minProperties !== undefined && count < schema.minProperties) {
    const text = `${path} in body should have at least ${schema.minProperties} properties`;
    errors.push(invalid(path, value, text));
  }
  if (schema.maxProperties !== undefined && count > schema.maxProperties) {
    errors.push(tooMany(path, count, schema.maxProperties));
  }
  for (const name of schema.required ?? []) {
    if (value[name] === undefined) errors.push(required(join(path, name)));
  }
  return errors;
}

export function tooMany(path: string, count: number, limit: number): FieldError {
  const items = limit === 1 ? 'item' : 'items';
  return {
    type: 'FieldValueTooMany',
    field: path,
    message: `Too many: ${count}: must have at most ${limit} ${items}`,
  };
}

function combinationErrors({ value, schema, path }: Place): readonly FieldError[] {
  const isValid = (one: JsonSchema): boolean => errorsAt({ value, schema: one, path }).length === 0;
  const errors: FieldError[] = [];
  const complain = (text: string): void => {
    errors.push(invalid(path, value, `"${path}" ${text}`));
  };
  if (schema.anyOf !== undefined && !schema.anyOf.some(isValid)) {
    complain('must validate at least one schema (anyOf)');
  }
  const matches = schema.oneOf?.filter(isValid).length ?? 1;
  if (matches === 0) {
    complain('must validate one and only one schema (oneOf). Found none valid');
  } else if (matches > 1) {
    complain(`must validate one and only one schema (oneOf). Found ${matches} valid alternatives`);
  }
  if (schema.allOf !== undefined && !schema.allOf.every(isValid)) {
    complain('must validate all the schemas (allOf)');
  }
  if (schema.not !== undefined && isValid(schema.not)) {
    complain('must not validate the schema (not)');
  }
  return errors;
}

function childrenOf({ value, schema, path }: Place): readonly Place[] {
  if (isList(value)) {
    const { items } = schema;
    if (items === undefined) return [];
    return value.map((item, i) => ({ value: item, schema: items, path: `${path}[${i}]` }));
  }
  if (!isObject(value)) return [];
  return Object.keys(value)
    .sort()
    .flatMap((key) => {
      const child = value[key];
      const named = schema.properties?.[key] ?? schema.additionalProperties;
      if (child === undefined || typeof named !== 'object') return [];
      return [{ value: child, schema: named, path: join(path, key) }];
    });
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
