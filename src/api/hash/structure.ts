import { compareText } from '../../core/text-order.ts';
import { parseDuration } from '../decode/duration.ts';
import {
  finish,
  type Hash,
  hashBytes,
  hashInteger,
  hashText,
  inOrder,
  xor,
  zeroHash,
} from './fnv.ts';

/**
 * How the original's Go library hashes a decoded object: by the names of Go types and fields, in
 * the order in which they are declared. Lists count as sets, and what has its zero value is left
 * out. Each value here hashes one Go type, given the JSON that it is decoded from.
 */
export interface Hashable {
  hash(value: unknown): Hash;
  /** Whether a field that holds this by value counts as left out. Pointers never ask. */
  isZero(value: unknown): boolean;
}

export const text: Hashable = {
  hash: (value) => hashText(String(value)),
  isZero: (value) => value === '',
};

export const flag: Hashable = {
  hash: (value) => hashInteger(value === true ? 1 : 0, 1),
  isZero: (value) => value === false,
};

export const int32: Hashable = integer(4);
export const int64: Hashable = integer(8);

/** Elements in any order; two that are equal cancel each other out. */
export function list(element: Hashable): Hashable {
  return {
    hash: (value) => asList(value).map(element.hash).reduce(xor, zeroHash),
    isZero: () => false,
  };
}

export function map(element: Hashable): Hashable {
  return {
    hash: (value) => finish(sortedEntries(value).map(entryHash(element)).reduce(xor, zeroHash)),
    isZero: () => false,
  };
}

interface Field {
  /** As Go calls it. */
  readonly name: string;
  /** As JSON calls it. */
  readonly key: string;
  readonly value: Hashable;
  readonly isPointer: boolean;
}

/** A field that Go holds by value: its zero value is the same as leaving it out. */
export function plain(name: string, key: string, value: Hashable): Field {
  return { name, key, value, isPointer: false };
}

/** A field that Go points to, or a list or map: only its absence leaves it out. */
export function pointer(name: string, key: string, value: Hashable): Field {
  return { name, key, value, isPointer: true };
}

export function struct(name: string, fields: readonly Field[]): Hashable {
  return {
    hash: (value) =>
      fields
        .filter((field) => isIncluded(field, at(value, field.key)))
        .reduce(
          (hash, field) => finish(xor(hash, fieldHash(field, at(value, field.key)))),
          hashText(name),
        ),
    isZero: () => false,
  };
}

const nanosecondsPerMs = 1_000_000;

/** A Go duration inside a struct of one field; `zero` says whether no time at all is left out. */
export function duration(name: string, zero: 'left-out' | 'counted'): Hashable {
  return {
    hash: (value) => {
      const nanoseconds = Math.round((parseDuration(String(value)) ?? 0) * nanosecondsPerMs);
      if (nanoseconds === 0 && zero === 'left-out') return hashText(name);
      const field = inOrder(hashText('Duration'), hashInteger(nanoseconds, 8));
      return finish(xor(hashText(name), field));
    },
    isZero: () => false,
  };
}

const secondsFromYear1 = 62_135_596_800;

/** A moment, as Go writes it in binary: a version, seconds since the year 1, nanoseconds, no offset. */
export const time: Hashable = {
  hash: (value) => {
    const seconds = BigInt(Math.floor(Date.parse(String(value)) / 1000) + secondsFromYear1);
    const big = Array.from({ length: 8 }, (_, i) =>
      Number((seconds >> BigInt(56 - 8 * i)) & 0xffn),
    );
    const field = inOrder(hashText('Time'), hashBytes([1, ...big, 0, 0, 0, 0, 0, 0]));
    return finish(xor(hashText('Time'), field));
  },
  isZero: () => false,
};

function integer(size: 4 | 8): Hashable {
  return {
    hash: (value) => hashInteger(Number(value), size),
    isZero: (value) => Number(value) === 0,
  };
}

function isIncluded(field: Field, value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return field.isPointer || !field.value.isZero(value);
}

function fieldHash(field: Field, value: unknown): Hash {
  return inOrder(hashText(field.name), field.value.hash(value));
}

function entryHash(element: Hashable): (entry: readonly [string, unknown]) => Hash {
  return ([key, value]) => inOrder(hashText(key), element.hash(value));
}

function at(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return Reflect.get(value, key);
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function sortedEntries(value: unknown): readonly (readonly [string, unknown])[] {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return entries.sort(([a], [b]) => compareText(a, b));
}
