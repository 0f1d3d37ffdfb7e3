import { type KubeObject, keyOf } from '../api/resource.ts';
import { finish } from '../core/steps.ts';
import type { Log } from '../ports/log.ts';
import { type Change, ObjectStore } from './object-store.ts';
import { compareVersions, newerVersion } from './resource-version.ts';

/** So many objects are taken in, and so many keys compared, in one step. */
const objectsPerStep = 16;
const keysPerStep = 1_024;

/**
 * The objects of an informer together with the version that the server has told so far. Events
 * of the watch and answers to our own writes may come in any order: the newer object stays.
 */
export class InformerCache<T extends KubeObject> {
  readonly store = new ObjectStore<T>();
  readonly #listeners = new Set<(change: Change<T>) => void>();
  readonly #log: Log;
  /** Everything up to here has been seen through list and watch. */
  #version = '';
  /** Which keys ended at which version by answers, until list and watch are past it themselves. */
  readonly #ended = new Map<string, string>();

  constructor(log: Log) {
    this.#log = log;
  }

  get version(): string {
    return this.#version;
  }

  onChange(listener: (change: Change<T>) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The whole truth at one version: what it does not hold is gone, unless we know it to be newer. */
  replace(objects: readonly T[], version: string): void {
    finish(this.replacing(objects, version));
  }

  /**
   * The same in small steps. Whoever looks in between sees some objects as they were and others as
   * they are, as with the events of a watch; answers to our own writes may come in between.
   */
  *replacing(objects: readonly T[], version: string): Generator<void, void> {
    // A version below the one we had means a server restored from a backup: nothing we know counts.
    const isRewound = compareVersions(version, this.#version) < 0;
    if (isRewound) this.#ended.clear();
    // From now on, so that an answer which the list has overtaken is not taken for news.
    this.#reach(version);
    for (const key of yield* this.#missingIn(objects)) {
      const known = this.store.get(key);
      if (known === undefined) continue;
      if (isRewound || compareVersions(versionOf(known), version) <= 0) this.#remove(key, known);
      yield;
    }
    for (const [index, object] of objects.entries()) {
      const known = this.store.get(keyOf(object));
      const isNews = known === undefined ? !this.#isEnded(object) : isNewer(object, known);
      if (isNews || isRewound) this.#put(object, known);
      if (index % objectsPerStep === objectsPerStep - 1) yield;
    }
  }

  /** Keys of objects that we have and the list has not, in order. */
  *#missingIn(objects: readonly T[]): Generator<void, readonly string[]> {
    if (this.store.size === 0) return [];
    const present = new Set<string>();
    for (const object of objects) {
      present.add(keyOf(object));
      if (present.size % keysPerStep === 0) yield;
    }
    return [...this.store.keys()].filter((key) => !present.has(key)).sort();
  }

  /** One event of the watch. */
  observe(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void {
    this.advance(versionOf(object));
    const key = keyOf(object);
    const known = this.store.get(key);
    if (type === 'DELETED') {
      if (known !== undefined && !isNewer(known, object)) this.#remove(key, object, known);
    } else if (known === undefined ? !this.#isEnded(object) : isNewer(object, known)) {
      this.#put(object, known);
    }
  }

  /** A bookmark: nothing changed up to this version. */
  advance(version: string): void {
    this.#reach(newerVersion(this.#version, version));
  }

  /** The answer to one of our own writes. */
  apply(object: T): void {
    const key = keyOf(object);
    const known = this.store.get(key);
    if (known !== undefined) {
      if (!isNewer(object, known)) return;
      if (isFinished(object)) this.#end(key, object, known);
      else this.#put(object, known);
      return;
    }
    // The watch is past that version already, so it was deleted since: do not bring it back.
    if (compareVersions(versionOf(object), this.#version) <= 0) return;
    if (isFinished(object)) this.#end(key, object);
    else if (!this.#isEnded(object)) this.#put(object, undefined);
  }

  /** Older words about it may still be on their way, in a list or in the watch. */
  #end(key: string, object: T, known?: T): void {
    this.#ended.set(key, newerVersion(this.#ended.get(key) ?? '', versionOf(object)));
    if (known !== undefined) this.#remove(key, object, known);
  }

  #isEnded(object: T): boolean {
    const ended = this.#ended.get(keyOf(object));
    return ended !== undefined && compareVersions(versionOf(object), ended) <= 0;
  }

  #reach(version: string): void {
    this.#version = version;
    for (const [key, ended] of this.#ended)
      if (compareVersions(ended, version) <= 0) this.#ended.delete(key);
  }

  #put(object: T, known: T | undefined): void {
    // A new object under an old name: whoever follows uids must hear of the end of the first one.
    if (known !== undefined && known.metadata.uid !== object.metadata.uid) {
      this.#remove(keyOf(object), known, known);
      this.#put(object, undefined);
      return;
    }
    this.store.set(object);
    if (known === undefined) this.#tell({ type: 'added', object });
    else this.#tell({ type: 'updated', object, previous: known });
  }

  #remove(key: string, object: T, previous: T = object): void {
    this.store.delete(key);
    this.#tell({ type: 'deleted', object, previous });
  }

  #tell(change: Change<T>): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(change);
      } catch (error) {
        // One listener's fault must not keep the others, or the watch, from going on.
        this.#log.error('telling a listener failed', { object: keyOf(change.object), error });
      }
    }
  }
}

function versionOf(object: KubeObject): string {
  return object.metadata.resourceVersion ?? '';
}

function isNewer(object: KubeObject, known: KubeObject): boolean {
  return compareVersions(versionOf(object), versionOf(known)) > 0;
}

/** Deleted, and nothing holds it any more: the server forgets it in the same write. */
function isFinished(object: KubeObject): boolean {
  const { deletionTimestamp, finalizers, deletionGracePeriodSeconds } = object.metadata;
  return (
    deletionTimestamp !== undefined &&
    (finalizers?.length ?? 0) === 0 &&
    (deletionGracePeriodSeconds ?? 0) === 0
  );
}
