/** So many answers are remembered; beyond, the memory begins anew. */
const mostRemembered = 20_000;
/** Values that differ and have one fingerprint are rare; so many of them are told apart. */
const mostAlike = 16;

/**
 * Answers by the plain values that they were read from, as JSON has them: values that say the
 * same have the very same answer. Two values are compared without writing either as a text.
 */
export class Likenesses<T> {
  readonly #known = new Map<number, { readonly value: unknown; readonly answer: T }[]>();
  #size = 0;

  /** The answer to the value, read now if none that says the same was read before. */
  of(value: unknown, read: () => T): T {
    const print = fingerprint(value);
    const entries = this.#known.get(print);
    if (entries !== undefined)
      for (const entry of entries) if (isAlike(entry.value, value)) return entry.answer;
    const answer = read();
    this.#keep(print, { value, answer });
    return answer;
  }

  #keep(print: number, entry: { readonly value: unknown; readonly answer: T }): void {
    // Whoever holds an older answer keeps it; only later ones are other values.
    if (this.#size >= mostRemembered) {
      this.#known.clear();
      this.#size = 0;
    }
    const entries = this.#known.get(print);
    if (entries === undefined) this.#known.set(print, [entry]);
    else if (entries.length < mostAlike) entries.push(entry);
    this.#size += 1;
  }
}

/** Equal for values that say the same in the same order, and seldom for others. */
function fingerprint(value: unknown): number {
  if (typeof value === 'string') return fingerprintOfText(value);
  if (typeof value === 'number') return value | 0;
  if (typeof value !== 'object' || value === null) return value === true ? 1 : 2;
  let print = 7;
  if (Array.isArray(value)) {
    for (const item of value) print = (Math.imul(print, 31) + fingerprint(item)) | 0;
    return print;
  }
  const record = value as Readonly<Record<string, unknown>>;
  for (const key in record)
    print = (Math.imul(print, 33) + key.length + fingerprint(record[key])) | 0;
  return print;
}

function fingerprintOfText(text: string): number {
  let print = text.length;
  for (let index = 0; index < text.length; index++)
    print = (Math.imul(print, 31) + text.charCodeAt(index)) | 0;
  return print;
}

function isAlike(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && isSameList(a, b);
  return !Array.isArray(b) && isSameRecord(a as Plain, b as Plain);
}

type Plain = Readonly<Record<string, unknown>>;

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (!isAlike(a[index], b[index])) return false;
  return true;
}

function isSameRecord(a: Plain, b: Plain): boolean {
  let fields = 0;
  for (const key in a) {
    if (!isAlike(a[key], b[key])) return false;
    fields += 1;
  }
  for (const _ in b) fields -= 1;
  return fields === 0;
}
