/** JSON with sorted keys and nothing undefined: equal text means equal value. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`);
  return `{${fields.join(',')}}`;
}

export function isSame(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** A short name for a value, in letters that may stand in a label: FNV-1a of its canonical text. */
export function shortHash(value: unknown): string {
  let hash = 0x811c9dc5;
  for (const character of canonical(value)) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  return [...String(hash)]
    .map((digit) => alphabet[digit.charCodeAt(0) % alphabet.length] ?? '')
    .join('');
}
