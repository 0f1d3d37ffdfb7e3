import { PairNumbering } from '../../cluster/numbering.ts';
import type { Columns, Vector } from '../../quantity/columns.ts';
import type { Stock } from '../market/stock.ts';

/**
 * Numbers for loads: those with the same number are held by the same machines of the stock. These
 * come in steps of size, and how much a load asks for between two steps makes no difference.
 */
export class LoadSizes {
  /** By column what machines leave to pods, the least first. */
  readonly #steps: readonly Vector[];
  readonly #numbers = new PairNumbering();

  constructor({ freeIn }: Stock, columns: Columns) {
    const free = freeIn(columns);
    this.#steps = columns.names.map((_, column) => columnOf(free, column, columns).sort());
  }

  of(load: Vector): number {
    let number = 0;
    for (let column = 0; column < this.#steps.length; column++)
      number = this.#numbers.of(number, this.#rankOf(load[column] ?? 0, column));
    return number;
  }

  /** How many machines are too small; who asks for nothing is held even by those that lack some. */
  #rankOf(amount: number, column: number): number {
    const steps = this.#steps[column];
    if (amount <= 0 || steps === undefined) return -1;
    let low = 0;
    let high = steps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((steps[middle] ?? 0) < amount) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function columnOf(free: Vector, column: number, { names }: Columns): Vector {
  const values = new Float64Array(free.length / names.length);
  for (let row = 0; row < values.length; row++)
    values[row] = free[row * names.length + column] ?? 0;
  return values;
}
