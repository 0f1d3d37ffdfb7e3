/** Reads an expression character by character. */
export class Reader {
  readonly #chars: readonly string[];
  #at = 0;

  constructor(pattern: string) {
    this.#chars = [...pattern];
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#chars.length;
  }

  /** The next character, or the one `ahead` of it; empty at the end. */
  peek(ahead = 0): string {
    return this.#chars[this.#at + ahead] ?? '';
  }

  next(): string {
    return this.#chars[this.#at++] ?? '';
  }

  /** Whether this character comes next; it is then read. */
  take(char: string): boolean {
    if (this.peek() !== char) return false;
    this.#at++;
    return true;
  }

  /** Whether the following text begins like this; nothing is read. */
  look(start: RegExp): RegExpExecArray | undefined {
    return start.exec(this.#chars.slice(this.#at, this.#at + 64).join('')) ?? undefined;
  }

  /** The same, and what was found is read. */
  skip(start: RegExp): RegExpExecArray | undefined {
    const found = this.look(start);
    this.#at += [...(found?.[0] ?? '')].length;
    return found;
  }

  error(why: string): SyntaxError {
    return new SyntaxError(`${why} in ${this.#chars.join('')}`);
  }
}
