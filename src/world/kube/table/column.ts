import type { Json } from '../json.ts';
import { wordAt } from './cell-value.ts';
import { age } from './human-duration.ts';

/** One column: what its header says and how its cell is read from an object. */
export interface ColumnRule {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format: string;
  readonly description: string;
  /** Zero is always shown; anything above only with `-o wide`. */
  readonly priority: number;
  readonly cell: Cell;
}

type Cell = (object: Json | undefined, nowMs: number) => Json;

/** A text column. */
export function text(name: string, description: string, cell: Cell): ColumnRule {
  return { name, type: 'string', format: '', description, priority: 0, cell };
}

export function integer(name: string, description: string, cell: Cell): ColumnRule {
  return { ...text(name, description, cell), type: 'integer' };
}

export function truth(name: string, description: string, cell: Cell): ColumnRule {
  return { ...text(name, description, cell), type: 'boolean' };
}

/** The same column, shown only with `-o wide`. */
export function wide(column: ColumnRule): ColumnRule {
  return { ...column, priority: 1 };
}

export const nameColumn: ColumnRule = {
  ...text('Name', 'Name of the object, unique within its kind and namespace.', (object) =>
    wordAt(object, 'metadata', 'name'),
  ),
  format: 'name',
};

export const ageColumn: ColumnRule = text(
  'Age',
  'Time since the object was created.',
  (object, nowMs) => age(wordAt(object, 'metadata', 'creationTimestamp'), nowMs),
);

/** What kinds without columns of their own show after the name. */
export const createdAtColumn: ColumnRule = {
  ...text('Created At', 'When the object was created.', (object) =>
    wordAt(object, 'metadata', 'creationTimestamp'),
  ),
  type: 'date',
};
