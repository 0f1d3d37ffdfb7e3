import { type JsonObject, objectAt, textAt } from '../json.ts';
import { differenceOf, type FieldSet, isEmptySet, noFields, unionOf } from './field-set.ts';

/** One line of `metadata.managedFields`: who set which fields by which way of writing. */
export interface Manager {
  readonly name: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  /** Empty for the main resource. */
  readonly subresource: string;
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

export type Writer = Omit<Manager, 'fields' | 'time'>;

export function readManagers(entries: readonly JsonObject[] | undefined): readonly Manager[] {
  return (entries ?? []).map((entry) => ({
    name: textAt(entry, 'manager') ?? '',
    operation: entry.operation === 'Apply' ? 'Apply' : 'Update',
    apiVersion: textAt(entry, 'apiVersion') ?? '',
    subresource: textAt(entry, 'subresource') ?? '',
    time: textAt(entry, 'time'),
    fields: objectAt(entry, 'fieldsV1') as unknown as FieldSet,
  }));
}

/** In the order the real server writes them: by time, then appliers first, then by name. */
export function writeManagers(managers: readonly Manager[]): readonly JsonObject[] {
  return managers
    .filter((manager) => !isEmptySet(manager.fields))
    .toSorted(byOperationTimeAndName)
    .map((manager) => ({
      manager: manager.name,
      operation: manager.operation,
      apiVersion: manager.apiVersion,
      ...(manager.time === undefined ? {} : { time: manager.time }),
      fieldsType: 'FieldsV1',
      fieldsV1: manager.fields as unknown as JsonObject,
      ...(manager.subresource === '' ? {} : { subresource: manager.subresource }),
    }));
}

function byOperationTimeAndName(a: Manager, b: Manager): number {
  const order = (manager: Manager): string =>
    [manager.operation, manager.time ?? '', manager.name, manager.subresource].join('\n');
  return order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0;
}

/** Whether two lines are of the same writer; an applier is the same in every version. */
export function isSameWriter(a: Writer, b: Writer): boolean {
  return (
    a.name === b.name &&
    a.operation === b.operation &&
    a.subresource === b.subresource &&
    (a.operation === 'Apply' || a.apiVersion === b.apiVersion)
  );
}

/** A writer as conflict messages name it. */
export function writerText(writer: Writer): string {
  const name = JSON.stringify(writer.name);
  const who = writer.subresource === '' ? name : `${name} with subresource "${writer.subresource}"`;
  return writer.operation === 'Update' ? `${who} using ${writer.apiVersion}` : who;
}

export interface Write {
  readonly writer: Writer;
  readonly time: string;
  readonly changed: FieldSet;
  readonly removed: FieldSet;
}

/** After a plain write: changed fields go to the writer and leave all others. */
export function recordWrite(managers: readonly Manager[], write: Write): readonly Manager[] {
  const { writer, time, changed, removed } = write;
  const gone = unionOf(changed, removed);
  const others = managers
    .filter((manager) => !isSameWriter(manager, writer))
    .map((manager) => ({ ...manager, fields: differenceOf(manager.fields, gone) }));
  const own = managers.find((manager) => isSameWriter(manager, writer));
  const kept = differenceOf(own?.fields ?? noFields, removed);
  const fields = unionOf(kept, changed);
  const isTouched = own === undefined || !isEmptySet(changed) || !isEmptySet(removed);
  return [...others, { ...writer, fields, time: isTouched ? time : own.time }];
}
