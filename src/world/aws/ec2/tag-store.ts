import type { Tags } from '../account.ts';
import type { XmlObject } from '../wire/xml.ts';

/** The tags of every EC2 resource, by resource id. */
export class TagStore {
  readonly #tags = new Map<string, Map<string, string>>();

  of(resourceId: string): ReadonlyMap<string, string> {
    return this.#tags.get(resourceId) ?? none;
  }

  has(resourceId: string): boolean {
    return this.#tags.has(resourceId);
  }

  /** Adds tags and replaces the values of those that were there. */
  put(resourceId: string, tags: Tags): void {
    const held = this.#tags.get(resourceId) ?? new Map<string, string>();
    for (const [key, value] of Object.entries(tags)) held.set(key, value);
    this.#tags.set(resourceId, held);
  }

  /** Takes a tag away; with a value, only if it still has that value. */
  remove(resourceId: string, key: string, value?: string): void {
    const held = this.#tags.get(resourceId);
    if (value === undefined || held?.get(key) === value) held?.delete(key);
  }

  forget(resourceId: string): void {
    this.#tags.delete(resourceId);
  }

  /** Everything that has tags, by resource id. */
  all(): readonly (readonly [string, ReadonlyMap<string, string>])[] {
    return [...this.#tags].sort(([a], [b]) => (a < b ? -1 : 1));
  }
}

const none: ReadonlyMap<string, string> = new Map();

/** A tag set as EC2 answers it, by key. */
export function tagSet(tags: ReadonlyMap<string, string>): readonly XmlObject[] {
  return [...tags].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, value]) => ({ key, value }));
}
