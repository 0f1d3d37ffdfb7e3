/**
 * The values one label may take: `only` these, or every value `except` these.
 *
 * An `except` set may be bounded, and then holds integers alone. Unbounded is ±Infinity, so
 * that intersecting two bounds is max and min with no missing-value cases. `only` nothing is
 * the label that must be absent.
 */
export type ValueSet =
  | { readonly kind: 'only'; readonly values: ReadonlySet<string> }
  | {
      readonly kind: 'except';
      readonly values: ReadonlySet<string>;
      readonly min: number;
      readonly max: number;
    };

export function only(values: Iterable<string>): ValueSet {
  return { kind: 'only', values: new Set(values) };
}

/** Every value but these, and within the bounds where given. Crossed bounds leave nothing. */
export function except(values: Iterable<string>, min = -Infinity, max = Infinity): ValueSet {
  if (min > max) return only([]);
  return { kind: 'except', values: new Set(values), min, max };
}

export const anyValue: ValueSet = except([]);
export const absent: ValueSet = only([]);

export function has(set: ValueSet, value: string): boolean {
  if (set.kind === 'only') return set.values.has(value);
  return !set.values.has(value) && isWithin(value, set.min, set.max);
}

export function intersect(a: ValueSet, b: ValueSet): ValueSet {
  if (a.kind === 'only') return only([...a.values].filter((value) => has(b, value)));
  if (b.kind === 'only') return intersect(b, a);
  return except([...a.values, ...b.values], Math.max(a.min, b.min), Math.min(a.max, b.max));
}

/** Whether some value is in both sets. Two `except` sets with consistent bounds always meet. */
export function overlaps(a: ValueSet, b: ValueSet): boolean {
  if (a.kind === 'only') {
    for (const value of a.values) if (has(b, value)) return true;
    return false;
  }
  if (b.kind === 'only') return overlaps(b, a);
  return Math.max(a.min, b.min) <= Math.min(a.max, b.max);
}

/** Whether the label may be missing altogether: `DoesNotExist`, or `NotIn` without bounds. */
export function allowsAbsence(set: ValueSet): boolean {
  if (set.kind === 'only') return set.values.size === 0;
  return set.values.size > 0 && set.min === -Infinity && set.max === Infinity;
}

function isWithin(value: string, min: number, max: number): boolean {
  if (min === -Infinity && max === Infinity) return true;
  // A node may carry any text under a bounded label; text is outside every bound, not an error.
  if (!/^[+-]?\d+$/.test(value)) return false;
  const integer = Number(value);
  return min <= integer && integer <= max;
}
