/** An object as JSON has it. Conversion reads foreign objects, so nothing is taken for granted. */
export type Plain = Readonly<Record<string, unknown>>;

const nothing: Plain = {};

export function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object under the key, or an empty one. */
export function objectAt(value: unknown, ...keys: readonly string[]): Plain {
  const found = valueAt(value, keys);
  return isPlain(found) ? found : nothing;
}

/** The list under the key, or an empty one. */
export function listAt(value: unknown, ...keys: readonly string[]): readonly unknown[] {
  const found = valueAt(value, keys);
  return Array.isArray(found) ? found : [];
}

/** The text under the key, or an empty one. */
export function textAt(value: unknown, ...keys: readonly string[]): string {
  const found = valueAt(value, keys);
  return typeof found === 'string' ? found : '';
}

/** What lies at the end of the path; undefined where it breaks off. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let at = value;
  for (const key of path) {
    if (!isPlain(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

/** The object with these fields alone, where it has them. */
export function pick(object: Plain, keys: readonly string[]): Plain {
  return Object.fromEntries(
    keys.filter((key) => Object.hasOwn(object, key)).map((key) => [key, object[key]]),
  );
}

export function omit(object: Plain, keys: readonly string[]): Plain {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** The field with its value, or nothing at all where there is none: made to be spread. */
export function field(key: string, value: unknown): Plain {
  const isEmpty = value === undefined || value === null || value === '';
  return isEmpty ? nothing : { [key]: value };
}

/** The field, unless its object or list is empty. */
export function filled(key: string, value: Plain | readonly unknown[]): Plain {
  const size = Array.isArray(value) ? value.length : Object.keys(value).length;
  return size === 0 ? nothing : { [key]: value };
}
