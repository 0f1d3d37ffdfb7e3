import { type Json, objectAt } from '../json.ts';

/** `a=1,b=2` in the order of the keys; `<none>` without any. */
export function labelsText(labels: Json | undefined): string {
  const pairs = Object.entries(objectAt(labels)).sort(([a], [b]) => (a < b ? -1 : 1));
  return pairs.length === 0 ? '<none>' : pairs.map(([key, value]) => `${key}=${value}`).join(',');
}
