import { negotiate } from './discovery/accept.ts';
import { type JsonObject, objectAt } from './json.ts';
import type { Kind } from './kinds.ts';
import { builtInColumns } from './table/built-in.ts';
import { wordAt } from './table/cell-value.ts';
import type { ColumnRule } from './table/column.ts';
import { customColumns } from './table/printer-columns.ts';

export interface TableOptions {
  /** Ages are counted back from here. */
  readonly nowMs: number;
  /** The `includeObject` query parameter: what each row carries besides its cells. */
  readonly includeObject?: 'None' | 'Metadata' | 'Object' | undefined;
  /** The list's metadata; left out, it is the resource version of the only object. */
  readonly metadata?: object | undefined;
  /** `omit` for every watch event but the first of a stream: clients remember the columns. */
  readonly columns?: 'include' | 'omit' | undefined;
}

/** What `kubectl get` prints, computed by the server. */
export interface Table {
  readonly kind: 'Table';
  readonly apiVersion: 'meta.k8s.io/v1';
  readonly metadata: object;
  readonly columnDefinitions: readonly Column[] | null;
  readonly rows: readonly Row[];
}

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** Zero is always shown; anything above only with `-o wide`. */
  readonly priority: number;
}

export interface Row {
  readonly cells: readonly unknown[];
  readonly object: object | null;
}

/** True when a Table is the first thing in the client's Accept header that we can answer with. */
export function acceptsTable(accept: string | undefined): boolean {
  const table = { as: 'Table', group: 'meta.k8s.io', version: 'v1' };
  return negotiate(accept, [table]) === table;
}

/**
 * The table of these objects of one kind, with all columns; the client leaves out what is meant
 * for `-o wide`. Objects may be as stored, without `apiVersion` and `kind`.
 */
export function toTable(kind: Kind, objects: readonly JsonObject[], options: TableOptions): Table {
  const columns = columnsOf(kind);
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata: options.metadata ?? ownVersion(objects),
    columnDefinitions: options.columns === 'omit' ? null : columns.map(definition),
    rows: objects.map((object) => ({
      cells: columns.map((column) => column.cell(object, options.nowMs)),
      object: rowObject(kind, object, options.includeObject ?? 'Metadata'),
    })),
  };
}

const customCache = new WeakMap<Kind, readonly ColumnRule[]>();

function columnsOf(kind: Kind): readonly ColumnRule[] {
  if (!kind.isCustom) return builtInColumns(kind.group, kind.plural);
  const columns = customCache.get(kind) ?? customColumns(kind.printerColumns ?? []);
  customCache.set(kind, columns);
  return columns;
}

function definition({ name, type, format, description, priority }: ColumnRule): Column {
  return { name, type, format, description, priority };
}

function ownVersion(objects: readonly JsonObject[]): object {
  const [only] = objects;
  const resourceVersion = wordAt(only, 'metadata', 'resourceVersion');
  return objects.length === 1 && resourceVersion !== '' ? { resourceVersion } : {};
}

function rowObject(
  kind: Kind,
  object: JsonObject,
  include: 'None' | 'Metadata' | 'Object',
): object | null {
  switch (include) {
    case 'None':
      return null;
    case 'Object': {
      const apiVersion = kind.group === '' ? kind.version : `${kind.group}/${kind.version}`;
      return { kind: kind.kind, apiVersion, ...object };
    }
    case 'Metadata':
      return {
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.k8s.io/v1',
        metadata: objectAt(object, 'metadata'),
      };
  }
}
