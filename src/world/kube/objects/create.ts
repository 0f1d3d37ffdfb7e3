import { timestamp } from '../../../api/timestamp.ts';
import { nameSuffix, uuid } from '../../../ports/random.ts';
import type { ApiObject, Metadata } from '../json.ts';
import type { Kind } from '../kinds.ts';
import { rulesOf } from '../rules/rules-of.ts';
import { alreadyExists, StatusError } from '../status/status.ts';
import { checkNamespace, checkNew, defaulted } from './admit.ts';
import { withOwnership } from './field-ownership.ts';
import { hasStatus, keyOfObject, ruleWorld, type ServerState, type WriteOptions } from './state.ts';

/** Adds a new object: defaults, checks, stores. Throws a `StatusError` when it may not be. */
export function createObject(
  state: ServerState,
  { kind, object, options, managedBy = withOwnership }: Creation,
): ApiObject {
  if ((object.metadata.resourceVersion ?? '') !== '') {
    const text = 'resourceVersion should not be set on objects to be created';
    throw new StatusError(500, '', text);
  }
  const named = { ...withoutStatus(kind, object), metadata: newMetadata(state, kind, object) };
  checkNamespace(state, kind, named);
  const rules = rulesOf(kind);
  const world = ruleWorld(state);
  const filled = defaulted(kind, named);
  const finished = rules.onCreate?.(filled, world) ?? filled;
  checkNew(kind, finished);
  if (state.store.get(kind.storage, keyOfObject(finished)) !== undefined) {
    throw alreadyExists(kind, finished.metadata.name);
  }
  const owned = managedBy(state, {
    kind,
    object: finished,
    sent: filled,
    previous: undefined,
    options,
  });
  if (options.isDryRun) return owned;
  return state.store.put(kind.storage, keyOfObject(owned), owned);
}

export interface Creation {
  readonly kind: Kind;
  readonly object: ApiObject;
  readonly options: WriteOptions;
  /** Writes `managedFields`; server-side apply brings its own. */
  readonly managedBy?: typeof withOwnership;
}

/** Nodes bring their status along; everybody else gets it from those who look after them. */
function withoutStatus(kind: Kind, object: ApiObject): ApiObject {
  if (!hasStatus(kind) || kind.storage === 'nodes') return object;
  const { status: _status, ...rest } = object;
  return (kind.isCustom ? rest : { ...rest, status: {} }) as ApiObject;
}

function newMetadata(state: ServerState, kind: Kind, object: ApiObject): Metadata {
  const {
    resourceVersion: _version,
    generation: _generation,
    deletionTimestamp: _deletion,
    deletionGracePeriodSeconds: _grace,
    selfLink: _link,
    ...given
  } = object.metadata;
  return {
    ...given,
    name: given.name || generatedName(state, kind, object),
    uid: uuid(state.random),
    creationTimestamp: timestamp(state.clock.nowMs()),
    ...(rulesOf(kind).hasGeneration === true ? { generation: 1 } : {}),
  };
}

const longestPrefix = 58;

/** Tries again when the name is taken, a few times. */
function generatedName(state: ServerState, kind: Kind, object: ApiObject): string {
  const prefix = (object.metadata.generateName ?? '').slice(0, longestPrefix);
  if (prefix === '') return '';
  const { namespace } = object.metadata;
  let name = '';
  for (let attempt = 0; attempt < 8; attempt++) {
    name = prefix + nameSuffix(state.random);
    const key = namespace === undefined ? name : `${namespace}/${name}`;
    if (state.store.get(kind.storage, key) === undefined) break;
  }
  return name;
}
