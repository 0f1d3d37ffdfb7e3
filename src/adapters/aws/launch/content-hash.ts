import { createHash } from 'node:crypto';

/** The same text for equal values, whatever the order of their keys; undefined fields count as missing. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value instanceof Map) return canonicalJson([...value]);
  if (value instanceof Set) return canonicalJson([...value]);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}

/** A 64-bit number in decimal that stands for the content. */
export function contentHash(...content: readonly unknown[]): string {
  const digest = createHash('sha256').update(canonicalJson(content)).digest();
  return digest.readBigUInt64BE(0).toString();
}

/** At most 64 letters and digits, as idempotency tokens may be. */
export function token(...content: readonly unknown[]): string {
  return createHash('sha256').update(canonicalJson(content)).digest('hex').slice(0, 48);
}
