import { fieldShape, type ListShape, type Shape } from '../../../api/shape/shape.ts';
import { isList, isObject, type Json, type JsonObject } from '../json.ts';
import { StatusError } from '../status/status.ts';
import { orderItems } from './list-order.ts';

const deletePrefix = '$deleteFromPrimitiveList/';
const orderPrefix = '$setElementOrder/';

/** A strategic merge patch: lists merge by the keys that the shape names; `$` directives apply. */
export function applyStrategicMerge(
  target: JsonObject,
  patch: JsonObject,
  shape: Shape,
): JsonObject {
  switch (patch.$patch) {
    case undefined:
    case 'merge':
      break;
    case 'replace':
      return withoutDirectives(patch);
    case 'delete':
      return {};
    default:
      throw new StatusError(500, '', `unknown patch type: ${String(patch.$patch)}`);
  }
  const result = retained(target, patch);
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith(deletePrefix)) deleteFromList(result, key, value ?? null);
  }
  for (const [key, value] of Object.entries(patch)) {
    if (key.startsWith('$') || value === undefined) continue;
    if (value === null) delete result[key];
    else result[key] = mergedField({ result, patch, key, value, shape: fieldShape(shape, key) });
  }
  for (const key of Object.keys(patch)) {
    if (key.startsWith(orderPrefix)) reorderUnpatched(result, patch, { key, shape });
  }
  return result;
}

type Draft = Record<string, Json | undefined>;

/** `$retainKeys` names every key that survives; without it all do. */
function retained(target: JsonObject, patch: JsonObject): Draft {
  const retain = patch.$retainKeys;
  if (!isList(retain)) return { ...target };
  return Object.fromEntries(Object.entries(target).filter(([key]) => retain.includes(key)));
}

function deleteFromList(result: Draft, directive: string, values: Json): void {
  const key = directive.slice(deletePrefix.length);
  const list = result[key];
  if (isList(list) && isList(values)) result[key] = list.filter((item) => !values.includes(item));
}

interface Field {
  readonly result: Draft;
  readonly patch: JsonObject;
  readonly key: string;
  readonly value: Json;
  readonly shape: Shape;
}

function mergedField({ result, patch, key, value, shape }: Field): Json {
  const target = result[key];
  if (isObject(value)) {
    return isObject(target) ? applyStrategicMerge(target, value, shape) : withoutDirectives(value);
  }
  if (!isList(value)) return value;
  if (shape.type !== 'list' || shape.patch === 'replace') return cleaned(value);
  const order = patch[orderPrefix + key];
  return mergeLists(isList(target) ? target : [], value, {
    shape,
    order: isList(order) ? order : undefined,
  });
}

interface ListMerge {
  readonly shape: ListShape;
  readonly order: readonly Json[] | undefined;
}

function mergeLists(
  target: readonly Json[],
  patch: readonly Json[],
  { shape, order }: ListMerge,
): readonly Json[] {
  if (patch.some((item) => isObject(item) && item.$patch === 'replace')) {
    return patch.filter((item) => !isObject(item) || item.$patch !== 'replace').map(cleaned);
  }
  const { mergeKey } = shape;
  const isKeyed = mergeKey !== undefined && [...target, ...patch].some(isObject);
  const merged = isKeyed
    ? mergeKeyed(target, patch, { shape, mergeKey })
    : [...new Set([...target, ...patch])];
  const patched = patch.filter((item) => !isObject(item) || item.$patch !== 'delete');
  const key = isKeyed ? mergeKey : undefined;
  return orderItems(merged, { first: order ?? patched, server: target, mergeKey: key });
}

function mergeKeyed(
  target: readonly Json[],
  patch: readonly Json[],
  { shape, mergeKey }: { readonly shape: ListShape; readonly mergeKey: string },
): readonly Json[] {
  let items = [...target];
  for (const item of patch) {
    if (!isObject(item) || item[mergeKey] === undefined) {
      throw new StatusError(
        500,
        '',
        `map: ${JSON.stringify(item)} does not contain declared merge key: ${mergeKey}`,
      );
    }
    const isSame = (other: Json): boolean => isObject(other) && other[mergeKey] === item[mergeKey];
    const index = items.findIndex(isSame);
    const existing = items[index];
    if (item.$patch === 'delete') items = items.filter((other) => !isSame(other));
    else if (!isObject(existing)) items.push(withoutDirectives(item));
    else items[index] = applyStrategicMerge(existing, item, shape.items);
  }
  return items;
}

/** An order may come without changes to the list itself, when only the places changed. */
function reorderUnpatched(
  result: Draft,
  patch: JsonObject,
  { key, shape }: { readonly key: string; readonly shape: Shape },
): void {
  const name = key.slice(orderPrefix.length);
  const list = result[name];
  const order = patch[key];
  const listShape = fieldShape(shape, name);
  if (patch[name] !== undefined || !isList(list) || !isList(order)) return;
  if (listShape.type !== 'list') return;
  const mergeKey = list.some(isObject) ? listShape.mergeKey : undefined;
  result[name] = orderItems(list, { first: order, server: list, mergeKey });
}

/** What a patch adds where nothing was: without directives and without nulls. */
function withoutDirectives(value: JsonObject): JsonObject {
  const result: Draft = {};
  for (const [key, field] of Object.entries(value)) {
    if (!key.startsWith('$') && field !== null && field !== undefined) result[key] = cleaned(field);
  }
  return result;
}

function cleaned(value: Json): Json {
  if (isList(value)) {
    return value.filter((item) => !isObject(item) || item.$patch !== 'delete').map(cleaned);
  }
  return isObject(value) ? withoutDirectives(value) : value;
}
