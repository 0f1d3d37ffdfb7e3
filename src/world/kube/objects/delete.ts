import { timestamp } from '../../../api/timestamp.ts';
import { type ApiObject, type JsonObject, numberAt, textAt } from '../json.ts';
import type { Kind } from '../kinds.ts';
import { cleanupFinalizer } from '../rules/definition.ts';
import { conflict, forbidden } from '../status/status.ts';
import { isEmptied, withPhase } from './namespace.ts';
import { getObject, keyOfObject, type ObjectName, type ServerState } from './state.ts';
import { written } from './update.ts';

export interface DeleteOptions {
  readonly isDryRun: boolean;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly gracePeriodSeconds?: number | undefined;
  readonly propagation?: 'Background' | 'Foreground' | 'Orphan' | undefined;
}

export interface Deletion {
  readonly object: ApiObject;
  /** False while the object waits for finalizers or for its kubelet. */
  readonly isGone: boolean;
}

/** Asks an object to go: at once, or marked and later. Repeating is harmless. */
export function deleteObject(
  state: ServerState,
  { kind, name, options }: { kind: Kind; name: ObjectName; options: DeleteOptions },
): Deletion {
  const object = getObject(state, kind, name);
  checkPreconditions(kind, object, options);
  checkProtected(kind, object);
  const finalizers = finalizersFor(kind, object, options);
  const grace = graceSeconds(kind, object, options);
  if (grace === 'pending') return { object, isGone: false };
  const isHeld =
    finalizers.length > 0 || grace > 0 || (kind.storage === 'namespaces' && !isEmptied(object));
  const marked = markedObject(state, kind, { object, finalizers, grace });
  if (!isHeld) return remove(state, kind, { object: marked, options });
  if (options.isDryRun) return { object: marked, isGone: false };
  if (isUnchanged(marked, object)) return { object, isGone: false };
  return { object: written(state, kind, marked), isGone: false };
}

function remove(
  state: ServerState,
  kind: Kind,
  { object, options }: { object: ApiObject; options: DeleteOptions },
): Deletion {
  if (options.isDryRun) return { object, isGone: true };
  // A pod is marked first even when nobody waits for it: watchers see both steps.
  if (kind.storage === 'pods') state.store.put(kind.storage, keyOfObject(object), object);
  return { object: state.store.remove(kind.storage, keyOfObject(object)) ?? object, isGone: true };
}

/** Throws a conflict when the options name another object, or another version of it. */
export function checkPreconditions(kind: Kind, object: ApiObject, options: DeleteOptions): void {
  // The real server names the kind here where it names the plural elsewhere.
  const resource = { group: kind.group, plural: kind.kind };
  const { name, uid, resourceVersion } = object.metadata;
  if (options.uid !== undefined && options.uid !== uid) {
    const why = `the UID in the precondition (${options.uid}) does not match the UID in record (${uid}). The object might have been deleted and then recreated`;
    throw conflict(resource, name, why);
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== resourceVersion) {
    const why = `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`;
    throw conflict(resource, name, why);
  }
}

function checkProtected(kind: Kind, object: ApiObject): void {
  const isOurs = ['default', 'kube-system', 'kube-public'].includes(object.metadata.name);
  if (kind.storage !== 'namespaces' || !isOurs) return;
  throw forbidden(kind, object.metadata.name, 'this namespace may not be deleted');
}

/** A definition waits for its objects from the moment that it is asked to go. */
function currentFinalizers(kind: Kind, { metadata }: ApiObject): readonly string[] {
  const current = metadata.finalizers ?? [];
  const isNew = metadata.deletionTimestamp === undefined;
  const isDefinition = kind.storage === 'customresourcedefinitions.apiextensions.k8s.io';
  return isDefinition && isNew ? [...new Set([...current, cleanupFinalizer])] : current;
}

/** Propagation is carried by finalizers, which the garbage collector works off. */
function finalizersFor(
  kind: Kind,
  object: ApiObject,
  { propagation }: DeleteOptions,
): readonly string[] {
  const current = currentFinalizers(kind, object);
  if (propagation === undefined) return current;
  const others = current.filter((one) => one !== 'orphan' && one !== 'foregroundDeletion');
  if (propagation === 'Orphan') return [...others, 'orphan'];
  return propagation === 'Foreground' ? [...others, 'foregroundDeletion'] : others;
}

/** How long the kubelet has to stop the pod; `pending` when that clock already runs as fast. */
function graceSeconds(
  kind: Kind,
  object: ApiObject,
  { gracePeriodSeconds }: DeleteOptions,
): number | 'pending' {
  if (kind.storage !== 'pods') return 0;
  const { deletionTimestamp, deletionGracePeriodSeconds: running = 0 } = object.metadata;
  const asked = gracePeriodSeconds === undefined ? undefined : positive(gracePeriodSeconds);
  if (deletionTimestamp !== undefined) {
    if (running === 0) return 0;
    return asked === undefined || asked >= running ? 'pending' : asked;
  }
  const phase = textAt(object, 'status', 'phase');
  const isBound = (textAt(object, 'spec', 'nodeName') ?? '') !== '';
  if (!isBound || phase === 'Failed' || phase === 'Succeeded') return 0;
  return asked ?? positive(numberAt(object, 'spec', 'terminationGracePeriodSeconds') ?? 30);
}

function positive(seconds: number): number {
  return seconds < 0 ? 1 : seconds;
}

interface Mark {
  readonly object: ApiObject;
  readonly finalizers: readonly string[];
  readonly grace: number;
}

function markedObject(state: ServerState, kind: Kind, mark: Mark): ApiObject {
  const { object, finalizers, grace } = mark;
  const before = object.metadata;
  const isFirst = before.deletionTimestamp === undefined;
  const { finalizers: _finalizers, ...others } = before;
  const metadata = {
    ...others,
    ...(finalizers.length === 0 ? {} : { finalizers }),
    ...(isFirst && before.generation !== undefined ? { generation: before.generation + 1 } : {}),
    deletionTimestamp: deletionTime(state, before, grace),
    ...(kind.storage === 'namespaces' ? {} : { deletionGracePeriodSeconds: grace }),
  };
  const marked = { ...object, metadata };
  return kind.storage === 'namespaces' ? withPhase(marked, 'Terminating') : marked;
}

/** The moment the grace ends; shortening it counts from when the deletion was first asked for. */
function deletionTime(state: ServerState, before: ApiObject['metadata'], grace: number): string {
  const nowMs = state.clock.nowMs();
  if (before.deletionTimestamp === undefined) return timestamp(nowMs + grace * 1000);
  if (before.deletionGracePeriodSeconds === grace) return before.deletionTimestamp;
  const startMs =
    Date.parse(before.deletionTimestamp) - (before.deletionGracePeriodSeconds ?? 0) * 1000;
  return timestamp(Math.max(nowMs, startMs + grace * 1000));
}

function isUnchanged(marked: ApiObject, object: ApiObject): boolean {
  const summary = (one: ApiObject): string =>
    JSON.stringify([
      one.metadata.deletionTimestamp,
      one.metadata.deletionGracePeriodSeconds,
      one.metadata.finalizers,
    ] satisfies readonly (JsonObject[string] | undefined)[]);
  return summary(marked) === summary(object);
}
