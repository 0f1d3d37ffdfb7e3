import { isObject, type Json } from '../json.ts';

export interface Order {
  /** The order the patch asks for: its items, or what `$setElementOrder` lists. */
  readonly first: readonly Json[];
  /** The order of the live list, which decides where the other items stand between. */
  readonly server: readonly Json[];
  /** Undefined for lists of plain values. */
  readonly mergeKey: string | undefined;
}

/**
 * Puts a merged list in order: items that the patch names in its order, the others in the
 * order of the live list, woven together by the order of the live list.
 */
export function orderItems(items: readonly Json[], order: Order): readonly Json[] {
  const idOf = (item: Json): Json | undefined =>
    order.mergeKey !== undefined && isObject(item) ? item[order.mergeKey] : item;
  const wanted = order.first.map(idOf);
  const live = order.server.map(idOf);
  const byPlace = (places: readonly (Json | undefined)[]) => (a: Json, b: Json) =>
    places.indexOf(idOf(a)) - places.indexOf(idOf(b));
  const named = items.filter((item) => wanted.includes(idOf(item))).sort(byPlace(wanted));
  const others = items.filter((item) => !wanted.includes(idOf(item))).sort(byPlace(live));
  return weave(others, named, (item) => live.indexOf(idOf(item)));
}

/** Keeps the order inside both; an item of `left` goes before a later one of `right`. */
function weave(
  left: readonly Json[],
  right: readonly Json[],
  place: (item: Json) => number,
): readonly Json[] {
  const result: Json[] = [];
  let i = 0;
  for (const item of right) {
    const at = place(item);
    while (i < left.length) {
      const other = left[i] as Json;
      const otherAt = place(other);
      if (at < 0 || otherAt < 0 || otherAt >= at) break;
      result.push(other);
      i++;
    }
    result.push(item);
  }
  return [...result, ...left.slice(i)];
}
