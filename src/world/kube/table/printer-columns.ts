import type { Json } from '../json.ts';
import type { PrinterColumn } from '../kinds.ts';
import { ageColumn, type ColumnRule, nameColumn } from './column.ts';
import { age } from './human-duration.ts';
import { findAll, parseJsonPath } from './json-path.ts';

/** The columns of a custom resource: its name, then what its definition asks for, else its age. */
export function customColumns(columns: readonly PrinterColumn[]): readonly ColumnRule[] {
  if (columns.length === 0) return [nameColumn, ageColumn];
  return [nameColumn, ...columns.map(customColumn)];
}

function customColumn(column: PrinterColumn): ColumnRule {
  const steps = parseJsonPath(column.jsonPath);
  return {
    name: column.name,
    type: column.type as ColumnRule['type'],
    format: column.format ?? '',
    description: column.description ?? `The value at ${column.jsonPath}.`,
    priority: column.priority ?? 0,
    cell: (object, nowMs) => {
      const [found] = steps === undefined ? [] : findAll(object, steps);
      return found === undefined || found === null ? null : cell(column.type, found, nowMs);
    },
  };
}

/** A value of another type than the column's is left out rather than shown wrongly. */
function cell(type: string, value: Json, nowMs: number): Json {
  switch (type) {
    case 'string':
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : null;
    case 'number':
      return typeof value === 'number' ? value : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? age(value, nowMs) : null;
    default:
      return null;
  }
}
