import type { Vector } from '../../quantity/columns.ts';
import { finish } from '../../steps.ts';
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

/** Keys to sort by have room for the places of so many bins. */
const places = 2 ** 20;
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
}

/** So few bins are measured in every way in one step. */
const fewBins = 256;

/** The same, a measure in each step. */
export function* prospecting(
  bins: readonly Bin[],
  { supply, mostPods }: Demanded,
): Generator<void, Prospect> {
  const width = supply.length;
  const lefts = bins.map(mostOf);
  const totals = totalsOf(bins, lefts, width);
  const measures: Measure[] = [];
  for (const weights of weightsOf(totals, supply)) {
    measures.push(measureOf(weights, bins, lefts));
    if (bins.length > fewBins) yield;
  }
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
export function mostOf({ queues, left: all }: Bin): number {
  // The queues of a bin have that rule in common, and mostly there is none.
  const soloCap = queues[0]?.demand.ties.soloCap ?? Infinity;
  if (soloCap === Infinity) return all;
  let most = 0;
  for (const { left } of queues) most += Math.min(left, soloCap);
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
  const sizes = new Float64Array(bins.length);
  let bin = 0;
  for (const one of bins) sizes[bin++] = amountOf(one);
  const amounts = new Float64Array(bins.length);
  const worths = new Float64Array(bins.length);
  let amount = 0;
  let worth = 0;
  let place = 0;
  for (const index of orderOf(bins, sizes)) {
    const left = lefts[index] ?? 0;
    amount += left * (sizes[index] ?? 0);
    worth += left * (bins[index]?.worthUsdPerHour ?? 0);
    amounts[place] = amount;
    worths[place] = worth;
    place += 1;
  }
  return { amounts, worths };
}

/**
 * The bins by their size for their worth, the smallest first. Numbers sort several times faster
 * than anything that has to be compared by a function, so that each is one number: the size for
 * the worth, to one part in 2^32 of the largest, and the place of the bin.
 */
function orderOf(bins: readonly Bin[], sizes: Float64Array): Float64Array {
  const keys = new Float64Array(bins.length);
  let largest = 0;
  for (let index = 0; index < keys.length; index++) {
    const cost = (sizes[index] ?? 0) / (bins[index]?.worthUsdPerHour ?? 1);
    keys[index] = cost;
    if (cost > largest) largest = cost;
  }
  const scale = largest > 0 ? 2 ** 32 / largest : 0;
  for (let index = 0; index < keys.length; index++)
    keys[index] = Math.floor((keys[index] ?? 0) * scale) * places + index;
  keys.sort();
  for (let index = 0; index < keys.length; index++) keys[index] = (keys[index] ?? 0) % places;
  return keys;
}

/** The worth of the first bins that measure so much, the last of them in part. */
function worthWithin(amounts: Float64Array, worths: Float64Array, room: number): number {
  let low = 0;
  let high = amounts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((amounts[middle] ?? 0) <= room) low = middle + 1;
    else high = middle;
  }
  const amount = low === 0 ? 0 : (amounts[low - 1] ?? 0);
  const worth = low === 0 ? 0 : (worths[low - 1] ?? 0);
  if (low === amounts.length) return worth;
  const part = (room - amount) / ((amounts[low] ?? 0) - amount);
  return worth + part * ((worths[low] ?? 0) - worth);
}
