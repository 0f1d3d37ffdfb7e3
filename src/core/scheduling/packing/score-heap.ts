/** Places in a list by score, the highest first; of equal scores the earlier in the list. */
export class ScoreHeap {
  readonly #scores: Float64Array;
  readonly #heap: Int32Array;
  #size: number;

  constructor(scores: readonly number[]) {
    this.#scores = Float64Array.from(scores);
    this.#heap = Int32Array.from(scores, (_, index) => index);
    this.#size = scores.length;
    for (let at = (this.#size >> 1) - 1; at >= 0; at--) this.#sink(at);
  }

  /** The place with the highest score, or -1. */
  get top(): number {
    return this.#size === 0 ? -1 : (this.#heap[0] ?? -1);
  }

  scoreOf(place: number): number {
    return this.#scores[place] ?? 0;
  }

  /** Lowers the score of the place on top. */
  lower(score: number): void {
    this.#scores[this.top] = score;
    this.#sink(0);
  }

  removeTop(): void {
    this.#size -= 1;
    this.#heap[0] = this.#heap[this.#size] ?? 0;
    this.#sink(0);
  }

  #sink(from: number): void {
    const heap = this.#heap;
    const item = heap[from] ?? 0;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && this.#isAhead(heap[child + 1] ?? 0, heap[child] ?? 0))
        child += 1;
      const next = heap[child] ?? 0;
      if (!this.#isAhead(next, item)) break;
      heap[at] = next;
      at = child;
    }
    heap[at] = item;
  }

  #isAhead(a: number, b: number): boolean {
    const one = this.#scores[a] ?? 0;
    const other = this.#scores[b] ?? 0;
    return one > other || (one === other && a < b);
  }
}
