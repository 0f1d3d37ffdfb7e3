import { type KubeObject, keyOf } from '../api/resource.ts';
import { SortedKeys } from './sorted-keys.ts';

/** What changed in a store. `previous` is there for every object that was known before. */
export interface Change<T> {
  readonly type: 'added' | 'updated' | 'deleted';
  readonly object: T;
  readonly previous?: T;
}

interface Index<T> {
  readonly valuesOf: (object: T) => readonly string[];
  readonly objects: Map<string, Map<string, T>>;
  /** Sorted answers of `by`, until one of their objects changes. */
  readonly answers: Map<string, readonly T[]>;
}

/** Objects by key, with indexes. Answers are sorted by key and are the same arrays until a change. */
export class ObjectStore<T extends KubeObject> {
  readonly #objects = new Map<string, T>();
  readonly #keys = new SortedKeys();
  readonly #indexes = new Map<string, Index<T>>();
  #list: readonly T[] | undefined;

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): T | undefined {
    return this.#objects.get(key);
  }

  keys(): IterableIterator<string> {
    return this.#objects.keys();
  }

  list(): readonly T[] {
    this.#list ??= this.#keys.sorted().map((key) => this.#known(key));
    return this.#list;
  }

  set(object: T): void {
    const key = keyOf(object);
    const previous = this.#objects.get(key);
    for (const index of this.#indexes.values()) {
      if (previous !== undefined) withdraw(index, key, previous);
      enter(index, key, object);
    }
    this.#objects.set(key, object);
    if (previous === undefined) this.#keys.add(key);
    this.#list = undefined;
  }

  delete(key: string): void {
    const previous = this.#objects.get(key);
    if (previous === undefined) return;
    for (const index of this.#indexes.values()) withdraw(index, key, previous);
    this.#objects.delete(key);
    this.#keys.delete(key);
    this.#list = undefined;
  }

  /** Adds an index over all present and later objects. A second one of the same name replaces it. */
  addIndex(name: string, valuesOf: (object: T) => readonly string[]): void {
    const index: Index<T> = { valuesOf, objects: new Map(), answers: new Map() };
    for (const [key, object] of this.#objects) enter(index, key, object);
    this.#indexes.set(name, index);
  }

  by(name: string, value: string): readonly T[] {
    const index = this.#indexes.get(name);
    if (index === undefined) throw new Error(`looking up by index ${name}: there is none`);
    const known = index.answers.get(value);
    if (known !== undefined) return known;
    const found = index.objects.get(value);
    if (found === undefined) return [];
    const answer = [...found.entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, object]) => object);
    index.answers.set(value, answer);
    return answer;
  }

  #known(key: string): T {
    const object = this.#objects.get(key);
    if (object === undefined) throw new Error(`listing ${key}: the store does not hold it`);
    return object;
  }
}

function enter<T>(index: Index<T>, key: string, object: T): void {
  for (const value of index.valuesOf(object)) {
    let holders = index.objects.get(value);
    if (holders === undefined) {
      holders = new Map();
      index.objects.set(value, holders);
    }
    holders.set(key, object);
    index.answers.delete(value);
  }
}

function withdraw<T>(index: Index<T>, key: string, object: T): void {
  for (const value of index.valuesOf(object)) {
    const holders = index.objects.get(value);
    holders?.delete(key);
    if (holders?.size === 0) index.objects.delete(value);
    index.answers.delete(value);
  }
}
