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

/** What the kube-scheduler reads as a number ends before this. */
const beyondNumbers = 2 ** 63;

/** One of these values; `only([])` is the label that must be absent. */
export function only(values: Iterable<string>): ValueSet {
  const set = new Set(values);
  return { kind: 'only', values: set, mayBeAbsent: set.size === 0 };
}

/**
 * Every value but these, and within the bounds where given; bounds with no number left between
 * them leave nothing. As in Kubernetes, a label that excludes values may be missing, and one that
 * is bounded may not.
 */
export function except(values: Iterable<string>, min = -Infinity, max = Infinity): ValueSet {
  const set = new Set(values);
  if (leastBetween(min, max, set) === undefined) return never;
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
  const values = new Set([...a.values, ...b.values]);
  if (leastBetween(min, max, values) === undefined) return never;
  return { kind: 'except', values, min, max, mayBeAbsent };
}

/** Whether some label meets both sets, a missing one included. */
export function overlaps(a: ValueSet, b: ValueSet): boolean {
  if (a.mayBeAbsent && b.mayBeAbsent) return true;
  if (a.kind === 'only') {
    for (const value of a.values) if (has(b, value)) return true;
    return false;
  }
  if (b.kind === 'only') return overlaps(b, a);
  const min = Math.max(a.min, b.min);
  const max = Math.min(a.max, b.max);
  return leastBetween(min, max, a.values, b.values) !== undefined;
}

/** Whether whatever meets the one set meets the other as well. */
export function isPartOf(part: ValueSet, whole: ValueSet): boolean {
  if (part.mayBeAbsent && !whole.mayBeAbsent) return false;
  if (part.kind === 'only') return [...part.values].every((value) => has(whole, value));
  return (
    whole.kind === 'except' &&
    whole.min <= part.min &&
    part.max <= whole.max &&
    [...whole.values].every((value) => !has(part, value))
  );
}

/** The values that the set names and that the others allow; none where it names none. */
export function valuesWithin(
  named: ValueSet | undefined,
  ...others: readonly (ValueSet | undefined)[]
): readonly string[] {
  if (named?.kind !== 'only') return [];
  return [...named.values].filter((value) =>
    others.every((other) => other === undefined || has(other, value)),
  );
}

/** Whether nothing at all meets the set. */
export function isImpossible(set: ValueSet): boolean {
  return set.kind === 'only' && set.values.size === 0 && !set.mayBeAbsent;
}

/** Whether the label may be missing altogether: `DoesNotExist`, or nothing but `NotIn`. */
export function allowsAbsence(set: ValueSet): boolean {
  return set.mayBeAbsent;
}

/**
 * A value of the set, the same one every time: the first by name, or the least number. Undefined
 * where it has none, be it that nothing meets it or that the label must be absent.
 */
export function firstValueOf(set: ValueSet): string | undefined {
  if (set.kind === 'only') return [...set.values].sort()[0];
  const least = leastBetween(set.min, set.max, set.values);
  return least === undefined ? undefined : String(least);
}

function isWithin(value: string, min: number, max: number): boolean {
  if (min === -Infinity && max === Infinity) return true;
  // A node may carry any text under a bounded label; text is outside every bound, not an error.
  if (!/^\d+$/.test(value)) return false;
  const integer = Number(value);
  return min <= integer && integer <= max;
}

/**
 * The least number within the bounds that is excluded by none. A label's value has no sign, and
 * nobody is expected to write it with zeros in front.
 */
function leastBetween(
  min: number,
  max: number,
  ...excluded: readonly ReadonlySet<string>[]
): number | undefined {
  const least = Math.max(0, min);
  const candidates = excluded.reduce((sum, { size }) => sum + size, 1);
  for (let more = 0; more < candidates; more++) {
    const number = least + more;
    if (!(number <= max) || number >= beyondNumbers) return undefined;
    if (!excluded.some((values) => values.has(String(number)))) return number;
  }
  // Only numbers so large that adding one does not change them come here.
  return undefined;
}
