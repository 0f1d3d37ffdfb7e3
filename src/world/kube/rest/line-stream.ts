const mostPending = 500_000;

/**
 * Lines for one reader, kept until read. What has gathered between two reads comes as one
 * piece. Ends when told to or when the reader stops; what was pushed before is still read.
 */
export class LineStream implements AsyncIterable<string> {
  #pending: string[] = [];
  #isEnded = false;
  #wake: (() => void) | undefined;
  #onEnd: (() => void) | undefined;

  push(line: string): void {
    if (this.#isEnded) return;
    this.#pending.push(line);
    // A reader this far behind starts anew sooner than it catches up; the real server cuts it off too.
    if (this.#pending.length > mostPending) this.end();
    this.#wake?.();
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#onEnd?.();
    this.#wake?.();
  }

  /** Called once when the stream ends, at once if it has. */
  onEnd(callback: () => void): void {
    if (this.#isEnded) callback();
    else this.#onEnd = callback;
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    return {
      next: async () => {
        while (this.#pending.length === 0) {
          if (this.#isEnded) return { done: true, value: undefined };
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
          this.#wake = undefined;
        }
        const value = this.#pending.join('');
        this.#pending = [];
        return { done: false, value };
      },
      return: async () => {
        this.end();
        return { done: true, value: undefined };
      },
    };
  }
}
