import { apiVersionOf } from '../../../api/resource.ts';
import { timestamp } from '../../../api/timestamp.ts';
import { stripped } from '../apply/apply.ts';
import { compareFields } from '../apply/fields-of.ts';
import {
  type Manager,
  readManagers,
  recordWrite,
  type Writer,
  writeManagers,
} from '../apply/managed-fields.ts';
import { type ApiObject, emptyObject, isEqual, type JsonObject } from '../json.ts';
import type { Kind } from '../kinds.ts';
import { shapeOf } from '../shape/shape-of.ts';
import { hasStatus, type ServerState, type WriteOptions } from './state.ts';

export function writerOf(
  kind: Kind,
  options: WriteOptions,
  operation: Writer['operation'],
): Writer {
  const { fieldManager, subresource } = options;
  return { name: fieldManager, operation, apiVersion: apiVersionOf(kind), subresource };
}

export interface OwnedWrite {
  readonly kind: Kind;
  readonly object: ApiObject;
  /** The object before admission: what that adds belongs to nobody. */
  readonly sent: ApiObject;
  readonly previous: ApiObject | undefined;
  readonly options: WriteOptions;
}

/** The object with `managedFields` after a plain create or update. */
export function withOwnership(state: ServerState, write: OwnedWrite): ApiObject {
  const { kind, object, sent, previous, options } = write;
  const before = tracked(kind, previous, options);
  const after = tracked(kind, sent, options);
  const { changed, removed } = compareFields(before, after, shapeOf(kind));
  const managers = recordWrite(currentManagers(object, previous), {
    writer: writerOf(kind, options, 'Update'),
    time: timestamp(state.clock.nowMs()),
    changed,
    removed,
  });
  return withManagers(object, managers);
}

export function withManagers(object: ApiObject, managers: readonly Manager[]): ApiObject {
  return {
    ...object,
    metadata: { ...object.metadata, managedFields: writeManagers(managers) },
  };
}

/** Clients that know nothing of `managedFields` leave them out; that must not lose them. */
function currentManagers(object: ApiObject, previous: ApiObject | undefined): readonly Manager[] {
  const given = object.metadata.managedFields ?? [];
  if (given.length === 1 && isEqual(given[0], emptyObject)) return [];
  return readManagers(given.length > 0 ? given : previous?.metadata.managedFields);
}

/** A write through the object itself owns no status, one through `status` nothing else. */
function tracked(
  kind: Kind,
  object: ApiObject | undefined,
  { subresource }: WriteOptions,
): JsonObject {
  if (object === undefined) return emptyObject;
  if (subresource === 'status') return object.status === undefined ? {} : { status: object.status };
  if (!hasStatus(kind)) return stripped(object);
  const { status: _status, ...rest } = object;
  return stripped(rest);
}
