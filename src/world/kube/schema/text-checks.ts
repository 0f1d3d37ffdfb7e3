import { type FieldError, invalid, tooLong, wrongType } from '../status/field-error.ts';
import type { JsonSchema } from './schema.ts';
import type { Place } from './validate.ts';

/** Length, pattern and format of text. */
export function textErrors({ value, schema, path }: Place): readonly FieldError[] {
  if (typeof value !== 'string') return [];
  const errors: FieldError[] = [];
  const length = [...value].length;
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    errors.push(tooLong(path, schema.maxLength));
  }
  if (schema.minLength !== undefined && length < schema.minLength) {
    const text = `${path} in body should be at least ${schema.minLength} chars long`;
    errors.push(invalid(path, value, text));
  }
  if (schema.pattern !== undefined && !compiled(schema.pattern).test(value)) {
    errors.push(invalid(path, value, `${path} in body should match '${schema.pattern}'`));
  }
  if (!hasFormat(value, schema)) {
    const text = `${path} in body must be of type ${schema.format}: ${JSON.stringify(value)}`;
    errors.push(wrongType(path, value, text));
  }
  return errors;
}

const patterns = new Map<string, RegExp>();

function compiled(pattern: string): RegExp {
  let known = patterns.get(pattern);
  if (known === undefined) {
    known = new RegExp(pattern, 'u');
    patterns.set(pattern, known);
  }
  return known;
}

const formats: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:?\d{2})$/,
  date: /^\d{4}-\d{2}-\d{2}$/,
  duration: /^(-?(\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h|d|w))+$|^\d+$/,
  byte: /^[A-Za-z0-9+/]*={0,2}$/,
  uuid: /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i,
  ipv4: /^(\d{1,3}\.){3}\d{1,3}$/,
  cidr: /^[0-9a-fA-F.:]+\/\d{1,3}$/,
  email: /^[^@\s]+@[^@\s]+$/,
  uri: /^[A-Za-z][A-Za-z0-9+.-]*:|^\//,
};

function hasFormat(value: string, schema: JsonSchema): boolean {
  const format = formats[schema.format ?? ''];
  return format === undefined || format.test(value);
}
