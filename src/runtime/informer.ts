import type { KubeObject, Resource } from '../api/resource.ts';
import type { Clock } from '../ports/clock.ts';
import type { KubeClient } from '../ports/kube.ts';
import type { Log } from '../ports/log.ts';
import type { Random } from '../ports/random.ts';
import { InformerCache } from './informer-cache.ts';
import { followServer, type InformerState } from './informer-loop.ts';
import type { Change } from './object-store.ts';
import { expectManyListeners } from './shared-signal.ts';

export interface InformerOptions<T extends KubeObject> {
  readonly client: KubeClient;
  readonly resource: Resource<T>;
  readonly clock: Clock;
  readonly log: Log;
  readonly random?: Random | undefined;
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /** Drops what nobody reads before an object is kept. Must keep the metadata. */
  readonly project?: ((object: T) => T) | undefined;
  /** Where the server forbids the list, it counts as empty: whoever waits for it goes on without. */
  readonly canDoWithout?: boolean | undefined;
}

/** A copy of the server's objects of one kind that keeps itself up to date. */
export interface Informer<T extends KubeObject> {
  readonly resource: Resource<T>;
  /** Lists, then watches, until the signal is aborted. Never gives up. Call it once. */
  start(signal: AbortSignal): void;
  /** Resolves after the first complete list, or without one; stays pending if that never comes. */
  readonly synced: Promise<void>;
  isSynced(): boolean;
  /** What it is doing at the moment. */
  state(): InformerState;
  /** By `name` or `namespace/name`. */
  get(key: string): T | undefined;
  /** All objects by key; the same array until something changes. */
  list(): readonly T[];
  addIndex(name: string, valuesOf: (object: T) => readonly string[]): void;
  /** The objects that the index files under the value, by key. */
  by(index: string, value: string): readonly T[];
  /** Calls back after each change, in order, until the returned function is called. */
  onChange(listener: (change: Change<T>) => void): () => void;
  /**
   * Takes in what the server answered to a write, so that the writer sees it at once. Whatever
   * is older than what the watch has told already is ignored.
   */
  apply(object: T): void;
}

export function createInformer<T extends KubeObject>(options: InformerOptions<T>): Informer<T> {
  const cache = new InformerCache<T>(options.log.with({ resource: options.resource.plural }));
  let state: InformerState = { kind: 'stopped' };
  let announce = (): void => {};
  let isSynced = false;
  const synced = new Promise<void>((resolve) => {
    announce = () => {
      isSynced = true;
      resolve();
    };
  });
  const enterState = (next: InformerState): void => {
    state = next;
  };

  return {
    resource: options.resource,
    start: (signal) => {
      expectManyListeners(signal);
      void followServer({ ...options, cache, onSynced: announce, enterState }, signal);
    },
    synced,
    isSynced: () => isSynced,
    state: () => state,
    get: (key) => cache.store.get(key),
    list: () => cache.store.list(),
    addIndex: (name, valuesOf) => cache.store.addIndex(name, valuesOf),
    by: (index, value) => cache.store.by(index, value),
    onChange: (listener) => cache.onChange(listener),
    apply: (object) => cache.apply(options.project?.(object) ?? object),
  };
}
