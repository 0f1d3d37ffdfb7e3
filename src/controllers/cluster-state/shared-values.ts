/** So many different values are remembered; beyond, the memory begins anew. */
const mostRemembered = 20_000;

/**
 * Gives equal values one identity. The pods of a workload come with equal specs, each in a copy
 * of its own; of a hundred thousand pods there are some hundred kinds.
 */
export class SharedValues {
  readonly #known = new Map<string, unknown>();

  /** An equal value that was seen before, or this one. Plain data only. */
  of<T>(value: T): T {
    if (typeof value !== 'object' || value === null) return value;
    const key = JSON.stringify(value);
    const known = this.#known.get(key);
    if (known !== undefined) return known as T;
    // Whoever holds an older value keeps it; only later ones are no longer compared with it.
    if (this.#known.size >= mostRemembered) this.#known.clear();
    this.#known.set(key, value);
    return value;
  }
}
