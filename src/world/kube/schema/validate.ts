import { isEqual, isObject, type JsonObject } from '../json.ts';
import { type FieldError, invalid, required } from '../status/field-error.ts';
import { listErrors } from './list-checks.ts';
import { joined, type Place, placesIn } from './place.ts';
import type { JsonSchema } from './schema.ts';
import { textErrors } from './text-checks.ts';
import { typeErrors } from './type-checks.ts';
import { enumErrors, numberErrors } from './value-checks.ts';

/**
 * Everything wrong with a custom resource by its structural schema, in the real server's words.
 * What an update leaves as it was may stay wrong: schemas get stricter over time.
 */
export function validate(
  object: JsonObject,
  schema: JsonSchema,
  old?: JsonObject,
): readonly FieldError[] {
  const { metadata: _metadata, ...properties } = schema.properties ?? {};
  const needed = schema.required?.filter((name) => name !== 'metadata') ?? [];
  const root = { ...schema, properties, required: needed };
  return within('', errorsAt({ value: object, schema: root, path: '', old }));
}

/** The same for the status alone, as its own path is judged. */
export function validateStatus(
  object: JsonObject,
  schema: JsonSchema,
  old: JsonObject,
): readonly FieldError[] {
  const status = schema.properties?.status;
  const value = object.status;
  if (status === undefined || value === undefined) return [];
  return within('status', errorsAt({ value, schema: status, path: '', old: old.status }));
}

/** The errors of a part as errors of the whole. Their texts keep naming the place in the part. */
function within(part: string, errors: readonly FieldError[]): readonly FieldError[] {
  return errors.map((error) => {
    const field = error.field === '' ? part : joined(part, error.field);
    return { ...error, field: field === '' ? '<nil>' : field };
  });
}

/** An error that the real server does not ascribe to a field. */
export function general(text: string): FieldError {
  return invalid('', '', text);
}

function errorsAt(place: Place): readonly FieldError[] {
  if (place.value === null && place.schema.nullable === true) return [];
  if (place.old !== undefined && isEqual(place.value, place.old)) return [];
  return [...checksOf(place), ...placesIn(place).flatMap(errorsAt)];
}

/** Each check looks only at values of its own type, so that a wrong type hides nothing else. */
function checksOf(place: Place): readonly FieldError[] {
  return [
    ...typeErrors(place),
    ...enumErrors(place),
    ...textErrors(place),
    ...numberErrors(place),
    ...listErrors(place),
    ...objectErrors(place),
    ...combinationErrors(place),
  ];
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
    if (value[name] === undefined) errors.push(required(joined(path, name)));
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
  const errorsOf = (one: JsonSchema): readonly FieldError[] =>
    errorsAt({ value, schema: one, path });
  const isValid = (one: JsonSchema): boolean => errorsOf(one).length === 0;
  const errors: FieldError[] = [];
  const complain = (text: string): void => {
    errors.push(general(`"${path}" ${text}`));
  };
  if (schema.anyOf !== undefined && !schema.anyOf.some(isValid)) {
    complain('must validate at least one schema (anyOf)');
    errors.push(...(schema.anyOf[0] === undefined ? [] : errorsOf(schema.anyOf[0])));
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
