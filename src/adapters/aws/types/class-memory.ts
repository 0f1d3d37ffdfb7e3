import type { Clock } from '../../../ports/clock.ts';
import { minuteMs } from '../context.ts';

/** Every class that exists and is well is asked about each minute; the others may be gone. */
const ofLateMs = 10 * minuteMs;

/**
 * What was worked out for node classes, by all that decides it: classes that are alike share it. It
 * is kept for classes as they are now. The types of one class weigh megabytes, and a class
 * changes whenever it is edited or a new image is published, for as long as the process lives.
 */
export class ClassMemory<V> {
  readonly #clock: Clock;
  readonly #values = new Map<string, V>();
  readonly #latest = new Map<string, { readonly key: string; readonly atMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many different classes are remembered. */
  get size(): number {
    return this.#values.size;
  }

  recall(key: string): V | undefined {
    return this.#values.get(key);
  }

  /** From now on the class is as the key says; what it was before is forgotten. */
  keep(className: string, key: string, value: V): void {
    this.#values.set(key, value);
    this.#latest.set(className, { key, atMs: this.#clock.nowMs() });
    this.#forget();
  }

  /** Of each class that was asked about of late, in order of its name. */
  latest(): readonly V[] {
    this.#forget();
    return [...this.#latest.keys()].sort().flatMap((name) => {
      const value = this.#values.get(this.#latest.get(name)?.key ?? '');
      return value === undefined ? [] : [value];
    });
  }

  #forget(): void {
    const sinceMs = this.#clock.nowMs() - ofLateMs;
    for (const [name, { atMs }] of this.#latest) if (atMs <= sinceMs) this.#latest.delete(name);
    const inUse = new Set([...this.#latest.values()].map(({ key }) => key));
    for (const key of this.#values.keys()) if (!inUse.has(key)) this.#values.delete(key);
  }
}
