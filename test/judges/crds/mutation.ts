import { integerBelow, type Random } from '../../../src/ports/random.ts';
import { isList, isObject, type Json, type JsonObject } from '../../../src/world/kube/json.ts';
import type { JsonSchema } from '../../../src/world/kube/schema/schema.ts';
import { keysFor, wordsFor } from './words.ts';

/** The value with one to four changes, each at a place that its schema knows. */
export function mutant(value: JsonObject, schema: JsonSchema, random: Random): JsonObject {
  const changes = 1 + integerBelow(random, 2) + integerBelow(random, 3);
  let result: Json = value;
  for (let i = 0; i < changes; i++) result = changed(result, { schema, random });
  return isObject(result) ? result : value;
}

interface Context {
  readonly schema: JsonSchema;
  readonly random: Random;
}

/** A path into a value; absent fields that the schema knows are places, too. */
interface Place {
  readonly path: readonly (string | number)[];
  readonly value: Json | undefined;
  readonly schema: JsonSchema;
}

function changed(root: Json, { schema, random }: Context): Json {
  const place = pick(random, [...placesOf({ path: [], value: root, schema })]);
  if (place.path.length === 0) return root;
  return withAt(root, place.path, newValue(place, random));
}

function* placesOf(place: Place): Generator<Place> {
  yield place;
  const { value, schema, path } = place;
  const child = (key: string | number, next: JsonSchema, at: Json | undefined): Place => ({
    path: [...path, key],
    value: at,
    schema: next,
  });
  if (isList(value)) {
    const items = schema.items ?? {};
    for (const [i, item] of value.entries()) yield* placesOf(child(i, items, item));
    yield child(value.length, items, undefined);
  }
  if (!isObject(value)) return;
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    yield* placesOf(child(key, property, value[key]));
  }
  const values = schema.additionalProperties;
  if (typeof values !== 'object') return;
  for (const key of Object.keys(value)) yield* placesOf(child(key, values, value[key]));
}

/** What to put there; undefined takes away what is there. */
function newValue(place: Place, random: Random): Json | undefined {
  const dice = integerBelow(random, 20);
  if (dice === 0) return wrongType(random);
  if (dice < 4 && place.value !== undefined) return undefined;
  return likely(place, random);
}

function wrongType(random: Random): Json {
  return pick<Json>(random, [
    null,
    true,
    'text',
    5,
    -1,
    1.5,
    2 ** 40,
    [],
    {},
    ['a'],
    { a: 'b' },
    1e300,
  ]);
}

function likely({ schema, value, path }: Place, random: Random): Json {
  const field = fieldOf(path);
  if (schema.enum !== undefined && integerBelow(random, 5) > 0) return pick(random, schema.enum);
  switch (schema.type) {
    case 'object':
      return mapOrObject(value, schema, { field, random });
    case 'array':
      return list(value, schema, { field, random });
    case 'integer':
      return pick(random, edgesOf(schema));
    case 'boolean':
      return integerBelow(random, 2) === 0;
    default:
      return pick<Json>(
        random,
        schema.type === undefined ? [...wordsFor(field), 5, -5, 1.5, 0] : wordsFor(field),
      );
  }
}

/** The name of the field, or of the list or map that the value is in. */
function fieldOf(path: readonly (string | number)[]): string {
  const last = path.at(-1);
  const before = path.at(-2);
  const maps = ['labels', 'limits', 'requests', 'capacity', 'allocatable', 'resources'];
  const settings = [
    'systemReserved',
    'kubeReserved',
    'evictionHard',
    'evictionSoft',
    'evictionSoftGracePeriod',
  ];
  const isInside = typeof last === 'number' || [...maps, ...settings].includes(String(before));
  return String(isInside ? before : last);
}

function edgesOf({ minimum, maximum }: JsonSchema): readonly Json[] {
  const around = (edge: number | undefined): readonly number[] =>
    edge === undefined ? [] : [edge - 1, edge, edge + 1];
  const general = [0, 1, 2, 50, 2 ** 31 - 1, 2 ** 31, -1, 1.5, 1.0];
  return [
    ...around(minimum),
    ...around(maximum),
    ...around(minimum),
    ...around(maximum),
    ...general,
  ];
}

interface Inside {
  readonly field: string;
  readonly random: Random;
}

function mapOrObject(value: Json | undefined, schema: JsonSchema, inside: Inside): Json {
  const { random, field } = inside;
  const current = isObject(value) ? value : {};
  if (integerBelow(random, 8) === 0) return {};
  if (typeof schema.additionalProperties !== 'object') return withFields(current, schema, inside);
  if (integerBelow(random, 15) === 0) return manyEntries(schema, inside);
  const key = pick(random, keysFor(field));
  const entry = likely(
    { schema: schema.additionalProperties, value: undefined, path: [field, key] },
    random,
  );
  return withAt(current, [key], entry);
}

function manyEntries(schema: JsonSchema, { random, field }: Inside): JsonObject {
  const count = (schema.maxProperties ?? 20) + integerBelow(random, 2);
  const value = field === 'tags' || field === 'labels' ? 'a' : '1';
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`key-${i}`, value]));
}

function withFields(current: JsonObject, schema: JsonSchema, { random }: Inside): Json {
  if (integerBelow(random, 6) === 0) return withAt(current, ['surprise'], 'unknown');
  const names = Object.keys(schema.properties ?? {});
  const required = (schema.required ?? []).filter((name) => current[name] === undefined);
  const wanted = integerBelow(random, 4) === 0 ? [] : required;
  return [...wanted, pick(random, names)].reduce<Json>((object, name) => {
    const property = schema.properties?.[name] ?? {};
    return withAt(
      object,
      [name],
      likely({ schema: property, value: undefined, path: [name] }, random),
    );
  }, current);
}

function list(value: Json | undefined, schema: JsonSchema, { field, random }: Inside): Json {
  const items = schema.items ?? {};
  const current = isList(value) ? value : [];
  const item = (): Json => likely({ schema: items, value: undefined, path: [field, 0] }, random);
  switch (integerBelow(random, 10)) {
    case 0:
      return [];
    case 1:
      return current.length === 0 ? [item()] : [...current, pick(random, current)];
    case 2: {
      const count = (schema.maxItems ?? 60) + integerBelow(random, 2);
      const filler = current[0] ?? item();
      return Array.from({ length: count }, () => filler);
    }
    case 3:
      return [...current].reverse();
    case 4:
      return [item()];
    default:
      return [...current, item()];
  }
}

function withAt(
  root: Json,
  [key, ...rest]: readonly (string | number)[],
  value: Json | undefined,
): Json {
  if (key === undefined) return value ?? null;
  if (isList(root) && typeof key === 'number') {
    const next = rest.length === 0 ? value : withAt(root[key] ?? null, rest, value);
    const before = root.slice(0, key);
    return next === undefined
      ? [...before, ...root.slice(key + 1)]
      : [...before, next, ...root.slice(key + 1)];
  }
  const current = isObject(root) ? root : {};
  const next = rest.length === 0 ? value : withAt(current[key] ?? null, rest, value);
  // Through entries, so that a key named like the prototype is a key like any other.
  const others = Object.entries(current).filter(([name]) => name !== String(key));
  return Object.fromEntries(next === undefined ? others : [...others, [String(key), next]]);
}

function pick<T>(random: Random, from: readonly T[]): T {
  return from[integerBelow(random, from.length)] as T;
}
