/**
 * Since when something has been so without interruption. A node is disrupted only after it has
 * been a candidate for a while, since what is empty for a moment may be about to be filled.
 */
export class Ripeness {
  readonly #afterMs: number;
  #sinceMs = new Map<string, number>();

  constructor(afterMs: number) {
    this.#afterMs = afterMs;
  }

  /** Takes note of all that is so now; whatever is not named begins anew next time. */
  observe(names: Iterable<string>, nowMs: number): void {
    const next = new Map<string, number>();
    for (const name of names) next.set(name, this.#sinceMs.get(name) ?? nowMs);
    this.#sinceMs = next;
  }

  isRipe(name: string, nowMs: number): boolean {
    const sinceMs = this.#sinceMs.get(name);
    return sinceMs !== undefined && nowMs - sinceMs >= this.#afterMs;
  }

  /** How long until the next one ripens; undefined where all are ripe or there is none. */
  nextInMs(nowMs: number): number | undefined {
    const waits = [...this.#sinceMs.values()]
      .map((sinceMs) => sinceMs + this.#afterMs - nowMs)
      .filter((ms) => ms > 0);
    return waits.length > 0 ? Math.min(...waits) : undefined;
  }
}
