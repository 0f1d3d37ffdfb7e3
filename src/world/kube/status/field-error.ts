import type { Json } from '../json.ts';

export type FieldErrorType =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueNotFound';

/** One thing wrong with one field, as the causes of an `Invalid` status list them. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  /** What follows the field's path: `Invalid value: "x": must …`. */
  readonly message: string;
}

const titles: Readonly<Record<FieldErrorType, string>> = {
  FieldValueRequired: 'Required value',
  FieldValueInvalid: 'Invalid value',
  FieldValueTypeInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueNotFound: 'Not found',
};

export function required(field: string, detail = ''): FieldError {
  return plain('FieldValueRequired', field, detail);
}

export function forbidden(field: string, detail: string): FieldError {
  return plain('FieldValueForbidden', field, detail);
}

export function invalid(field: string, value: Json | undefined, detail: string): FieldError {
  return about('FieldValueInvalid', { field, value, detail });
}

export function wrongType(field: string, value: Json | undefined, detail: string): FieldError {
  return about('FieldValueTypeInvalid', { field, value, detail });
}

export function duplicate(field: string, value: Json | undefined): FieldError {
  return about('FieldValueDuplicate', { field, value, detail: '' });
}

export function tooLong(field: string, limit: number): FieldError {
  return plain('FieldValueTooLong', field, `may not be more than ${limit} bytes`);
}

/** `supported` is listed as it comes, each in quotes. */
export function unsupported(
  field: string,
  value: Json | undefined,
  supported: readonly string[],
): FieldError {
  const quoted = supported.map(goQuoted);
  const detail = `supported values: ${quoted.join(', ')}`;
  return about('FieldValueNotSupported', { field, value, detail });
}

function plain(type: FieldErrorType, field: string, detail: string): FieldError {
  return { type, field, message: detail === '' ? titles[type] : `${titles[type]}: ${detail}` };
}

interface About {
  readonly field: string;
  readonly value: Json | undefined;
  readonly detail: string;
}

function about(type: FieldErrorType, { field, value, detail }: About): FieldError {
  const start = `${titles[type]}: ${shown(value ?? null)}`;
  return { type, field, message: detail === '' ? start : `${start}: ${detail}` };
}

/** A value as messages show it. */
export function shown(value: Json): string {
  return typeof value === 'string' ? goQuoted(value) : JSON.stringify(value);
}

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/** Text in quotes, as Go writes it: what cannot be seen stands as its code. */
function goQuoted(text: string): string {
  const hidden = /["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;
  return `"${text.replaceAll(hidden, (char) => escapes[char] ?? codeOf(char))}"`;
}

function codeOf(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 128) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
