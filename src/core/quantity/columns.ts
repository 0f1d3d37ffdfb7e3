import type { Resources } from './resources.ts';

/** Amounts by column: one number per resource name of a `Columns`. */
export type Vector = Float64Array;

/** The resources that somebody asks for, in a fixed order, so that amounts become dense rows. */
export interface Columns {
  readonly names: readonly string[];
}

/** The columns for all resources of which any of the lists asks for some. */
export function columnsOf(lists: Iterable<Resources>): Columns {
  const names = new Set<string>();
  for (const list of lists) for (const name in list) if ((list[name] ?? 0) > 0) names.add(name);
  return { names: [...names].sort() };
}

/** The amounts in the order of the columns; what has no column is nobody's concern. */
export function vectorOf(columns: Columns, resources: Resources): Vector {
  const vector = new Float64Array(columns.names.length);
  for (let index = 0; index < vector.length; index++)
    vector[index] = resources[columns.names[index] ?? ''] ?? 0;
  return vector;
}

/** How often `need` fits into `free`; Infinity where nothing is needed. */
export function timesFitting(need: Vector, free: Vector): number {
  // Mostly it does not fit at all, and to compare takes less time than to divide.
  for (let index = 0; index < need.length; index++) {
    const amount = need[index] ?? 0;
    if (amount > 0 && amount > (free[index] ?? 0)) return 0;
  }
  let times = Infinity;
  for (let index = 0; index < need.length; index++) {
    const amount = need[index] ?? 0;
    if (amount <= 0) continue;
    const fitting = Math.floor((free[index] ?? 0) / amount);
    if (fitting < times) times = fitting;
  }
  return times;
}

/** Takes `times` times `need` out of `free`, in place; a negative number gives it back. */
export function take(free: Vector, need: Vector, times: number): void {
  for (let index = 0; index < free.length; index++)
    free[index] = (free[index] ?? 0) - times * (need[index] ?? 0);
}

/** Whether `a` has at least as much as `b` in every column. */
export function covers(a: Vector, b: Vector): boolean {
  for (let index = 0; index < a.length; index++)
    if ((a[index] ?? 0) < (b[index] ?? 0)) return false;
  return true;
}
