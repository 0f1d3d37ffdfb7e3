import type { Highs, Model } from 'highs';
import { type Prices, valuesOn } from './master.ts';
import type { Question, Shape } from './question.ts';

/** A shape's most valuable load, if pods could be cut. */
export interface CutLoad {
  readonly shape: Shape;
  /** What a pod of each demand is worth there. */
  readonly values: readonly number[];
  /** Of each demand, what a pod takes of the room, by what the room is worth. */
  readonly rents: readonly number[];
  /** How many pods of each demand. */
  readonly counts: readonly number[];
  /** No load of whole pods is worth more. */
  readonly atMost: number;
}

/** One linear program for all shapes, which starts each time from its last answer. */
export class CutLoads {
  readonly #question: Question;
  readonly #model: Model;
  readonly #entries: readonly { readonly s: number; readonly d: number }[];

  constructor(highs: Highs, question: Question) {
    this.#question = question;
    const { shapes, sizes } = question;
    const entries = shapes.flatMap(({ most }, s) =>
      most.flatMap((count, d) => (count > 0 ? [{ s, d, count }] : [])),
    );
    this.#entries = entries;
    this.#model = highs.createModel();
    this.#model.options.set('output_flag', false);
    this.#model.changeObjectiveSense(highs.constants.objectiveSense.maximize);
    for (let row = 0; row < shapes.length * this.#resources; row++)
      this.#model.addRow(-highs.infinity, 1, { indices: [], values: [] });
    for (const { s, d, count } of entries) {
      const shares = sharesOf(sizes[d], shapes[s]);
      const used = shares.flatMap((share, r) => (share > 0 ? [r] : []));
      this.#model.addCol(0, 0, count, {
        indices: used.map((r) => s * this.#resources + r),
        values: used.map((r) => shares[r] ?? 0),
      });
    }
  }

  get #resources(): number {
    return this.#question.sizes[0]?.length ?? 0;
  }

  at(prices: Prices): readonly CutLoad[] {
    const { shapes } = this.#question;
    const values = shapes.map((shape) => valuesOn(this.#question, prices, shape));
    const costs = this.#entries.map(({ s, d }) => Math.max(0, values[s]?.[d] ?? 0));
    this.#model.changeColsCost({ kind: 'range', from: 0, to: costs.length - 1 }, costs);
    this.#model.run();
    const { rowDual, colValue } = this.#model.getSolution();
    const counts = shapes.map(({ most }) => most.map(() => 0));
    this.#entries.forEach(({ s, d }, i) => {
      const own = counts[s];
      if (own !== undefined && (costs[i] ?? 0) > 0) own[d] = colValue[i] ?? 0;
    });
    return shapes.map((shape, s) => {
      const from = s * this.#resources;
      const worths = [...rowDual.subarray(from, from + this.#resources)].map(Math.abs);
      return this.#loadOf(shape, { values: values[s] ?? [], counts: counts[s] ?? [], worths });
    });
  }

  /** Whatever the worth of a resource is said to be, the load is worth at most all of them and what pods are worth beyond. */
  #loadOf(
    shape: Shape,
    load: Pick<CutLoad, 'values' | 'counts'> & { readonly worths: readonly number[] },
  ): CutLoad {
    const { values, counts, worths } = load;
    const rents = this.#question.sizes.map((size) =>
      sharesOf(size, shape).reduce((sum, share, r) => sum + share * (worths[r] ?? 0), 0),
    );
    const beyond = shape.most.map(
      (most, d) => most * Math.max(0, (values[d] ?? 0) - (rents[d] ?? 0)),
    );
    const atMost = [...worths, ...beyond].reduce((sum, worth) => sum + worth, 0);
    return { shape, values, counts, rents, atMost };
  }

  close(): void {
    this.#model.dispose();
  }
}

/** Which share of each resource of a shape a pod takes. */
export function sharesOf(
  size: readonly number[] = [],
  shape: Shape | undefined,
): readonly number[] {
  return size.map((asked, r) => (asked > 0 ? asked / (shape?.free[r] ?? 0) : 0));
}
