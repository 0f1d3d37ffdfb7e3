import { parseAmount } from '../../core/quantity/quantity.ts';
import { nearestWord } from '../nearest-word.ts';
import { builtInShapes } from '../shape/built-in.ts';
import { type Unmet, unmetIn } from '../shape/obligations.ts';
import { type Mismatch, readShaped, type UnknownPlace } from '../shape/read-shaped.ts';
import type { Shape } from '../shape/shape.ts';
import { inlineText, type Path, pathText, type ValueMap } from '../value.ts';

/** What an API server would refuse, as a sentence about the field at the path. */
export interface Fault {
  readonly path: Path;
  readonly sentence: string;
}

export interface CheckedObject {
  /** Known fields only, without those that are null. Of the right types where there are no faults. */
  readonly object: ValueMap;
  readonly faults: readonly Fault[];
}

/**
 * An object of a built-in kind, read as an API server reads it, with what is misspelt, of a wrong
 * type or missing. It knows of the fields that decide where pods go; a server refuses more.
 */
export function checkedObject(object: ValueMap, kind: string): CheckedObject {
  const shape = builtInShapes.get(kind);
  if (shape === undefined) throw new Error(`checking a ${kind}: it is no built-in kind`);
  const { value, unknown, mismatches } = readShaped(object, shape, quantityOf);
  const faults = [...unknown.map(unknownFault), ...mismatches.map(mismatchFault)];
  // What is of a wrong type, or misspelt, is missing in the right place as well.
  if (faults.length > 0) return { object: value, faults };
  return { object: value, faults: unmetIn(value, shape).map(unmetFault) };
}

function quantityOf(value: string | number): string | number | undefined {
  const amount = parseAmount('cpu', value);
  return typeof amount === 'number' && amount >= 0 ? value : undefined;
}

function unknownFault({ path, known }: UnknownPlace): Fault {
  const meant = nearestWord(String(path.at(-1)), known);
  const hint = meant === undefined ? '' : `; write ${meant} if that is meant`;
  return { path, sentence: `${pathText(path)} is no field that is known here${hint}` };
}

function mismatchFault({ path, wanted, value }: Mismatch): Fault {
  const given = typeof value === 'object' && value !== null ? '' : `, not ${inlineText(value)}`;
  return { path, sentence: `${pathText(path)} must be ${typeWords(wanted)}${given}` };
}

function unmetFault({ path, choices, value }: Unmet): Fault {
  if (choices === undefined) return { path, sentence: `${pathText(path)} is missing` };
  const names = choices.filter((choice) => choice !== '').join(', ');
  const given = value === undefined ? '' : `, not ${inlineText(value)}`;
  return { path, sentence: `${pathText(path)} must be one of ${names}${given}` };
}

function typeWords(shape: Shape): string {
  if (shape.type === 'list') return 'a list';
  if (shape.type !== 'leaf') return 'a map';
  return leafWords[shape.leaf] ?? 'a text';
}

const leafWords: Readonly<Record<string, string>> = {
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  quantity: 'a quantity such as 500m or 2Gi',
  'int-or-string': 'a whole number or a text',
};
