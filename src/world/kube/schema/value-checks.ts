import { isEqual, type Json } from '../json.ts';
import { type FieldError, invalid, unsupported } from '../status/field-error.ts';
import type { Place } from './place.ts';
import type { JsonSchema } from './schema.ts';
import { isInt64 } from './type-checks.ts';
import { general } from './validate.ts';

/** The value is one of those listed. */
export function enumErrors({ value, schema, path }: Place): readonly FieldError[] {
  const allowed = schema.enum;
  if (allowed?.some((one) => isEqual(one, value)) ?? true) return [];
  return [unsupported(path, value, (allowed ?? []).map(enumText))];
}

function enumText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Range of the format, bounds and steps of numbers. */
export function numberErrors({ value, schema, path }: Place): readonly FieldError[] {
  if (typeof value !== 'number') return [];
  const { minimum, maximum, multipleOf } = schema;
  const errors: FieldError[] = [];
  const complain = (text: string): void => {
    errors.push(invalid(path, value, `${path} in body should be ${text}`));
  };
  if (!isWithinFormat(value, schema)) {
    const format =
      schema.format === undefined ? '(default format)' : `with format ${schema.format}`;
    errors.push(general(`Checked value must be of type integer ${format} in ${path}`));
  }
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

function isWithinFormat(value: number, { type, format }: JsonSchema): boolean {
  if (type !== 'integer') return true;
  if (!isInt64(value)) return false;
  return format !== 'int32' || (value >= -(2 ** 31) && value < 2 ** 31);
}
