import {
  fieldShape,
  isAtomic,
  itemShape,
  type ListShape,
  type Shape,
} from '../../../api/shape/shape.ts';
import { isList, isObject, type Json, type JsonObject } from '../json.ts';
import { type FieldSet, isEmptySet, isMember, noFields } from './field-set.ts';
import { itemKey } from './fields-of.ts';

/** The live value with everything that the applied configuration sets. */
export function mergeApplied(live: Json | undefined, applied: Json, shape: Shape): Json {
  if (isAtomic(shape)) return applied;
  if (isObject(applied)) return mergeObjects(isObject(live) ? live : {}, applied, shape);
  if (isList(applied) && shape.type === 'list') {
    return mergeLists(isList(live) ? live : [], applied, shape);
  }
  return applied;
}

function mergeObjects(live: JsonObject, applied: JsonObject, shape: Shape): JsonObject {
  const result: Record<string, Json | undefined> = { ...live };
  for (const [key, value] of Object.entries(applied)) {
    if (value === null) delete result[key];
    else if (value !== undefined) {
      result[key] = mergeApplied(live[key], value, fieldShape(shape, key));
    }
  }
  return result;
}

/** Applied items keep their order; what else is live comes as early as its own order allows. */
function mergeLists(
  live: readonly Json[],
  applied: readonly Json[],
  shape: ListShape,
): readonly Json[] {
  const wanted = new Set(applied.map((item) => itemKey(item, shape)));
  const byKey = new Map(live.map((item) => [itemKey(item, shape), item]));
  const waiting = [...byKey.keys()];
  const result: Json[] = [];
  const done = new Set<string>();
  const takeOthers = (): void => {
    for (let key = waiting[0]; key !== undefined; key = waiting[0]) {
      if (wanted.has(key) && !done.has(key)) return;
      if (!wanted.has(key)) result.push(byKey.get(key) ?? null);
      waiting.shift();
    }
  };
  for (const item of applied) {
    const key = itemKey(item, shape);
    takeOthers();
    result.push(byKey.has(key) ? mergeApplied(byKey.get(key), item, itemShape(shape)) : item);
    done.add(key);
  }
  takeOthers();
  return result;
}

export interface Removal {
  readonly fields: FieldSet;
  /** Fields that somebody still owns: what contains one of them stays. */
  readonly kept: FieldSet;
}

/** The value without the fields; objects and lists left empty by that go too. */
export function removeFields(value: Json, removal: Removal, shape: Shape): Json | undefined {
  if (isList(value)) return removeItems(value, removal, shape);
  if (!isObject(value)) return value;
  const result: Record<string, Json | undefined> = {};
  for (const key of Object.keys(value)) {
    const part = value[key];
    if (part === undefined) continue;
    const left = removeNode(part, at(removal, `f:${key}`), fieldShape(shape, key));
    if (left !== undefined) result[key] = left;
  }
  return Object.keys(result).length > 0 ? result : undefined;
}

function removeItems(value: readonly Json[], removal: Removal, shape: Shape): Json | undefined {
  if (shape.type !== 'list') return value;
  const left = value
    .map((item) => removeNode(item, at(removal, itemKey(item, shape)), shape.items))
    .filter((item) => item !== undefined);
  return left.length > 0 ? left : undefined;
}

interface NodeRemoval {
  readonly fields: FieldSet | undefined;
  readonly kept: FieldSet | undefined;
}

function at(removal: Removal, key: string): NodeRemoval {
  return { fields: removal.fields[key], kept: removal.kept[key] };
}

function removeNode(value: Json, removal: NodeRemoval, shape: Shape): Json | undefined {
  const { fields, kept } = removal;
  if (fields === undefined) return value;
  if (isMember(fields) && kept === undefined) return undefined;
  if (isEmptySet(fields) || isAtomic(shape)) return value;
  return removeFields(value, { fields, kept: kept ?? noFields }, shape);
}
