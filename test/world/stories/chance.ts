import { integerBelow, type Random } from '../../../src/ports/random.ts';

/** Draws from a seed, in the words of a story. */
export class Chance {
  readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  /** From `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + integerBelow(this.random, most - least + 1);
  }

  oneIn(count: number): boolean {
    return integerBelow(this.random, count) === 0;
  }

  /** One of them; undefined where there is none. */
  of<T>(list: readonly T[]): T | undefined {
    return list[integerBelow(this.random, list.length)];
  }

  /** One of a list that has something to offer. */
  oneOf<T>(first: T, ...others: readonly T[]): T {
    return this.of([first, ...others]) ?? first;
  }
}
