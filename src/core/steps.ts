/** Does work to its end that could be done in steps, for callers with nothing else to do. */
export function finish<T>(steps: Iterator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** So many items are sorted, or merged, in one step. */
const itemsPerStep = 1_024;

/** The items in order, those that are equal as they were; in small steps however many there are. */
export function* sorting<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
): Generator<void, readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let from = 0; from < items.length; from += itemsPerStep) {
    runs.push(items.slice(from, from + itemsPerStep).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const longer: (readonly T[])[] = [];
    for (let index = 0; index < runs.length; index += 2)
      longer.push(yield* merging(runs[index] ?? [], runs[index + 1] ?? [], compare));
    runs = longer;
  }
  return runs[0] ?? [];
}

function* merging<T>(
  first: readonly T[],
  second: readonly T[],
  compare: (a: T, b: T) => number,
): Generator<void, readonly T[]> {
  const merged: T[] = [];
  let taken = 0;
  for (const item of first) {
    for (let next = second[taken]; taken < second.length; next = second[taken]) {
      if (compare(next as T, item) >= 0) break;
      merged.push(next as T);
      taken++;
    }
    merged.push(item);
    if (merged.length % itemsPerStep === 0) yield;
  }
  for (const item of second.slice(taken)) merged.push(item);
  return merged;
}

/** Sorts in place, equals staying as they were. Quick where the list is short, or nearly in order. */
export function insertInOrder<T>(items: T[], compare: (a: T, b: T) => number): void {
  for (let place = 1; place < items.length; place++) {
    const item = items[place] as T;
    let at = place;
    for (; at > 0 && compare(items[at - 1] as T, item) > 0; at--) items[at] = items[at - 1] as T;
    if (at < place) items[at] = item;
  }
}
