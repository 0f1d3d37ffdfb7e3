import type { Vector } from '../../quantity/columns.ts';
import type { Bin, Queue } from './bin.ts';

/** Bins as rows of numbers, which many measures are taken of. */
export interface Rows {
  readonly many: number;
  /** Row by row. */
  readonly needs: Vector;
  /** What a node would hold if nobody contended for a place. */
  readonly totals: Vector;
  /** How many pods of the bin one node holds at most by rules between pods. */
  readonly lefts: Float64Array;
  readonly worths: Float64Array;
  /** Rows that contend for one place: a node holds one pod of each list, beside those above. */
  readonly contests: readonly number[][];
}

/** Without contests, who must be alone is taken to bear all others, even of its own group. */
export function rowsOf(
  bins: readonly Bin[],
  { width, hasContests }: { readonly width: number; readonly hasContests: boolean },
): Rows {
  const many = bins.length;
  const needs = new Float64Array(many * width);
  const lefts = new Float64Array(many);
  const worths = new Float64Array(many);
  const totals = new Float64Array(width);
  for (let row = 0; row < many; row++) {
    const bin = bins[row];
    if (bin === undefined) continue;
    const { need } = bin;
    const most = mostOf(bin);
    for (let column = 0; column < width; column++) {
      const amount = need[column] ?? 0;
      needs[row * width + column] = amount;
      totals[column] = (totals[column] ?? 0) + amount * most;
    }
    lefts[row] = hasContests && isOnePerNode(bin) ? 0 : most;
    worths[row] = bin.worthUsdPerHour;
  }
  const contests = hasContests ? contestsOf(bins, lefts) : [];
  return { many, needs, totals, lefts, worths, contests };
}

/** How many pods of the bin one node holds at most by rules between pods. */
export function mostOf({ queues, soloCap, left: all }: Bin): number {
  if (soloCap === Infinity) return all;
  let most = 0;
  for (const { left } of queues) most += Math.min(left, soloCap);
  return most;
}

/** Whether a node holds one pod of each queue, and nobody else of the group that says so. */
function isOnePerNode({ soloCap }: Bin): boolean {
  return soloCap === 1;
}

/** Who contends with nobody is one more pod that a node holds of its bin. */
function contestsOf(bins: readonly Bin[], lefts: Float64Array): readonly number[][] {
  const contests: number[][] = [];
  for (const rows of rowsByGroup(bins).values()) {
    const [first = 0] = rows;
    if (rows.length === 1) lefts[first] = (lefts[first] ?? 0) + 1;
    else contests.push(rows);
  }
  return contests;
}

/** From the last row to the first: bins come with the dearest first, and so mostly the largest. */
function rowsByGroup(bins: readonly Bin[]): ReadonlyMap<number, number[]> {
  const byGroup = new Map<number, number[]>();
  for (let row = bins.length - 1; row >= 0; row--) {
    const bin = bins[row];
    if (bin === undefined || !isOnePerNode(bin)) continue;
    for (const queue of bin.queues) {
      if (queue.left === 0) continue;
      const group = groupOf(queue);
      const rows = byGroup.get(group);
      if (rows === undefined) byGroup.set(group, [row]);
      else if (rows.at(-1) !== row) rows.push(row);
    }
  }
  return byGroup;
}

/** A group that bears none of its own pods beside one of the queue. */
function groupOf({ groups, matches, caps }: Queue): number {
  for (let index = 0; index < groups.length; index++)
    if (matches[index] === 1 && caps[index] === 1) return groups[index] ?? 0;
  throw new Error('a pod that must be alone has a rule that says so');
}
