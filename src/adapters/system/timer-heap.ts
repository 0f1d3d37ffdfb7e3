/** A timer that waits for its instant. `order` breaks ties: first scheduled, first fired. */
export interface Timer {
  readonly atMs: number;
  readonly order: number;
  callback: (() => void) | undefined;
}

/** Timers by instant, then by order of scheduling: a binary heap, so that many of them stay cheap. */
export class TimerHeap {
  readonly #timers: Timer[] = [];

  get size(): number {
    return this.#timers.length;
  }

  /** The next timer, or undefined when there is none. */
  peek(): Timer | undefined {
    return this.#timers[0];
  }

  push(timer: Timer): void {
    const timers = this.#timers;
    let index = timers.push(timer) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = timers[parent];
      if (above === undefined || isBefore(above, timer)) break;
      timers[index] = above;
      index = parent;
    }
    timers[index] = timer;
  }

  pop(): Timer | undefined {
    const first = this.#timers[0];
    const last = this.#timers.pop();
    if (last !== undefined && last !== first) this.#sink(last);
    return first;
  }

  /** Forgets the timers that were cancelled, which otherwise stay until their instant comes. */
  compact(): void {
    const kept = this.#timers.filter((timer) => timer.callback !== undefined);
    this.#timers.length = 0;
    for (const timer of kept) this.push(timer);
  }

  #sink(timer: Timer): void {
    const timers = this.#timers;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const child = timers[left];
      if (child === undefined) break;
      const sibling = timers[left + 1];
      const [smaller, at] =
        sibling !== undefined && isBefore(sibling, child) ? [sibling, left + 1] : [child, left];
      if (isBefore(timer, smaller)) break;
      timers[index] = smaller;
      index = at;
    }
    timers[index] = timer;
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
