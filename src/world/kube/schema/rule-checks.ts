import { isEqual, type Json, type JsonObject } from '../json.ts';
import { type FieldError, type FieldErrorType, shown } from '../status/field-error.ts';
import { celExpression, type Evaluation, type Expression } from './cel/expression.ts';
import { celValue } from './cel/values.ts';
import { joined, type Place, placesIn } from './place.ts';
import { type JsonSchema, namedProperty, type ValidationRule } from './schema.ts';

/**
 * What the rules in CEL of a schema say against an object. Rules that speak of `oldSelf` are
 * asked only where there is an old value; the others only where the value changed.
 */
export function ruleErrors(
  object: JsonObject,
  schema: JsonSchema,
  old: JsonObject | undefined,
): readonly FieldError[] {
  if (!hasRules(schema)) return [];
  return errorsAt({ value: object, schema: rootSchema(schema), path: '', old });
}

/** Of the metadata, rules see the names alone. */
function rootSchema(schema: JsonSchema): JsonSchema {
  const name: JsonSchema = { type: 'string' };
  const metadata: JsonSchema = { type: 'object', properties: { name, generateName: name } };
  return { ...schema, properties: { ...schema.properties, metadata } };
}

const ruled = new WeakMap<JsonSchema, boolean>();

/** Whether anything in the schema has a rule. */
export function hasRules(schema: JsonSchema): boolean {
  const known = ruled.get(schema);
  if (known !== undefined) return known;
  const { properties = {}, items, additionalProperties } = schema;
  const children = [...Object.values(properties), items, additionalProperties];
  const result =
    (schema['x-kubernetes-validations'] ?? []).length > 0 ||
    children.some((child) => typeof child === 'object' && hasRules(child));
  ruled.set(schema, result);
  return result;
}

function errorsAt(place: Place): readonly FieldError[] {
  return [...ownErrors(place), ...childrenOf(place).flatMap(errorsAt)];
}

/** A key of a map, unlike a field, stands in brackets. */
function childrenOf(place: Place): readonly Place[] {
  const { schema } = place;
  const places = placesIn(place, (path, key) =>
    namedProperty(schema, key) === undefined ? `${path}[${key}]` : joined(path, key),
  );
  return places.filter((child) => hasRules(child.schema));
}

function ownErrors(place: Place): readonly FieldError[] {
  const rules = place.schema['x-kubernetes-validations'] ?? [];
  if (rules.length === 0 || (place.value === null && place.schema.nullable !== true)) return [];
  const isUnchanged = place.old !== undefined && isEqual(place.value, place.old);
  return rules.flatMap((rule) => {
    const expression = celExpression(rule.rule);
    if (!isAsked(rule, expression, { isUnchanged, hasOld: place.old !== undefined })) return [];
    const error = errorOf(place, rule, expression);
    return error === undefined ? [] : [error];
  });
}

interface Past {
  readonly isUnchanged: boolean;
  readonly hasOld: boolean;
}

function isAsked(rule: ValidationRule, { usesOldSelf }: Expression, past: Past): boolean {
  if (!usesOldSelf) return !past.isUnchanged;
  return past.hasOld || rule.optionalOldSelf === true;
}

function errorOf(
  place: Place,
  rule: ValidationRule,
  expression: Expression,
): FieldError | undefined {
  const { schema } = place;
  if (expression.compileError !== undefined) {
    return typed(place, `rule compile error: ${expression.compileError}`);
  }
  const answer = expression.evaluate(subjectOf(place, rule));
  if (answer.kind === 'error') return typed(place, evaluationText(answer.message, rule));
  if (answer.value === true) return undefined;
  const field = `${place.path}${rule.fieldPath ?? ''}`.replace(/^\./, '');
  const isScalar = schema.type !== 'object' && schema.type !== 'array';
  const message = messageOf(place, rule);
  const type = rule.reason ?? 'FieldValueInvalid';
  return told(type, field, isScalar ? { value: place.value, message } : { message });
}

function subjectOf({ value, schema, old }: Place, rule: ValidationRule) {
  return {
    self: celValue(value, schema),
    oldSelf: old === undefined ? undefined : celValue(old, schema),
    hasOptionalOld: rule.optionalOldSelf === true,
  };
}

function evaluationText(why: string, rule: ValidationRule): string {
  const name = (rule.message ?? rule.rule).trim();
  if (!why.startsWith('no such overload')) return `${why} evaluating rule: ${name}`;
  return `'${why}': call arguments did not match a supported operator, function or macro signature for rule: ${name}`;
}

function messageOf(place: Place, rule: ValidationRule): string {
  const fallback = rule.message?.trim() ?? `failed rule: ${rule.rule.trim()}`;
  if (rule.messageExpression === undefined) return fallback;
  const answer: Evaluation = celExpression(rule.messageExpression).evaluate(subjectOf(place, rule));
  const text = answer.kind === 'value' && typeof answer.value === 'string' ? answer.value : '';
  const isUsable = text.trim() !== '' && !text.includes('\n');
  return isUsable ? text.trim() : fallback;
}

/** An error of the rule itself names the type of the value instead of the value. */
function typed(place: Place, message: string): FieldError {
  const value = place.schema.type ?? '';
  return told('FieldValueInvalid', place.path, { value, message });
}

const titles = {
  FieldValueInvalid: 'Invalid value',
  FieldValueForbidden: 'Forbidden',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
} satisfies Partial<Record<FieldErrorType, string>>;

function told(
  type: keyof typeof titles,
  field: string,
  { value, message }: { readonly value?: Json; readonly message: string },
): FieldError {
  const isSilent = type === 'FieldValueForbidden' || type === 'FieldValueRequired';
  const about = value === undefined || isSilent ? [] : [shown(value)];
  const detail = type === 'FieldValueDuplicate' ? [] : [message];
  return { type, field, message: [titles[type], ...about, ...detail].join(': ') };
}
