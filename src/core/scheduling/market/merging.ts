import { cheapestFirst, type Good } from './stock.ts';

/** All goods of lists that are sorted each, cheapest first. */
export function mergedByPrice(lists: readonly (readonly Good[])[]): readonly Good[] {
  let merged: readonly Good[] = [];
  for (const list of lists) merged = merged.length === 0 ? list : mergedPair(merged, list);
  return merged;
}

function mergedPair(first: readonly Good[], second: readonly Good[]): readonly Good[] {
  const merged: Good[] = [];
  let taken = 0;
  for (const good of first) {
    for (let other = second[taken]; other !== undefined; other = second[taken]) {
      if (cheapestFirst(good, other) <= 0) break;
      merged.push(other);
      taken++;
    }
    merged.push(good);
  }
  for (; taken < second.length; taken++) merged.push(second[taken] as Good);
  return merged;
}
