import { type ApiObject, isEqual, type JsonObject, type Metadata } from '../json.ts';
import type { Kind } from '../kinds.ts';
import { rulesOf } from '../rules/rules-of.ts';
import { conflict, invalidObject, staleVersion } from '../status/status.ts';
import { checkUpdate, defaulted } from './admit.ts';
import { withOwnership } from './field-ownership.ts';
import { isEmptied } from './namespace.ts';
import {
  getObject,
  hasStatus,
  keyOfObject,
  type ObjectName,
  ruleWorld,
  type ServerState,
  type WriteOptions,
} from './state.ts';

export interface Update {
  readonly kind: Kind;
  readonly name: ObjectName;
  readonly options: WriteOptions;
  /** Makes the new object of the current one; may throw to refuse. */
  change(current: ApiObject): ApiObject;
  /** Writes `managedFields`; server-side apply brings its own. */
  readonly managedBy?: typeof withOwnership;
  /** A PUT of some kinds must name the version it is based on; a patch need not. */
  readonly isPut?: boolean;
}

/**
 * Replaces an object by a changed one and returns what is stored now. A change that changes
 * nothing writes nothing. An object on its way out goes when its last finalizer does.
 */
export function updateObject(state: ServerState, update: Update): ApiObject {
  const { kind, options, managedBy = withOwnership } = update;
  const previous = getObject(state, kind, update.name);
  const wanted = update.change(previous);
  checkVersion(update, wanted, previous);
  const allowed = withinSubresource(update, withSystemFields(wanted, previous), previous);
  const filled = defaulted(kind, allowed);
  const finished = finishedBy(state, update, { object: filled, previous });
  checkUpdate(kind, { object: finished, previous, subresource: options.subresource });
  const owned = managedBy(state, {
    kind,
    object: withGeneration(kind, finished, previous),
    sent: filled,
    previous,
    options,
  });
  if (isSame(owned, previous)) return previous;
  return options.isDryRun ? owned : written(state, kind, owned);
}

function checkVersion(update: Update, wanted: ApiObject, previous: ApiObject): void {
  const { kind } = update;
  const { name, resourceVersion, uid } = wanted.metadata;
  if ((resourceVersion ?? '') === '') {
    if (update.isPut === true && rulesOf(kind).needsVersion === true) {
      const message = 'Invalid value: 0: must be specified for an update';
      const field = 'metadata.resourceVersion';
      // The real server finds this deep down, where only the plural is known.
      const subject = { group: kind.group, kind: kind.plural };
      throw invalidObject(subject, name, [{ type: 'FieldValueInvalid', field, message }]);
    }
  } else if (resourceVersion !== previous.metadata.resourceVersion) {
    throw staleVersion(kind, name);
  }
  const current = previous.metadata.uid;
  if (uid !== undefined && uid !== '' && uid !== current) {
    const key = `/registry/${kind.isCustom ? `${kind.group}/` : ''}${kind.plural}/${keyOfObject(previous)}`;
    const why = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in precondition: ${uid}, UID in object meta: ${current}`;
    throw conflict(kind, name, why);
  }
}

/** What the server set stays as it is, whether the client sent it back or not. */
function withSystemFields(wanted: ApiObject, previous: ApiObject): ApiObject {
  const {
    deletionTimestamp: _time,
    deletionGracePeriodSeconds: _grace,
    ...given
  } = wanted.metadata;
  const before = previous.metadata;
  const metadata: Metadata = {
    ...given,
    ...pick(before, ['uid', 'resourceVersion', 'generation', 'deletionTimestamp']),
    ...pick(before, ['deletionGracePeriodSeconds']),
    creationTimestamp: given.creationTimestamp ?? before.creationTimestamp ?? '',
    ...(before.generateName === undefined ? {} : { generateName: before.generateName }),
  };
  return { ...wanted, metadata };
}

function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  const found = keys.map((key) => [key, object[key]] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** The object's own path leaves the status alone, the status path everything else. */
function withinSubresource(update: Update, wanted: ApiObject, previous: ApiObject): ApiObject {
  const { kind, options } = update;
  if (options.subresource === 'status') {
    const { managedFields } = wanted.metadata;
    const metadata = { ...previous.metadata, ...(managedFields && { managedFields }) };
    return withStatusOf(wanted, { ...previous, metadata });
  }
  return hasStatus(kind) ? withStatusOf(previous, wanted) : wanted;
}

function withStatusOf(source: ApiObject, object: ApiObject): ApiObject {
  const { status: _status, ...rest } = object;
  return (source.status === undefined ? rest : { ...rest, status: source.status }) as ApiObject;
}

interface Step {
  readonly object: ApiObject;
  readonly previous: ApiObject;
}

function finishedBy(state: ServerState, { kind, options }: Update, step: Step): ApiObject {
  if (options.subresource !== '') return step.object;
  return rulesOf(kind).onUpdate?.(step.object, step.previous, ruleWorld(state)) ?? step.object;
}

/** Counts up when anything but metadata and status changed. */
function withGeneration(kind: Kind, object: ApiObject, previous: ApiObject): ApiObject {
  if (rulesOf(kind).hasGeneration !== true) return object;
  const { metadata: _m1, status: _s1, ...after } = object;
  const { metadata: _m2, status: _s2, ...before } = previous;
  const isStatusApart = hasStatus(kind) || !kind.isCustom;
  const isUnchanged =
    isEqual(after, before) && (isStatusApart || isEqual(object.status, previous.status));
  if (isUnchanged) return object;
  const generation = (previous.metadata.generation ?? 0) + 1;
  return { ...object, metadata: { ...object.metadata, generation } };
}

function isSame(object: ApiObject, previous: ApiObject): boolean {
  return isEqual(withoutTimes(object), withoutTimes(previous));
}

/** When a field was last written to the same value is not worth a new version. */
function withoutTimes(object: ApiObject): JsonObject {
  const managedFields = object.metadata.managedFields?.map(({ time: _time, ...entry }) => entry);
  return { ...object, metadata: { ...object.metadata, managedFields } };
}

/** Stores, or removes what only waited for its finalizers and then returns what was asked for. */
export function written(state: ServerState, kind: Kind, object: ApiObject): ApiObject {
  const key = keyOfObject(object);
  if (!isFinished(kind, object)) return state.store.put(kind.storage, key, object);
  state.store.remove(kind.storage, key);
  return object;
}

function isFinished(kind: Kind, object: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata;
  if (deletionTimestamp === undefined || (finalizers ?? []).length > 0) return false;
  if (kind.storage === 'namespaces') return isEmptied(object);
  return (deletionGracePeriodSeconds ?? 0) === 0;
}
