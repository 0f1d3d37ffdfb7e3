import type { Highs } from 'highs';
import type { Question, Shape } from './question.ts';

export interface Load {
  readonly shape: Shape;
  readonly counts: readonly number[] | undefined;
  readonly value: number;
  /** No load of this shape is worth more. */
  readonly atMost: number;
}

export interface Wish {
  readonly shape: Shape;
  readonly values: readonly number[];
  readonly rents: readonly number[];
  readonly floor: number;
  readonly load: readonly number[];
  readonly exact: boolean;
}
const CUT = process.env.CUT !== '0',
  CHECK = process.env.CHECK === '1';
export const seen = new Map<number, number>();
export const stats = { mips: 0, ms: 0 };

export function bestLoad(highs: Highs, question: Question, wish: Wish): Load {
  const { shape, rents, floor, values } = wish;
  const items = shape.most.flatMap((most, d) =>
    most > 0 && (values[d] ?? 0) > 0
      ? [{ d, most, value: values[d] ?? 0, size: question.sizes[d] ?? [] }]
      : [],
  );
  const estimate =
    rents.reduce((sum, rent) => sum + rent, 0) +
    items.reduce((sum, { most, value, size }) => {
      const rent = size.reduce(
        (a, n, r) => (n === 0 ? a : a + ((rents[r] ?? 0) * n) / (shape.free[r] ?? 0)),
        0,
      );
      return sum + most * Math.max(0, value - rent);
    }, 0);
  if (estimate <= floor * 1.0001) return { shape, counts: undefined, value: 0, atMost: estimate };
  if (!wish.exact) {
    const counts = wish.load.map((n) => Math.floor(n + 1e-9));
    const left = shape.free.map(
      (n, r) => n - counts.reduce((a, c, d) => a + c * (question.sizes[d]?.[r] ?? 0), 0),
    );
    const ratio = items
      .map((it) => ({
        ...it,
        ratio:
          it.value /
          it.size.reduce((a, n, r) => a + ((rents[r] ?? 0) * n) / (shape.free[r] || 1), 1e-12),
      }))
      .sort((a, b) => b.ratio - a.ratio);
    for (const it of ratio) {
      let n = it.most - (counts[it.d] ?? 0);
      it.size.forEach((a, r) => {
        if (a > 0) n = Math.min(n, Math.floor((left[r] ?? 0) / a));
      });
      if (n > 0) {
        counts[it.d] = (counts[it.d] ?? 0) + n;
        it.size.forEach((a, r) => {
          left[r] = (left[r] ?? 0) - n * a;
        });
      }
    }
    const value = counts.reduce((s, n, d) => s + n * (values[d] ?? 0), 0);
    return {
      shape,
      counts: value > floor * 1.0001 ? counts : undefined,
      value,
      atMost: Math.max(value, estimate),
    };
  }
  const t = performance.now();
  const rows = shape.free
    .map((_, r) => r)
    .filter((r) => items.some(({ size }) => (size[r] ?? 0) > 0));
  const starts = [0],
    indices: number[] = [],
    coefs: number[] = [];
  for (const { size } of items) {
    rows.forEach((r, i) => {
      const n = size[r] ?? 0;
      if (n > 0) {
        indices.push(i);
        coefs.push(n / (shape.free[r] ?? 1));
      }
    });
    starts.push(indices.length);
  }
  const out = highs.withModel(
    {
      numCols: items.length,
      numRows: rows.length,
      sense: highs.constants.objectiveSense.minimize,
      colCost: items.map(({ value }) => -value / floor),
      colLower: items.map(() => 0),
      colUpper: items.map(({ most }) => most),
      rowLower: rows.map(() => -highs.infinity),
      rowUpper: rows.map(() => 1),
      integrality: items.map(() => highs.constants.variableType.integer),
      matrix: {
        format: 'csc',
        numRows: rows.length,
        numCols: items.length,
        starts,
        indices,
        values: coefs,
      },
    },
    (model) => {
      model.options.set({
        output_flag: false,
        mip_rel_gap: 2e-4,
        time_limit: 3,
        objective_bound: CUT ? -1.0001 : highs.infinity,
      });
      model.run();
      const bound = -(model.info.get('mip_dual_bound') as number);
      const status = model.getModelStatus();
      seen.set(status, (seen.get(status) ?? 0) + 1);
      if (CHECK) {
        const o = model.getObjectiveValue();
        model.options.set({ objective_bound: highs.infinity, time_limit: 20 });
        model.clearSolver();
        model.run();
        const t = -model.getObjectiveValue();
        if (t > Math.max(1.0001, bound) + 3e-4) console.log('BAD', status, bound, o, t);
      }
      return {
        bound: Number.isFinite(bound)
          ? Math.max(bound, 1.0001) * floor
          : status === 8
            ? 1.0001 * floor
            : Infinity,
        x: model.getSolution().colValue,
      };
    },
  );
  const counts = question.amounts.map(() => 0);
  items.forEach(({ d }, i) => {
    counts[d] = Math.round(out.x[i] ?? 0);
  });
  const value = counts.reduce((s, n, d) => s + n * (values[d] ?? 0), 0);
  stats.mips++;
  stats.ms += performance.now() - t;
  return {
    shape,
    counts: value > floor * 1.0001 ? counts : undefined,
    value,
    atMost: Math.max(value, Math.min(estimate, out.bound)),
  };
}
