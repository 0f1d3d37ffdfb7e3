import type { Clock } from '../../../ports/clock.ts';
import type { Random } from '../../../ports/random.ts';
import type { ApiObject } from '../json.ts';
import type { Kind, KindRegistry } from '../kinds.ts';
import type { RuleWorld } from '../rules/rules.ts';
import { notFound } from '../status/status.ts';
import type { Expiry } from '../store/expiry.ts';
import type { Store } from '../store/store.ts';

/** Everything that one API server holds. */
export interface ServerState {
  readonly clock: Clock;
  readonly random: Random;
  readonly store: Store;
  readonly kinds: KindRegistry;
  /** What becomes of old events. */
  readonly eventExpiry: Expiry;
}

/** How a write is meant, whatever it writes. */
export interface WriteOptions {
  /** Answer as if, and change nothing. */
  readonly isDryRun: boolean;
  /** Who writes, for `managedFields`. */
  readonly fieldManager: string;
  /** Empty for the object itself. */
  readonly subresource: string;
}

/** Which object. The namespace is empty for cluster-scoped kinds. */
export interface ObjectName {
  readonly namespace: string;
  readonly name: string;
}

export function storeKey({ namespace, name }: ObjectName): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}

export function keyOfObject(object: ApiObject): string {
  return storeKey({ namespace: object.metadata.namespace ?? '', name: object.metadata.name });
}

/** The object, or a 404. */
export function getObject(state: ServerState, kind: Kind, name: ObjectName): ApiObject {
  const object = state.store.get(kind.storage, storeKey(name));
  if (object === undefined) throw notFound(kind, name.name);
  return object;
}

export function hasStatus(kind: Kind): boolean {
  return kind.subresources.some((subresource) => subresource.name === 'status');
}

export function ruleWorld({ clock, store }: ServerState): RuleWorld {
  return {
    nowMs: clock.nowMs(),
    get: (storage, key) => store.get(storage, key),
    list: (storage) => {
      const page = store.current(storage);
      return page.keys.map((key) => page.get(key)).filter((one) => one !== undefined);
    },
  };
}
