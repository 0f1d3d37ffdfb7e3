/** Where a key is, or would be put, in sorted keys. */
export function firstIndexAtLeast(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? '') < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The part of sorted keys that begins with a prefix, as a half-open range of indexes. */
export function rangeOfPrefix(keys: readonly string[], prefix: string): readonly [number, number] {
  if (prefix === '') return [0, keys.length];
  return [firstIndexAtLeast(keys, prefix), firstIndexAtLeast(keys, `${prefix}\uffff`)];
}
