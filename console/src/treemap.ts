/** One rectangle of a treemap, in the units of the area that was divided. */
export interface Tile {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Divides a rectangle among weights in proportion, in rows of nearly square tiles, in the given
 * order. Weights that add up to less than one leave the rest of the area free at the end.
 */
export function treemap(weights: readonly number[], area: Tile): readonly Tile[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const scale = (area.width * area.height) / Math.max(1, total);
  const tiles: Tile[] = [];
  let free = area;
  let start = 0;
  while (start < weights.length) {
    const end = rowEnd(weights, start, { free, scale });
    const row = weights.slice(start, end);
    tiles.push(...rowTiles(row, free, scale));
    free = remainder(row, free, scale);
    start = end;
  }
  return tiles;
}

interface Space {
  readonly free: Tile;
  readonly scale: number;
}

/** Takes weights into the row while that makes its worst tile squarer. */
function rowEnd(weights: readonly number[], start: number, { free, scale }: Space): number {
  const side = Math.min(free.width, free.height);
  let end = start + 1;
  let worst = worstAspect(weights.slice(start, end), side, scale);
  while (end < weights.length) {
    const next = worstAspect(weights.slice(start, end + 1), side, scale);
    if (next > worst) break;
    worst = next;
    end++;
  }
  return end;
}

function worstAspect(row: readonly number[], side: number, scale: number): number {
  const sum = row.reduce((total, weight) => total + weight, 0) * scale;
  if (sum === 0 || side === 0) return Number.POSITIVE_INFINITY;
  const thickness = sum / side;
  return Math.max(
    ...row.map((weight) => {
      const length = (weight * scale) / thickness;
      return Math.max(length / thickness, thickness / Math.max(length, 1e-9));
    }),
  );
}

function rowTiles(row: readonly number[], free: Tile, scale: number): Tile[] {
  const isColumn = free.width >= free.height;
  const thickness = thicknessOf(row, free, scale);
  let offset = 0;
  return row.map((weight) => {
    const length = thickness === 0 ? 0 : (weight * scale) / thickness;
    const tile = isColumn
      ? { x: free.x, y: free.y + offset, width: thickness, height: length }
      : { x: free.x + offset, y: free.y, width: length, height: thickness };
    offset += length;
    return tile;
  });
}

function remainder(row: readonly number[], free: Tile, scale: number): Tile {
  const thickness = thicknessOf(row, free, scale);
  return free.width >= free.height
    ? { ...free, x: free.x + thickness, width: Math.max(0, free.width - thickness) }
    : { ...free, y: free.y + thickness, height: Math.max(0, free.height - thickness) };
}

function thicknessOf(row: readonly number[], free: Tile, scale: number): number {
  const side = Math.min(free.width, free.height);
  const sum = row.reduce((total, weight) => total + weight, 0);
  return side === 0 ? 0 : (sum * scale) / side;
}
