/** A timer that waits for its instant. `order` breaks ties: first scheduled, first fired. */
export interface Timer {
  readonly atMs: number;
  readonly order: number;
  callback: (() => void) | undefined;
}

/** Timers by instant, then by order of scheduling: a binary heap, so that many of them stay cheap. */
export class TimerHeap {
  readonly #timers: Timer[] = [];
  /** How many in the heap were cancelled and stay until they come up or there are too many. */
  #cancelled = 0;
  #added = 0;

  /** How many timers wait. */
  get size(): number {
    return this.#timers.length - this.#cancelled;
  }

  /** The order that the next timer to be added will have. */
  get nextOrder(): number {
    return this.#added;
  }

  add(atMs: number, callback: () => void): Timer {
    const timer: Timer = { atMs, order: this.#added++, callback };
    this.#push(timer);
    return timer;
  }

  /** Without effect on a timer that was taken or cancelled before. */
  cancel(timer: Timer): void {
    if (timer.callback === undefined) return;
    timer.callback = undefined;
    this.#cancelled++;
    if (this.#cancelled > 1_000 && this.#cancelled > this.#timers.length / 2) this.#compact();
  }

  /** The timer that comes next, or undefined when none waits. */
  peek(): Timer | undefined {
    for (;;) {
      const [first] = this.#timers;
      if (first === undefined || first.callback !== undefined) return first;
      this.#pop();
      this.#cancelled--;
    }
  }

  /** Takes out the timer that comes next and answers its callback. */
  take(): (() => void) | undefined {
    const timer = this.peek();
    if (timer === undefined) return undefined;
    this.#pop();
    const { callback } = timer;
    timer.callback = undefined;
    return callback;
  }

  #push(timer: Timer): void {
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

  #pop(): void {
    const [first] = this.#timers;
    const last = this.#timers.pop();
    if (last !== undefined && last !== first) this.#sink(last);
  }

  #compact(): void {
    const kept = this.#timers.filter((timer) => timer.callback !== undefined);
    this.#timers.length = 0;
    this.#cancelled = 0;
    for (const timer of kept) this.#push(timer);
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
