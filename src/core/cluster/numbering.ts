/**
 * Numbers for values, from 0 up: equal ones get the same. What makes them equal is a text, which
 * is written only for values that were not seen before; the same value is found again by itself.
 */
export class Numbering<T> {
  /** By number. */
  readonly texts: string[] = [];
  readonly #textOf: (value: T) => string;
  readonly #byValue = new Map<T, number>();
  readonly #byText = new Map<string, number>();
  /** Often the next value is the same again. */
  #lastValue: T | undefined;
  #lastNumber = -1;

  constructor(textOf: (value: T) => string) {
    this.#textOf = textOf;
  }

  of(value: T): number {
    if (value === this.#lastValue && this.#lastNumber >= 0) return this.#lastNumber;
    this.#lastNumber = this.#byValue.get(value) ?? this.#add(value);
    this.#lastValue = value;
    return this.#lastNumber;
  }

  #add(value: T): number {
    const text = this.#textOf(value);
    const number = this.#byText.get(text) ?? this.texts.push(text) - 1;
    this.#byText.set(text, number);
    this.#byValue.set(value, number);
    return number;
  }
}

const leastPlaces = 64;

/**
 * Numbers for pairs of small integers, from 1 up: equal pairs get the same. A table of our own,
 * since a pair in one number is too large to be an integer to the engine, and a text is garbage.
 */
export class PairNumbering {
  /** By place three cells: the pair and its number, which is 0 where the place is free. */
  #cells = new Int32Array(3 * leastPlaces);
  #mask = leastPlaces - 1;
  #count = 0;

  of(one: number, other: number): number {
    const cells = this.#cells;
    const cell = this.#cellOf(one, other);
    const known = cells[cell + 2] ?? 0;
    if (known !== 0) return known;
    this.#count += 1;
    cells[cell] = one;
    cells[cell + 1] = other;
    cells[cell + 2] = this.#count;
    if (this.#count * 2 > this.#mask) this.#grow();
    return this.#count;
  }

  /** Where the pair is, or would be: from where its numbers point to on to the next free place. */
  #cellOf(one: number, other: number): number {
    const cells = this.#cells;
    let place = (Math.imul(one, 0x9e3779b1) ^ Math.imul(other, 0x85ebca6b)) >>> 0;
    for (place = (place ^ (place >>> 15)) & this.#mask; ; place = (place + 1) & this.#mask) {
      const cell = 3 * place;
      if (cells[cell + 2] === 0) return cell;
      if (cells[cell] === one && cells[cell + 1] === other) return cell;
    }
  }

  #grow(): void {
    const before = this.#cells;
    this.#cells = new Int32Array(before.length * 2);
    this.#mask = this.#mask * 2 + 1;
    for (let cell = 0; cell < before.length; cell += 3) {
      if (before[cell + 2] === 0) continue;
      const moved = this.#cellOf(before[cell] ?? 0, before[cell + 1] ?? 0);
      for (let part = 0; part < 3; part++) this.#cells[moved + part] = before[cell + part] ?? 0;
    }
  }
}
