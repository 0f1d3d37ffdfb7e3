/**
 * Hexadecimal digits that depend on the name alone. Seeded resources have the same ids in every
 * run, so that what a person copied yesterday still works today.
 */
export function stableDigits(name: string, length: number): string {
  let digits = '';
  for (let block = 0; digits.length < length; block++) {
    digits += hash(`${block}/${name}`).toString(16).padStart(8, '0');
  }
  return digits.slice(0, length);
}

/** `subnet-0d1e…`: the prefix and seventeen digits, as EC2 makes ids. */
export function stableId(prefix: string, name: string): string {
  return `${prefix}-0${stableDigits(name, 16)}`;
}

/** `AROA…`: the prefix and letters, as IAM makes ids. */
export function stableIamId(prefix: string, name: string): string {
  return `${prefix}${stableDigits(name, 17).toUpperCase()}`;
}

/** FNV-1a with a final mix, so that names that differ in one character differ in all digits. */
export function hash(value: string): number {
  let state = 0x811c9dc5;
  for (let i = 0; i < value.length; i++) {
    state = Math.imul(state ^ value.charCodeAt(i), 0x01000193);
  }
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
}
