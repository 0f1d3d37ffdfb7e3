import { type Json, numberAt, valueAt } from '../json.ts';

/** A string, number or boolean at the path as text; empty when there is none. */
export function wordAt(value: Json | undefined, ...path: readonly string[]): string {
  const found = valueAt(value, ...path);
  return found === null || found === undefined || typeof found === 'object' ? '' : String(found);
}

/** The number at the path; zero when there is none. */
export function countAt(value: Json | undefined, ...path: readonly string[]): number {
  return numberAt(value, ...path) ?? 0;
}

/** The text, or another one in its place when it is empty. */
export function orElse(text: string, otherwise: string): string {
  return text === '' ? otherwise : text;
}
