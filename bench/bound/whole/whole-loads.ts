import type { Highs } from 'highs';
import { type CutLoad, sharesOf } from './cut-loads.ts';
import type { Column } from './master.ts';
import type { Question } from './question.ts';

/** A load of whole pods, and what no other load of the shape can be worth more than. */
export interface WholeLoad extends Column {
  readonly value: number;
  readonly atMost: number;
}

/** The cut load without its broken pods, filled up by whole ones that are worth most for their room. */
export function roundedLoad({ sizes }: Question, cut: CutLoad): WholeLoad {
  const { shape, values, rents, atMost } = cut;
  const counts = cut.counts.map((count) => Math.floor(count + 1e-9));
  const left = shape.free.map((free, r) =>
    counts.reduce((sum, count, d) => sum - count * (sizes[d]?.[r] ?? 0), free),
  );
  const worthwhile = values.flatMap((value, d) => (value > 0 ? [d] : []));
  const gain = (d: number): number => (values[d] ?? 0) / ((rents[d] ?? 0) + 1e-12);
  for (const d of worthwhile.sort((a, b) => gain(b) - gain(a))) {
    const size = sizes[d] ?? [];
    const room = size.map((asked, r) =>
      asked > 0 ? Math.floor((left[r] ?? 0) / asked) : Infinity,
    );
    const more = Math.min((shape.most[d] ?? 0) - (counts[d] ?? 0), ...room);
    if (more <= 0) continue;
    counts[d] = (counts[d] ?? 0) + more;
    size.forEach((asked, r) => {
      left[r] = (left[r] ?? 0) - more * asked;
    });
  }
  return { shape, counts, value: worthOf(counts, values), atMost };
}

/** The best load of whole pods, or one near it: a small integer program. */
export function bestLoad(highs: Highs, { sizes }: Question, cut: CutLoad): WholeLoad {
  const { shape, values } = cut;
  return highs.withModel((model) => {
    model.options.set({ output_flag: false, mip_rel_gap: gap, mip_max_nodes: mostNodes });
    model.changeObjectiveSense(highs.constants.objectiveSense.maximize);
    for (const _ of shape.free) model.addRow(-highs.infinity, 1, { indices: [], values: [] });
    const demands = shape.most.flatMap((most, d) => (most > 0 && (values[d] ?? 0) > 0 ? [d] : []));
    demands.forEach((d, column) => {
      const shares = sharesOf(sizes[d], shape);
      const used = shares.flatMap((share, r) => (share > 0 ? [r] : []));
      // Values in parts of the price: the solver's tolerances are absolute.
      model.addCol((values[d] ?? 0) / shape.price, 0, shape.most[d] ?? 0, {
        indices: used,
        values: used.map((r) => shares[r] ?? 0),
      });
      model.changeColIntegrality(column, highs.constants.variableType.integer);
    });
    model.run();
    const { colValue } = model.getSolution();
    const counts = shape.most.map(() => 0);
    demands.forEach((d, column) => {
      counts[d] = Math.round(colValue[column] ?? 0);
    });
    const atMost = Number(model.info.get('mip_dual_bound')) * shape.price;
    return { shape, counts, value: worthOf(counts, values), atMost: Math.min(cut.atMost, atMost) };
  });
}

/** A search ends when no load can be better by more, or after so many branches. */
const gap = 2e-4;
const mostNodes = 20_000;

function worthOf(counts: readonly number[], values: readonly number[]): number {
  return counts.reduce((sum, count, d) => sum + count * (values[d] ?? 0), 0);
}
