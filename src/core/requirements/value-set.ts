/**
 * What one label may be: `only` these values, or every value `except` these; and, beside the
 * values, whether the label may be missing altogether.
 *
 * An `except` set may be bounded, and then holds integers alone. Unbounded is ±Infinity, so
 * that intersecting two bounds is max and min with no missing-value cases. `only` nothing is
 * the label that must be absent; once it may not be absent either, nothing meets it.
 */
export type ValueSet =
  | { readonly kind: 'only'; readonly values: ReadonlySet<string>; readonly mayBeAbsent: boolean }
  | {
      readonly kind: 'except';
      readonly values: ReadonlySet<string>;
      readonly min: number;
      readonly max: number;
      readonly mayBeAbsent: boolean;
    };

/** One of these values; `only([])` is the label that must be absent. */
export function only(values: Iterable<string>): ValueSet {
  const set = new Set(values);
  return { kind: 'only', values: set, mayBeAbsent: set.size === 0 };
}

/**
 * Every value but these, and within the bounds where given; crossed bounds leave nothing. As in
 * Kubernetes, a label that excludes values may be missing, and one that is bounded may not.
 */
export function except(values: Iterable<string>, min = -Infinity, max = Infinity): ValueSet {
  if (min > max) return never;
  const set = new Set(values);
  const isBounded = min !== -Infinity || max !== Infinity;
  return { kind: 'except', values: set, min, max, mayBeAbsent: set.size > 0 && !isBounded };
}

/** Nothing meets it, not even a missing label. */
export const never: ValueSet = { kind: 'only', values: new Set(), mayBeAbsent: false };
export const anyValue: ValueSet = except([]);
export const absent: ValueSet = only([]);

export function has(set: ValueSet, value: string): boolean {
  if (set.kind === 'only') return set.values.has(value);
  return !set.values.has(value) && isWithin(value, set.min, set.max);
}

export function intersect(a: ValueSet, b: ValueSet): ValueSet {
  const mayBeAbsent = a.mayBeAbsent && b.mayBeAbsent;
  if (a.kind === 'only') {
    const values = new Set([...a.values].filter((value) => has(b, value)));
    return { kind: 'only', values, mayBeAbsent };
  }
  if (b.kind === 'only') return intersect(b, a);
  const min = Math.max(a.min, b.min);
  const max = Math.min(a.max, b.max);
  if (min > max) return never;
  return { kind: 'except', values: new Set([...a.values, ...b.values]), min, max, mayBeAbsent };
}

/**
 * Whether some label meets both sets, a missing one included. Two `except` sets with consistent
 * bounds always meet.
 */
export function overlaps(a: ValueSet, b: ValueSet): boolean {
  if (a.mayBeAbsent && b.mayBeAbsent) return true;
  if (a.kind === 'only') {
    for (const value of a.values) if (has(b, value)) return true;
    return false;
  }
  if (b.kind === 'only') return overlaps(b, a);
  return Math.max(a.min, b.min) <= Math.min(a.max, b.max);
}

/** Whether nothing at all meets the set. */
export function isImpossible(set: ValueSet): boolean {
  return set.kind === 'only' && set.values.size === 0 && !set.mayBeAbsent;
}

/** Whether the label may be missing altogether: `DoesNotExist`, or nothing but `NotIn`. */
export function allowsAbsence(set: ValueSet): boolean {
  return set.mayBeAbsent;
}

function isWithin(value: string, min: number, max: number): boolean {
  if (min === -Infinity && max === Infinity) return true;
  // A node may carry any text under a bounded label; text is outside every bound, not an error.
  if (!/^[+-]?\d+$/.test(value)) return false;
  const integer = Number(value);
  return min <= integer && integer <= max;
}
