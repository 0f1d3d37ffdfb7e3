/**
 * A set of keys that is read in order. Changes are gathered and merged in when somebody reads,
 * so that a burst of them costs one pass and not one sort each.
 */
export class SortedKeys {
  #sorted: string[] = [];
  readonly #added = new Set<string>();
  readonly #deleted = new Set<string>();

  /** The key must not be present. */
  add(key: string): void {
    if (!this.#deleted.delete(key)) this.#added.add(key);
  }

  /** The key must be present. */
  delete(key: string): void {
    if (!this.#added.delete(key)) this.#deleted.add(key);
  }

  sorted(): readonly string[] {
    if (this.#added.size === 0 && this.#deleted.size === 0) return this.#sorted;
    const added = [...this.#added].sort();
    const merged: string[] = [];
    let next = 0;
    for (const key of this.#sorted) {
      for (let other = added[next]; other !== undefined && other < key; other = added[++next]) {
        merged.push(other);
      }
      if (!this.#deleted.has(key)) merged.push(key);
    }
    for (; next < added.length; next++) merged.push(added[next] ?? '');
    this.#sorted = merged;
    this.#added.clear();
    this.#deleted.clear();
    return merged;
  }
}
