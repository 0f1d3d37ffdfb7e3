import type { OpenNode } from './open-node.ts';

type Machine = Pick<OpenNode, 'free' | 'used'>;

/**
 * So many nodes by how little of their machine is used, the emptiest first; ties in order of
 * purchase. Who is not among them is looked at once and never sorted.
 */
export function emptiest<T extends Machine>(nodes: readonly T[], most: number): readonly T[] {
  const fullness = new Float64Array(most).fill(Infinity);
  const chosen = new Int32Array(most);
  let index = 0;
  for (const node of nodes) {
    const full = fullnessOf(node);
    if (full < (fullness[most - 1] ?? 0)) {
      const place = placeAmong(fullness, full);
      fullness.copyWithin(place + 1, place);
      chosen.copyWithin(place + 1, place);
      fullness[place] = full;
      chosen[place] = index;
    }
    index += 1;
  }
  return [...chosen.subarray(0, nodes.length)].flatMap((at) => nodes[at] ?? []);
}

/** Behind everything that is no more. */
function placeAmong(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function fullnessOf({ free, used }: Machine): number {
  let sum = 0;
  for (let column = 0; column < free.length; column++) {
    const has = free[column] ?? 0;
    if (has > 0) sum += (used[column] ?? 0) / has;
  }
  return sum;
}
