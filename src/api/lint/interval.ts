/** A stretch of time, its end not included. */
export interface Interval {
  readonly from: number;
  readonly until: number;
}

/** More hits than a budget can have in two weeks, one each minute. */
const mostHits = 14 * 24 * 60 + 1;

/** The stretches that begin at each hit of a schedule and last as long as given, cut to the range. */
export function intervalsOf(
  nextHit: (afterMs: number) => number | undefined,
  range: Interval & { readonly lengthMs: number },
): readonly Interval[] {
  const { from, until, lengthMs } = range;
  const reach = Math.min(lengthMs, until - from);
  const found: Interval[] = [];
  let hit = nextHit(from - reach);
  while (hit !== undefined && hit < until && found.length < 2 * mostHits) {
    found.push({ from: Math.max(from, hit), until: Math.min(until, hit + reach) });
    hit = nextHit(hit);
  }
  return merged(found.filter((interval) => interval.until > interval.from));
}

/** The same time in stretches that neither touch nor overlap, in order. */
export function merged(intervals: readonly Interval[]): readonly Interval[] {
  const result: Interval[] = [];
  for (const interval of intervals.toSorted((a, b) => a.from - b.from || a.until - b.until)) {
    const last = result.at(-1);
    if (last === undefined || interval.from > last.until) result.push(interval);
    else
      result[result.length - 1] = { from: last.from, until: Math.max(last.until, interval.until) };
  }
  return result;
}

/** The gaps between stretches, each with its neighbours. */
export function missingIn(intervals: readonly Interval[]) {
  return intervals.slice(1).map((after, index) => {
    const before = intervals[index] ?? after;
    return { before, after, gapMs: after.from - before.until };
  });
}
