import type { Highs } from 'highs';
import type { Pod } from '../../../src/core/cluster/pod.ts';
import type { Snapshot } from '../../../src/core/cluster/snapshot.ts';
import { cellsOf } from '../cells.ts';
import { demandsOf } from '../demands.ts';
import { loadSolver } from '../solver.ts';
import { CutLoads } from './cut-loads.ts';
import { type Column, Master, type Prices, worthOfAll } from './master.ts';
import { type Question, wholeQuestion } from './question.ts';
import { bestLoad, roundedLoad, type WholeLoad } from './whole-loads.ts';

/** How far the bound has come; it holds at any time, and only grows. */
export interface Progress {
  readonly round: number;
  readonly columns: number;
  readonly bound: number;
  /** What the columns cost at present: the bound cannot grow beyond. */
  readonly cost: number;
}

export interface WholeNodeOptions {
  /** A cap on pods per node, on top of what its type allows; Infinity for none. */
  readonly mostPods: number;
  readonly report: (progress: Progress) => void;
}

/**
 * What the pods must cost at least on new nodes, in dollars per hour, where a node is bought with
 * whole pods on it: a mixture of such nodes is sought that places all pods, in which each may still
 * occur in fractions. Knows and leaves out the rules that `lowerBound` does, and lets no node hold
 * more than `mostPods`. Takes minutes.
 */
export async function wholeNodeBound(
  snapshot: Snapshot,
  pods: readonly Pod[],
  { mostPods, report }: WholeNodeOptions,
): Promise<number> {
  if (pods.length === 0) return 0;
  const resources = [...new Set(pods.flatMap((pod) => Object.keys(pod.requests)))].sort();
  const cells = cellsOf(snapshot, resources).map((cell) => ({
    ...cell,
    free: cell.free.map((n, r) => (resources[r] === 'pods' ? Math.min(n, mostPods) : n)),
  }));
  const question = wholeQuestion(cells, demandsOf(pods), resources);
  return boundOf(await loadSolver(), question, report);
}

/** The bound of a question in numbers: columns are added until none is worth more than it costs. */
export function boundOf(
  highs: Highs,
  question: Question,
  report: (progress: Progress) => void,
): number {
  const master = new Master(highs, question);
  const cutLoads = new CutLoads(highs, question);
  const first = columnsOfOneKind(question);
  for (const column of first) master.add(column);
  let columns = first.length;
  let bound = 0;
  for (let round = 1; ; round++) {
    const prices = master.prices();
    const cuts = cutLoads.at(prices);
    const hopeful = cuts.filter(({ shape, atMost }) => atMost > shape.price * (1 + least));
    let found = hopeful.map((cut) => roundedLoad(question, cut)).filter(isWorthIt);
    if (found.length === 0) {
      const best = hopeful.map((cut) => bestLoad(highs, question, cut));
      const all = [...cuts.filter((cut) => !hopeful.includes(cut)), ...best];
      bound = Math.max(bound, boundAt(question, prices, all));
      report({ round, columns, bound, cost: prices.cost });
      found = best.filter(isWorthIt);
    }
    if (found.length === 0 || bound > prices.cost * (1 - closeEnough)) break;
    for (const column of found) master.add(column);
    columns += found.length;
  }
  master.close();
  cutLoads.close();
  return bound;
}

/** Loads that are worth less than so much more than their price are not asked for. */
const least = 1e-4;
/** The search ends when the bound is as near to what it can become. */
const closeEnough = 2e-3;

function isWorthIt({ shape, value }: WholeLoad): boolean {
  return value > shape.price * (1 + least);
}

/** Were all pods worth less, by as much as the best load is worth more than its price, none would. */
function boundAt(
  question: Question,
  prices: Prices,
  loads: readonly Pick<WholeLoad, 'shape' | 'atMost'>[],
): number {
  const excess = loads.reduce((most, { shape, atMost }) => Math.max(most, atMost / shape.price), 0);
  return worthOfAll(question, prices) / excess;
}

/** To begin with: in each zone, for each demand, the shape that holds it for the least, full of it. */
function columnsOfOneKind({ amounts, shapes }: Question): readonly Column[] {
  const zones = [...new Set(shapes.map(({ zone }) => zone))];
  return zones.flatMap((zone) =>
    amounts.flatMap((_, d): Column[] => {
      const pricePerPod = (index: number): number =>
        (shapes[index]?.price ?? 0) / (shapes[index]?.most[d] ?? 0);
      const [best] = shapes
        .flatMap((shape, s) => (shape.zone === zone && (shape.most[d] ?? 0) > 0 ? [s] : []))
        .sort((a, b) => pricePerPod(a) - pricePerPod(b));
      const shape = best === undefined ? undefined : shapes[best];
      if (shape === undefined) return [];
      return [{ shape, counts: amounts.map((_, e) => (e === d ? (shape.most[d] ?? 0) : 0)) }];
    }),
  );
}
