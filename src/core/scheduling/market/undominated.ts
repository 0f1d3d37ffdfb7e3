import type { Vector } from '../../quantity/columns.ts';
import { type Good, type Stock, sortByPrice } from './stock.ts';

/**
 * The cheapest good of every size among the shapes in the mask, cheapest first. The goods are of
 * one outlet and come by name: there are many, of few sizes, so that most need no place in a row.
 */
export function cheapestOfSizes(
  goods: readonly Good[],
  { sizes, mask }: { readonly sizes: Int32Array; readonly mask: Uint8Array },
): readonly Good[] {
  const cheapest = Array<Good | undefined>(sizes.length + 1).fill(undefined);
  for (const good of goods) {
    const { index } = good.shape;
    if (mask[index] !== 1) continue;
    const size = sizes[index] ?? 0;
    const rival = cheapest[size];
    if (rival === undefined || good.priceUsdPerHour < rival.priceUsdPerHour) cheapest[size] = good;
  }
  const found = cheapest.filter((good) => good !== undefined);
  sortByPrice(found);
  return found;
}

/** Of goods that come cheapest first, those that nothing no dearer equals or beats in every amount. */
export function undominated(
  goods: readonly Good[],
  { width, freeOf }: { readonly width: number; readonly freeOf: (stock: Stock) => Vector },
): readonly Good[] {
  const kept: Good[] = [];
  const rows = new Float64Array(goods.length * width);
  let end = 0;
  const most = new Float64Array(width).fill(-1);
  // What follows is often beaten by what beat the last one.
  let beater = 0;
  for (const good of goods) {
    const { stock, index } = good.shape;
    const free = freeOf(stock);
    const start = index * width;
    if (lacks(free, start, width)) continue;
    if (!exceeds(free, start, most)) {
      beater = beaterOf({ rows, end, free, start, width, likely: beater });
      if (beater >= 0) continue;
    }
    kept.push(good);
    end = withoutBeaten({ rows, end, free, start, width });
    beater = end;
    for (let column = 0; column < width; column++) {
      const amount = free[start + column] ?? 0;
      rows[end + column] = amount;
      if (amount > (most[column] ?? 0)) most[column] = amount;
    }
    end += width;
  }
  return kept;
}

/** Rows up to an end, and amounts in another list that they are held against. */
interface Contest {
  readonly rows: Vector;
  readonly end: number;
  readonly free: Vector;
  readonly start: number;
  readonly width: number;
}

/**
 * Rows that the amounts equal or beat need not be asked any more: whatever they beat, these beat.
 * The others move together; answers where they end.
 */
function withoutBeaten({ rows, end, free, start, width }: Contest): number {
  let left = 0;
  for (let row = 0; row < end; row += width) {
    if (beats(free, start, rows, row, width)) continue;
    if (left < row) rows.copyWithin(left, row, row + width);
    left += width;
  }
  return left;
}

/** Whether there is less than nothing of something. */
function lacks(free: Vector, start: number, width: number): boolean {
  for (let column = 0; column < width; column++) if ((free[start + column] ?? 0) < 0) return true;
  return false;
}

/** Whether it has more of something than any row, so that none can beat it. */
function exceeds(free: Vector, start: number, most: Vector): boolean {
  for (let column = 0; column < most.length; column++)
    if ((free[start + column] ?? 0) > (most[column] ?? 0)) return true;
  return false;
}

/** A row that has at least as much of everything, or -1. */
function beaterOf({
  rows,
  end,
  free,
  start,
  width,
  likely,
}: Contest & { readonly likely: number }): number {
  if (beats(rows, likely, free, start, width)) return likely;
  // The largest so far are the likeliest to beat it.
  for (let row = end - width; row >= 0; row -= width)
    if (beats(rows, row, free, start, width)) return row;
  return -1;
}

/** Whether one row has at least as much of everything as another. */
function beats(rows: Vector, row: number, others: Vector, other: number, width: number): boolean {
  for (let column = 0; column < width; column++)
    if ((rows[row + column] ?? 0) < (others[other + column] ?? 0)) return false;
  return true;
}
