import type { Vector } from '../../quantity/columns.ts';
import { finish } from '../../steps.ts';
import { type Bin, podsIn } from './bin.ts';
import { rowsOf } from './bin-rows.ts';
import { Measures } from './measures.ts';

/** What the best choice of waiting pods would be worth on a machine, if pods could be divided. */
export interface Prospect {
  /** An upper bound on the worth that fits beside each other into so much room. */
  readonly of: (free: Vector) => number;
  /** Pods that waited when it was made, and their bins; with fewer it holds still, but more loosely. */
  readonly pods: number;
  readonly bins: number;
}

/** Between two resources, so much of the measure is the first. */
const mixtures = [0.25, 0.5, 0.75];

/**
 * Whatever single measure resources are weighed by, a load that fits also fits by that measure,
 * and by one measure the best choice is known: most worth for the amount first. So each measure
 * gives a bound, and the least of them is the prospect. `supply` is what all machines together
 * leave to pods, which shows what is scarce.
 */
export function prospectOf(bins: readonly Bin[], at: Demanded): Prospect {
  return finish(prospecting(bins, at));
}

interface Demanded {
  readonly supply: Vector;
  readonly mostPods: number;
  /** Whether it counts that of some pods a node holds only one; if not, the bound is looser. */
  readonly hasContests: boolean;
}

/** So few bins are measured in every way in one step. */
const fewBins = 256;

/** The same, a measure in each step. */
export function* prospecting(
  bins: readonly Bin[],
  { supply, mostPods, hasContests }: Demanded,
): Generator<void, Prospect> {
  const width = supply.length;
  const rows = rowsOf(bins, { width, hasContests });
  const ways = weightsOf(rows.totals, supply);
  const measures = new Measures(rows, ways.length + 1);
  for (const weights of ways) {
    measures.take(weights);
    if (bins.length > fewBins) yield;
  }
  measures.takeHeads();
  const most = measures.worthWithin(ways.length, mostPods);
  const of = (free: Vector): number => {
    let least = most;
    for (let way = 0; way < ways.length; way++) {
      const weights = ways[way];
      let room = 0;
      for (let column = 0; column < width; column++)
        room += (weights?.[column] ?? 0) * Math.max(0, free[column] ?? 0);
      least = Math.min(least, measures.worthWithin(way, room));
    }
    return least;
  };
  return { of, pods: podsIn(bins), bins: bins.length };
}

/** Each resource alone, and mixtures of the two scarcest, measured against what is asked in all. */
function weightsOf(totals: Vector, supply: Vector): readonly Vector[] {
  const strain = (column: number): number => (totals[column] ?? 0) / (supply[column] ?? 0);
  const asked = [...totals.keys()].filter((column) => (totals[column] ?? 0) > 0);
  const [one, other] = [...asked].sort((a, b) => strain(b) - strain(a) || a - b);
  const weighing = (column: number, part: number): Vector => {
    const weights = new Float64Array(totals.length);
    weights[column] = part / (totals[column] ?? 1);
    return weights;
  };
  const alone = asked.map((column) => weighing(column, 1));
  if (one === undefined || other === undefined) return alone;
  const mixed = mixtures.map((part) => {
    const weights = weighing(one, part);
    weights[other] = (1 - part) / (totals[other] ?? 1);
    return weights;
  });
  return [...alone, ...mixed];
}
