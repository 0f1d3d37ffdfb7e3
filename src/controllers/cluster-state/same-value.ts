/**
 * Whether two values say the same: plain data, arrays, maps and sets, however deep. A missing
 * field and an undefined one are alike.
 */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && isSameList(a, b, isSameValue);
  if (a instanceof Map) return b instanceof Map && isSameMap(a, b);
  if (a instanceof Set)
    return b instanceof Set && a.size === b.size && [...a].every((v) => b.has(v));
  return isSameRecord(a, b);
}

/** Whether two lists have equal items in one order; identity unless told otherwise. */
export function isSameList<T>(
  a: readonly T[],
  b: readonly T[],
  isSame: (a: T, b: T) => boolean = Object.is,
): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (const [index, item] of a.entries()) if (!isSame(item, b[index] as T)) return false;
  return true;
}

function isSameMap(a: ReadonlyMap<unknown, unknown>, b: ReadonlyMap<unknown, unknown>): boolean {
  if (a.size !== b.size) return false;
  for (const [key, value] of a) if (!b.has(key) || !isSameValue(value, b.get(key))) return false;
  return true;
}

function isSameRecord(a: object, b: object): boolean {
  const fields = new Map<string, unknown>(Object.entries(b));
  for (const [name, value] of Object.entries(a)) {
    if (!isSameValue(value, fields.get(name))) return false;
    fields.delete(name);
  }
  for (const value of fields.values()) if (value !== undefined) return false;
  return true;
}
