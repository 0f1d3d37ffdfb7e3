import type { Shape } from '../../../api/shape/shape.ts';
import { compareText } from '../../../core/text-order.ts';
import { isEqual, isObject, type Json, type JsonObject, textAt } from '../json.ts';
import { StatusError } from '../status/status.ts';
import {
  differenceOf,
  type FieldSet,
  intersectionOf,
  isEmptySet,
  noFields,
  pathsOf,
  unionOf,
} from './field-set.ts';
import { compareFields, fieldsOf } from './fields-of.ts';
import { isSameWriter, type Manager, type Writer, writerText } from './managed-fields.ts';
import { mergeApplied, removeFields } from './merge.ts';

export interface Application {
  readonly live: JsonObject;
  readonly applied: JsonObject;
  readonly managers: readonly Manager[];
  readonly writer: Writer;
  readonly shape: Shape;
  readonly time: string;
  readonly onConflict: 'refuse' | 'force';
}

export interface Applied {
  readonly object: JsonObject;
  readonly managers: readonly Manager[];
}

/**
 * Server-side apply: sets what the configuration sets, removes what it set before and nobody
 * else owns, and refuses to change fields of others unless forced.
 */
export function applyConfiguration(application: Application): Applied {
  const { live, applied, managers, writer, shape, time } = application;
  const fields = fieldsOf(stripped(applied), shape);
  const own = managers.find((manager) => isSameWriter(manager, writer));
  const others = managers.filter((manager) => !isSameWriter(manager, writer));
  const owned = others.reduce<FieldSet>((set, other) => unionOf(set, other.fields), fields);
  const stale = differenceOf(own?.fields ?? noFields, owned);
  const merged = mergeApplied(live, applied, shape);
  const object = isEmptySet(stale)
    ? merged
    : (removeFields(merged, { fields: stale, kept: owned }, shape) ?? {});
  const { changed, removed } = compareFields(stripped(live), stripped(object as JsonObject), shape);
  const conflicts = conflictsWith(others, changed);
  if (conflicts.length > 0 && application.onConflict === 'refuse') {
    const isOurs = isLastApplied(application, conflicts);
    if (!isOurs) throw conflictError(conflicts);
  }
  const gone = unionOf(changed, removed);
  const left = others.map((other) => ({ ...other, fields: differenceOf(other.fields, gone) }));
  const isSame = own !== undefined && isEqual(own.fields as unknown as Json, asJson(fields));
  const isTouched = !isSame || !isEmptySet(gone);
  const next = { ...writer, fields, time: isTouched ? time : own?.time };
  return { object: object as JsonObject, managers: [...left, next] };
}

function asJson(fields: FieldSet): Json {
  return fields as unknown as Json;
}

const untracked = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
  'managedFields',
];

/** The object without the fields that belong to the server and therefore to nobody. */
export function stripped(object: JsonObject): JsonObject {
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...rest } = object;
  if (!isObject(metadata)) return rest;
  const kept = Object.entries(metadata).filter(([key]) => !untracked.includes(key));
  return kept.length === 0 ? rest : { ...rest, metadata: Object.fromEntries(kept) };
}

interface Conflict {
  readonly manager: Manager;
  readonly fields: FieldSet;
}

function conflictsWith(others: readonly Manager[], changed: FieldSet): readonly Conflict[] {
  return others
    .map((manager) => ({ manager, fields: intersectionOf(manager.fields, changed) }))
    .filter(({ fields }) => !isEmptySet(fields));
}

export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * People move from `kubectl apply` to `kubectl apply --server-side`: what their last client-side
 * apply had set is theirs already, so changing it is no conflict.
 */
function isLastApplied(application: Application, conflicts: readonly Conflict[]): boolean {
  if (application.writer.name !== 'kubectl') return false;
  const text = textAt(application.live, 'metadata', 'annotations', lastAppliedAnnotation);
  if (text === undefined) return false;
  const last = stripped(JSON.parse(text) as JsonObject);
  const ours = fieldsOf(last, application.shape);
  const live = stripped(application.live);
  const since = compareFields(live, mergeApplied(live, last, application.shape), application.shape);
  const allowed = differenceOf(ours, since.changed);
  return conflicts.every(({ fields }) => isEmptySet(differenceOf(fields, allowed)));
}

function conflictError(conflicts: readonly Conflict[]): StatusError {
  const found = conflicts
    .flatMap(({ manager, fields }) =>
      pathsOf(fields).map((path) => ({ who: writerText(manager), path })),
    )
    .sort((a, b) => compareText(a.who, b.who));
  const causes = found.map(({ who, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${who}`,
    field: path,
  }));
  return new StatusError(409, 'Conflict', conflictText(found), { causes });
}

function conflictText(found: readonly { readonly who: string; readonly path: string }[]): string {
  const [first] = found;
  if (found.length === 1 && first !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${first.who}: ${first.path}`;
  }
  const lines = [...new Set(found.map(({ who }) => who))].flatMap((who) => [
    `conflicts with ${who}:`,
    ...found.filter((one) => one.who === who).map((one) => `- ${one.path}`),
  ]);
  return `Apply failed with ${found.length} conflicts: ${lines.join('\n')}`;
}
