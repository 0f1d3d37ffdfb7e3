import type { ApiObject } from '../json.ts';
import { Shelf } from './shelf.ts';

export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly key: string;
  /** What was written, stamped with the revision; for a deletion the last state, so stamped. */
  readonly object: ApiObject;
  /** What was there before; absent for an addition. */
  readonly previous?: ApiObject | undefined;
}

export type ChangeListener = (change: Change) => void;

/** Objects sorted by key, as they were at one revision. */
export interface Page {
  readonly keys: readonly string[];
  get(key: string): ApiObject | undefined;
}

interface StoreOptions {
  readonly historyLength: number;
  readonly firstRevision?: number;
  /** Called with a state that is past, once everybody was told: the history still holds it. */
  readonly onReplaced?: ((previous: ApiObject) => void) | undefined;
}

/**
 * All objects of the cluster. Every write gets the next revision; the latest changes of each
 * storage are remembered, so that reads and watches may start from a revision of the past.
 */
export class Store {
  readonly #shelves = new Map<string, Shelf>();
  readonly #options: StoreOptions;
  #revision: number;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#revision = options.firstRevision ?? 0;
  }

  /** The revision of the latest write. */
  get revision(): number {
    return this.#revision;
  }

  get(storage: string, key: string): ApiObject | undefined {
    return this.#shelf(storage).get(key);
  }

  /** Everything there now, in the order of keys. The page is live: read it before the next write. */
  current(storage: string): Page {
    return this.#shelf(storage);
  }

  /** Everything as it was at a revision; undefined when that is no longer remembered. */
  at(storage: string, revision: number): Page | undefined {
    return this.#shelf(storage).at(revision);
  }

  /** Changes after a revision, oldest first; undefined when some are no longer remembered. */
  changesSince(storage: string, revision: number): readonly Change[] | undefined {
    return this.#shelf(storage).changesSince(revision);
  }

  /** The oldest revision from which a storage can still be read. */
  oldestRevision(storage: string): number {
    return this.#shelf(storage).oldestRevision;
  }

  /** Writes the object and returns it with its new resourceVersion. */
  put(storage: string, key: string, object: ApiObject): ApiObject {
    const previous = this.get(storage, key);
    const type = previous === undefined ? 'ADDED' : 'MODIFIED';
    const stamped = this.#stamp(object);
    this.#shelf(storage).record({ type, revision: this.#revision, key, object: stamped, previous });
    if (previous !== undefined) this.#options.onReplaced?.(previous);
    return stamped;
  }

  /** Removes the object and returns its last state, stamped with the revision of its deletion. */
  remove(storage: string, key: string): ApiObject | undefined {
    const previous = this.get(storage, key);
    if (previous === undefined) return undefined;
    const object = this.#stamp(previous);
    const revision = this.#revision;
    this.#shelf(storage).record({ type: 'DELETED', revision, key, object, previous });
    this.#options.onReplaced?.(previous);
    return object;
  }

  /** Calls back at every later change of a storage, in order, until the result is called. */
  subscribe(storage: string, listener: ChangeListener): () => void {
    return this.#shelf(storage).subscribe(listener);
  }

  #stamp(object: ApiObject): ApiObject {
    this.#revision++;
    return {
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(this.#revision) },
    };
  }

  #shelf(storage: string): Shelf {
    let shelf = this.#shelves.get(storage);
    if (shelf === undefined) {
      shelf = new Shelf(this.#options.historyLength);
      this.#shelves.set(storage, shelf);
    }
    return shelf;
  }
}
