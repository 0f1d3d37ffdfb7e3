import { compareText } from '../../core/text-order.ts';
import { isPlain, omit, type Plain, valueAt } from './plain.ts';

/**
 * One place where v1 and v1beta1 differ in what they can say: where it is, what stands there once
 * the object has been to v1beta1 and back, and what stood there before. Either may be nothing.
 */
export interface KeptField {
  readonly path: readonly string[];
  readonly without?: unknown;
  readonly value?: unknown;
}

/** Everything in which `original` differs from what came back, field by field, metadata aside. */
export function keptFields(original: Plain, back: Plain): readonly KeptField[] {
  return ['spec', 'status'].flatMap((key) => differences([key], original[key], back[key]));
}

/**
 * The object with the kept values in their places again. Where a writer of v1beta1 has changed the
 * very field that would be overwritten, the writer is right and the kept value is forgotten.
 */
export function restored(back: Plain, kept: readonly KeptField[]): Plain {
  return kept
    .filter(({ path, without }) => isSame(valueAt(back, path), without))
    .reduce((object, { path, value }) => placed(object, path, value), back);
}

/** Reads what `keptFields` gave, from text that anybody may have changed; undefined if unusable. */
export function readKeptFields(text: string): readonly KeptField[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every(isKeptField) ? list : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isKeptField(value: unknown): value is KeptField {
  if (!isPlain(value) || !Array.isArray(value.path)) return false;
  const { path } = value;
  const isInside = path[0] === 'spec' || path[0] === 'status';
  return isInside && path.length > 1 && path.every((key) => typeof key === 'string');
}

/** Lists are compared whole: their elements have no names to go by. */
function differences(
  path: readonly string[],
  value: unknown,
  without: unknown,
): readonly KeptField[] {
  if (isSame(value, without)) return [];
  // The places themselves are never taken away, only what stands in them.
  const isWhole = path.length > 1 && !(isPlain(value) && isPlain(without));
  if (isWhole) return [{ path, ...field('value', value), ...field('without', without) }];
  const keys = new Set([...Object.keys(value ?? {}), ...Object.keys(without ?? {})]);
  return [...keys]
    .sort(compareText)
    .flatMap((key) => differences([...path, key], valueAt(value, [key]), valueAt(without, [key])));
}

function placed(object: Plain, path: readonly string[], value: unknown): Plain {
  const [key, ...rest] = path;
  if (key === undefined) return object;
  const inner = valueAt(object, [key]);
  if (rest.length === 0)
    return value === undefined ? omit(object, [key]) : { ...object, [key]: value };
  return { ...object, [key]: placed(isPlain(inner) ? inner : {}, rest, value) };
}

function field(key: 'value' | 'without', value: unknown): object {
  return value === undefined ? {} : { [key]: value };
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(canonical(a)) === JSON.stringify(canonical(b));
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (!isPlain(value)) return value ?? null;
  const entries = Object.entries(value).sort(([a], [b]) => compareText(a, b));
  return entries.map(([key, part]) => [key, canonical(part)]);
}
