import type { InstanceType } from '../../core/catalog/instance-type.ts';
import { has, type ValueSet } from '../../core/requirements/value-set.ts';

type Index = ReadonlyMap<string, readonly InstanceType[]>;

/** A catalogue has a thousand types and a cluster thousands of nodes: each list is indexed once. */
const indexes = new WeakMap<readonly InstanceType[], Index>();

/** The types of this name; a list of types that was asked before must not have been changed. */
export function typesNamed(
  types: readonly InstanceType[],
  name: string | undefined,
): readonly InstanceType[] {
  return name === undefined ? [] : (indexOf(types).get(name) ?? []);
}

/** The types whose names the set has, in the order of the list. */
export function typesAmong(
  types: readonly InstanceType[],
  names: ValueSet | undefined,
): readonly InstanceType[] {
  if (names === undefined) return types;
  return types.filter(({ name }) => has(names, name));
}

function indexOf(types: readonly InstanceType[]): Index {
  const known = indexes.get(types);
  if (known !== undefined) return known;
  const index = new Map<string, InstanceType[]>();
  for (const type of types) {
    const named = index.get(type.name);
    if (named === undefined) index.set(type.name, [type]);
    else named.push(type);
  }
  indexes.set(types, index);
  return index;
}
