import type { ApiObject } from '../json.ts';
import { firstIndexAtLeast } from './sorted.ts';
import type { Change, ChangeListener, Page } from './store.ts';

/** The objects of one storage with their latest changes. Only the `Store` writes to it. */
export class Shelf implements Page {
  readonly #objects = new Map<string, ApiObject>();
  readonly #keys: string[] = [];
  readonly #historyLength: number;
  readonly #listeners = new Set<ChangeListener>();
  readonly #outbox: Change[] = [];
  #history: Change[] = [];
  #oldestRevision = 0;
  #past: { readonly revision: number; readonly page: Page } | undefined;

  constructor(historyLength: number) {
    this.#historyLength = historyLength;
  }

  get keys(): readonly string[] {
    return this.#keys;
  }

  get oldestRevision(): number {
    return this.#oldestRevision;
  }

  get(key: string): ApiObject | undefined {
    return this.#objects.get(key);
  }

  record(change: Change): void {
    this.#write(change);
    this.#history.push(change);
    // Trimmed a quarter at a time, so that a write costs the same however long the history is.
    if (this.#history.length > this.#historyLength * 1.25) this.#forget();
    this.#outbox.push(change);
    if (this.#outbox.length === 1) this.#deliver();
  }

  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  changesSince(revision: number): readonly Change[] | undefined {
    if (revision < this.#oldestRevision) return undefined;
    return this.#history.slice(this.#firstAfter(revision));
  }

  at(revision: number): Page | undefined {
    if (revision < this.#oldestRevision) return undefined;
    const first = this.#firstAfter(revision);
    if (first === this.#history.length) return this;
    if (this.#past?.revision === revision) return this.#past.page;
    const page = this.#undo(this.#history.slice(first));
    this.#past = { revision, page };
    return page;
  }

  /** A listener may write; what it wrote is told to everybody after what it was told itself. */
  #deliver(): void {
    for (let i = 0; i < this.#outbox.length; i++) {
      const change = this.#outbox[i];
      if (change === undefined) continue;
      for (const listener of [...this.#listeners]) listener(change);
    }
    this.#outbox.length = 0;
  }

  #write(change: Change): void {
    const index = firstIndexAtLeast(this.#keys, change.key);
    if (change.type === 'ADDED') this.#keys.splice(index, 0, change.key);
    if (change.type === 'DELETED') {
      this.#keys.splice(index, 1);
      this.#objects.delete(change.key);
    } else {
      this.#objects.set(change.key, change.object);
    }
  }

  #forget(): void {
    const forgotten = this.#history.splice(0, this.#history.length - this.#historyLength);
    this.#oldestRevision = forgotten.at(-1)?.revision ?? this.#oldestRevision;
    if (this.#past !== undefined && this.#past.revision < this.#oldestRevision) {
      this.#past = undefined;
    }
  }

  #firstAfter(revision: number): number {
    let low = 0;
    let high = this.#history.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#history[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #undo(changes: readonly Change[]): Page {
    const objects = new Map(this.#objects);
    for (const change of changes.toReversed()) {
      if (change.previous === undefined) objects.delete(change.key);
      else objects.set(change.key, change.previous);
    }
    return { keys: [...objects.keys()].sort(), get: (key) => objects.get(key) };
  }
}
