import { type FieldError, invalid, shown, tooLong, wrongType } from '../status/field-error.ts';
import type { Place } from './place.ts';
import { re2 } from './re2/re2.ts';
import type { JsonSchema } from './schema.ts';

/** Format of text, and of its length and pattern the first that is wrong. */
export function textErrors(place: Place): readonly FieldError[] {
  const { value, schema, path } = place;
  if (typeof value !== 'string') return [];
  const limit = limitError(value, schema, path);
  if (hasFormat(value, schema)) return limit;
  const text = `${path} in body must be of type ${schema.format}: ${shown(value)}`;
  return [...limit, wrongType(path, value, text)];
}

function limitError(value: string, schema: JsonSchema, path: string): readonly FieldError[] {
  const length = [...value].length;
  if (schema.maxLength !== undefined && length > schema.maxLength) {
    return [tooLong(path, schema.maxLength)];
  }
  if (schema.minLength !== undefined && length < schema.minLength) {
    const text = `${path} in body should be at least ${schema.minLength} chars long`;
    return [invalid(path, value, text)];
  }
  return schema.pattern === undefined ? [] : patternError(value, schema.pattern, path);
}

function patternError(value: string, pattern: string, path: string): readonly FieldError[] {
  const text = `${path} in body should match '${pattern}'`;
  try {
    return re2(pattern).test(value) ? [] : [invalid(path, value, text)];
  } catch (error) {
    // A definition may hold an expression that is none; then nothing can match it.
    if (!(error instanceof SyntaxError)) throw error;
    return [invalid(path, value, `${text}, but pattern is invalid: ${error.message}`)];
  }
}

const formats: Readonly<Record<string, (value: string) => boolean>> = {
  'date-time': isDateTime,
  date: isDate,
  duration: matches(/^(-?(\d+(\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h|d|w))+$|^\d+$/),
  byte: matches(/^[A-Za-z0-9+/]*={0,2}$/),
  uuid: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  ipv4: matches(/^(\d{1,3}\.){3}\d{1,3}$/),
  cidr: matches(/^[0-9a-fA-F.:]+\/\d{1,3}$/),
  email: matches(/^[^@\s]+@[^@\s]+$/),
  uri: matches(/^[A-Za-z][A-Za-z0-9+.-]*:|^\//),
};

function matches(pattern: RegExp): (value: string) => boolean {
  return (value) => pattern.test(value);
}

function isDateTime(value: string): boolean {
  const [date = '', time = ''] = value.toLowerCase().split('t');
  const clock = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|[+-]\d{2}:\d{2})$/.exec(time);
  if (clock === null || !isDate(date)) return false;
  const [, hour = '', minute = '', second = ''] = clock;
  return hour <= '23' && minute <= '59' && second <= '59';
}

/** A day of the calendar; one that does not exist is moved by `Date` and so looks different. */
function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const ms = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(value);
}

function hasFormat(value: string, schema: JsonSchema): boolean {
  const name = schema.format ?? '';
  return !Object.hasOwn(formats, name) || formats[name]?.(value) === true;
}
