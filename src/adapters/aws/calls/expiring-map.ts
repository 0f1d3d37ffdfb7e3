import type { Clock } from '../../../ports/clock.ts';

/** A map whose entries are gone once their time is over. `version` changes with every change seen. */
export class ExpiringMap<K, V> {
  readonly #clock: Clock;
  readonly #ttlMs: number;
  readonly #entries = new Map<K, { readonly value: V; readonly untilMs: number }>();
  #version = 0;

  constructor(clock: Clock, ttlMs: number) {
    this.#clock = clock;
    this.#ttlMs = ttlMs;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.untilMs > this.#clock.nowMs()) return entry.value;
    this.delete(key);
    return undefined;
  }

  has(key: K): boolean {
    return this.get(key) !== undefined;
  }

  /** Setting again starts its time anew. */
  set(key: K, value: V): void {
    this.#forgetExpired();
    if (!this.#entries.delete(key)) this.#version++;
    this.#entries.set(key, { value, untilMs: this.#clock.nowMs() + this.#ttlMs });
  }

  delete(key: K): void {
    if (this.#entries.delete(key)) this.#version++;
  }

  /** The keys whose time is not over, the one that was set longest ago first. */
  keys(): IterableIterator<K> {
    this.#forgetExpired();
    return this.#entries.keys();
  }

  /** Deletes chosen entries that were last set so long ago or longer. */
  forgetOld(ageMs: number, isChosen: (key: K) => boolean): void {
    const latestMs = this.#clock.nowMs() - ageMs + this.#ttlMs;
    for (const [key, { untilMs }] of this.#entries)
      if (untilMs <= latestMs && isChosen(key)) this.delete(key);
  }

  /** Grows whenever the set of keys has changed, expiry included. */
  version(): number {
    this.#forgetExpired();
    return this.#version;
  }

  /** How many entries are held. Keys that nobody asks for again must not stay for ever. */
  get size(): number {
    return this.#entries.size;
  }

  /** Entries stand in the order in which they were set, so that the first to stay ends the search. */
  #forgetExpired(): void {
    const nowMs = this.#clock.nowMs();
    for (const [key, entry] of this.#entries) {
      if (entry.untilMs > nowMs) return;
      this.delete(key);
    }
  }
}

/** Remembers what an async lookup found; lookups of one key at the same time share one call. */
export class Remembered<V> {
  readonly #found: ExpiringMap<string, { readonly value: V }>;
  readonly #running = new Map<string, Promise<V>>();

  constructor(clock: Clock, ttlMs: number) {
    this.#found = new ExpiringMap(clock, ttlMs);
  }

  /** The remembered answer, or a fresh one. A failed lookup is not remembered. */
  get(key: string, find: () => Promise<V>): Promise<V> {
    const known = this.#found.get(key);
    if (known !== undefined) return Promise.resolve(known.value);
    const running = this.#running.get(key) ?? this.#start(key, find);
    return running;
  }

  forget(key: string): void {
    this.#found.delete(key);
  }

  async #start(key: string, find: () => Promise<V>): Promise<V> {
    const work = find();
    this.#running.set(key, work);
    try {
      const value = await work;
      this.#found.set(key, { value });
      return value;
    } finally {
      this.#running.delete(key);
    }
  }
}
