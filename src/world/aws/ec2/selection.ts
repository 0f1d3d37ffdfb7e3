import type { AwsError } from '../wire/aws-error.ts';

/** The items with the asked ids, or all; the first id that no item has is refused. */
export function chosen<T>(
  items: readonly T[],
  ids: readonly string[],
  how: { readonly idOf: (item: T) => string; readonly refuse: (id: string) => AwsError },
): readonly T[] {
  if (ids.length === 0) return items;
  const known = new Set(items.map(how.idOf));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined) throw how.refuse(unknown);
  const asked = new Set(ids);
  return items.filter((item) => asked.has(how.idOf(item)));
}
