import { isEqual, type Json } from '../json.ts';
import { type FieldError, invalid, unsupported } from '../status/field-error.ts';
import type { Place } from './validate.ts';

/** The value is one of those listed. */
export function enumErrors({ value, schema, path }: Place): readonly FieldError[] {
  const allowed = schema.enum;
  if (allowed?.some((one) => isEqual(one, value)) ?? true) return [];
  return [unsupported(path, value, (allowed ?? []).map(enumText))];
}

function enumText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Bounds and steps of numbers. */
export function numberErrors({ value, schema, path }: Place): readonly FieldError[] {
  if (typeof value !== 'number') return [];
  const { minimum, maximum, multipleOf } = schema;
  const errors: FieldError[] = [];
  const complain = (text: string): void => {
    errors.push(invalid(path, value, `${path} in body should be ${text}`));
  };
  if (maximum !== undefined) {
    if (schema.exclusiveMaximum === true && value >= maximum) complain(`less than ${maximum}`);
    else if (value > maximum) complain(`less than or equal to ${maximum}`);
  }
  if (minimum !== undefined) {
    if (schema.exclusiveMinimum === true && value <= minimum) complain(`greater than ${minimum}`);
    else if (value < minimum) complain(`greater than or equal to ${minimum}`);
  }
  if (multipleOf !== undefined && !Number.isInteger(value / multipleOf)) {
    complain(`a multiple of ${multipleOf}`);
  }
  return errors;
}
