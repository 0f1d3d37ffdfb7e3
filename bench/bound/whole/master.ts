import type { Highs, Model } from 'highs';
import type { Question, Shape } from './question.ts';

/** A shape with pods on it, to be bought any number of times, also in fractions. */
export interface Column {
  readonly shape: Shape;
  /** How many pods of each demand. */
  readonly counts: readonly number[];
}

/** What the cheapest mixture of columns costs, and what one pod more would cost. */
export interface Prices {
  readonly cost: number;
  /** By demand. */
  readonly ofPod: readonly number[];
  /** By spread and its zones, on top: below 0 where a zone is full, above where it must be filled. */
  readonly ofZone: readonly (readonly number[])[];
}

/** The linear program over the columns known so far. */
export class Master {
  readonly #model: Model;
  readonly #question: Question;
  /** By spread and its zones. */
  readonly #zoneRows: readonly (readonly number[])[];

  constructor(highs: Highs, question: Question) {
    this.#question = question;
    this.#model = highs.createModel();
    this.#model.options.set('output_flag', false);
    for (const { least, most } of question.spreads) this.#model.addVar(least, most);
    for (const amount of question.amounts)
      this.#model.addRow(amount, highs.infinity, { indices: [], values: [] });
    let row = question.amounts.length;
    this.#zoneRows = question.spreads.map(({ zones, maxSkew }, s) =>
      zones.map(({ isShared }) => {
        const low = isShared ? 0 : -highs.infinity;
        this.#model.addRow(low, maxSkew, { indices: [s], values: [-1] });
        return row++;
      }),
    );
  }

  add({ shape, counts }: Column): void {
    const entries = counts.flatMap((count, d) => (count > 0 ? [{ row: d, count }] : []));
    this.#question.spreads.forEach(({ zones, members }, s) => {
      const count = members.reduce((sum, d) => sum + (counts[d] ?? 0), 0);
      const row = this.#zoneRows[s]?.[zones.findIndex(({ zone }) => zone === shape.zone)];
      if (count > 0 && row !== undefined) entries.push({ row, count });
    });
    this.#model.addCol(shape.price, 0, Infinity, {
      indices: entries.map(({ row }) => row),
      values: entries.map(({ count }) => count),
    });
  }

  prices(): Prices {
    const { modelStatus } = this.#model.run();
    if (modelStatus !== optimal) throw new Error(`whole nodes have no answer: ${modelStatus}`);
    const { rowDual } = this.#model.getSolution();
    return {
      cost: this.#model.getObjectiveValue(),
      ofPod: this.#question.amounts.map((_, d) => Math.max(0, rowDual[d] ?? 0)),
      ofZone: this.#question.spreads.map(({ zones }, s) =>
        zones.map(({ isShared }, z) => {
          const dual = rowDual[this.#zoneRows[s]?.[z] ?? -1] ?? 0;
          return isShared ? dual : Math.min(0, dual);
        }),
      ),
    };
  }

  close(): void {
    this.#model.dispose();
  }
}

/** HiGHS's code for a program that is solved. */
const optimal = 7;

/** What a pod of each demand is worth on a shape. */
export function valuesOn({ spreads }: Question, prices: Prices, shape: Shape): readonly number[] {
  const values = [...prices.ofPod];
  spreads.forEach(({ members, zones }, s) => {
    const z = zones.findIndex(({ zone }) => zone === shape.zone);
    for (const d of members) values[d] = (values[d] ?? 0) + (prices.ofZone[s]?.[z] ?? 0);
  });
  return values;
}

/**
 * What all pods are worth together. If no shape can hold pods that are worth more than its price,
 * nothing places all pods for less, whatever the prices (weak duality).
 */
export function worthOfAll({ amounts, spreads }: Question, { ofPod, ofZone }: Prices): number {
  const pods = amounts.reduce((sum, amount, d) => sum + amount * (ofPod[d] ?? 0), 0);
  return spreads.reduce((sum, { maxSkew, least, most }, s) => {
    const zones = ofZone[s] ?? [];
    const full = zones.reduce((all, price) => all + Math.min(0, price), 0);
    const all = zones.reduce((all, price) => all + price, 0);
    return sum + maxSkew * full + all * (all > 0 ? least : most);
  }, pods);
}
