import type { Highs, Model } from 'highs';
import type { Question } from './question.ts';

/** What a share of each resource of each shape is worth, if its load could be cut at will. */
export class Rents {
  readonly #question: Question;
  readonly #model: Model;
  readonly #columns: readonly { readonly shape: number; readonly demand: number }[];

  constructor(highs: Highs, question: Question) {
    this.#question = question;
    const { shapes, sizes } = question;
    const resources = sizes[0]?.length ?? 0;
    const columns = shapes.flatMap((shape, s) =>
      shape.most.flatMap((most, demand) => (most > 0 ? [{ shape: s, demand, most }] : [])),
    );
    this.#columns = columns;
    const offsets = [0],
      indices: number[] = [],
      values: number[] = [];
    for (const { shape, demand } of columns) {
      for (let r = 0; r < resources; r++) {
        const asked = sizes[demand]?.[r] ?? 0;
        if (asked > 0) {
          indices.push(shape * resources + r);
          values.push(asked / (shapes[shape]?.free[r] ?? 1));
        }
      }
      offsets.push(indices.length);
    }
    const numRows = shapes.length * resources;
    this.#model = highs.createModel({
      numCols: columns.length,
      numRows,
      sense: highs.constants.objectiveSense.maximize,
      colCost: columns.map(() => 0),
      colLower: columns.map(() => 0),
      colUpper: columns.map(({ most }) => most),
      rowLower: Array.from({ length: numRows }, () => -highs.infinity),
      rowUpper: Array.from({ length: numRows }, () => 1),
      matrix: { format: 'csc', numRows, numCols: columns.length, starts: offsets, indices, values },
    });
    this.#model.options.set('output_flag', false);
  }

  of(values: (shape: number) => readonly number[]): {
    rents: readonly (readonly number[])[];
    loads: readonly number[][];
  } {
    const { shapes, sizes } = this.#question;
    const resources = sizes[0]?.length ?? 0;
    const all = shapes.map((_, s) => values(s));
    const costs = this.#columns.map(({ shape, demand }) => Math.max(0, all[shape]?.[demand] ?? 0));
    this.#model.changeColsCost({ kind: 'range', from: 0, to: costs.length - 1 }, costs);
    this.#model.run();
    const { rowDual, colValue } = this.#model.getSolution();
    const loads = shapes.map(() => sizes.map(() => 0));
    this.#columns.forEach(({ shape, demand }, i) => {
      if ((costs[i] ?? 0) > 0) (loads[shape] as number[])[demand] = colValue[i] ?? 0;
    });
    const rents = shapes.map((_, s) =>
      Array.from({ length: resources }, (_, r) => Math.abs(rowDual[s * resources + r] ?? 0)),
    );
    return { rents, loads };
  }
}
