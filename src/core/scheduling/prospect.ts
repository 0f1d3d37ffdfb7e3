import type { Vector } from '../quantity/columns.ts';
import type { Bin } from './bin.ts';

/** What the best choice of waiting pods would be worth on a machine, if pods could be divided. */
export interface Prospect {
  /** An upper bound on the worth that fits beside each other into so much room. */
  readonly of: (free: Vector) => number;
  /** Pods that waited when it was made; with fewer it holds still, but more loosely. */
  readonly pods: number;
}

/** One way to measure all resources by a single number, and the bins sorted by worth for it. */
interface Measure {
  readonly weights: Vector;
  /** Running sums over the sorted bins, of what all pods of a bin measure and are worth. */
  readonly amounts: Float64Array;
  readonly worths: Float64Array;
}

/** Between two resources, so much of the measure is the first. */
const mixtures = [0.25, 0.5, 0.75];

/**
 * Whatever single measure resources are weighed by, a load that fits also fits by that measure,
 * and by one measure the best choice is known: most worth for the amount first. So each measure
 * gives a bound, and the least of them is the prospect. `supply` is what all machines together
 * leave to pods, which shows what is scarce.
 */
export function prospectOf(
  bins: readonly Bin[],
  { supply, mostPods }: { readonly supply: Vector; readonly mostPods: number },
): Prospect {
  const width = supply.length;
  const lefts = bins.map(mostOf);
  const totals = totalsOf(bins, lefts, width);
  const measures = weightsOf(totals, supply).map((weights) => measureOf(weights, bins, lefts));
  // Every pod counts one, whatever it asks for.
  const heads = sortedSums(bins, lefts, () => 1);
  const most = worthWithin(heads.amounts, heads.worths, mostPods);
  const of = (free: Vector): number => {
    let least = most;
    for (const { weights, amounts, worths } of measures) {
      let room = 0;
      for (let column = 0; column < width; column++)
        room += (weights[column] ?? 0) * Math.max(0, free[column] ?? 0);
      least = Math.min(least, worthWithin(amounts, worths, room));
    }
    return least;
  };
  return { of, pods: podsIn(bins) };
}

export function podsIn(bins: readonly Bin[]): number {
  let pods = 0;
  for (const bin of bins) pods += bin.left;
  return pods;
}

/** How many pods of the bin one node holds at most by rules between pods. */
function mostOf({ queues }: Bin): number {
  let most = 0;
  for (const { left, demand } of queues) most += Math.min(left, demand.ties.soloCap);
  return most;
}

function totalsOf(bins: readonly Bin[], lefts: readonly number[], width: number): Vector {
  const totals = new Float64Array(width);
  bins.forEach(({ need }, index) => {
    for (let column = 0; column < width; column++)
      totals[column] = (totals[column] ?? 0) + (need[column] ?? 0) * (lefts[index] ?? 0);
  });
  return totals;
}

/** Each resource alone, and mixtures of the two scarcest, measured against what is asked in all. */
function weightsOf(totals: Vector, supply: Vector): readonly Vector[] {
  const strain = (column: number): number => (totals[column] ?? 0) / (supply[column] ?? 0);
  const asked = [...totals.keys()].filter((column) => (totals[column] ?? 0) > 0);
  const [one, other] = [...asked].sort((a, b) => strain(b) - strain(a) || a - b);
  const weighing = (parts: readonly (readonly [column: number, part: number])[]): Vector => {
    const weights = new Float64Array(totals.length);
    for (const [column, part] of parts) weights[column] = part / (totals[column] ?? 1);
    return weights;
  };
  const alone = asked.map((column) => weighing([[column, 1]]));
  if (one === undefined || other === undefined) return alone;
  const mixed = mixtures.map((part) =>
    weighing([
      [one, part],
      [other, 1 - part],
    ]),
  );
  return [...alone, ...mixed];
}

function measureOf(weights: Vector, bins: readonly Bin[], lefts: readonly number[]): Measure {
  const sums = sortedSums(bins, lefts, ({ need }) => {
    let amount = 0;
    for (let column = 0; column < weights.length; column++)
      amount += (weights[column] ?? 0) * (need[column] ?? 0);
    return amount;
  });
  return { weights, ...sums };
}

function sortedSums(
  bins: readonly Bin[],
  lefts: readonly number[],
  amountOf: (bin: Bin) => number,
): Omit<Measure, 'weights'> {
  const sizes = Float64Array.from(bins, amountOf);
  const costs = Float64Array.from(bins, (bin, index) => (sizes[index] ?? 0) / bin.worthUsdPerHour);
  const order = Int32Array.from(bins, (_, index) => index);
  order.sort((a, b) => (costs[a] ?? 0) - (costs[b] ?? 0));
  const amounts = new Float64Array(bins.length);
  const worths = new Float64Array(bins.length);
  let amount = 0;
  let worth = 0;
  order.forEach((index, place) => {
    amount += (lefts[index] ?? 0) * (sizes[index] ?? 0);
    worth += (lefts[index] ?? 0) * (bins[index]?.worthUsdPerHour ?? 0);
    amounts[place] = amount;
    worths[place] = worth;
  });
  return { amounts, worths };
}

/** The worth of the first bins that measure so much, the last of them in part. */
function worthWithin(amounts: Float64Array, worths: Float64Array, room: number): number {
  let [low, high] = [0, amounts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((amounts[middle] ?? 0) <= room) low = middle + 1;
    else high = middle;
  }
  const [amount, worth] = low === 0 ? [0, 0] : [amounts[low - 1] ?? 0, worths[low - 1] ?? 0];
  if (low === amounts.length) return worth;
  const part = (room - amount) / ((amounts[low] ?? 0) - amount);
  return worth + part * ((worths[low] ?? 0) - worth);
}
