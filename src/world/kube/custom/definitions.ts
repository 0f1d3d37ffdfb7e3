import type { ApiObject } from '../json.ts';
import { deleteObject } from '../objects/delete.ts';
import type { ServerState } from '../objects/state.ts';
import { updateObject } from '../objects/update.ts';
import { cleanupFinalizer } from '../rules/definition.ts';
import { kindsOfDefinition } from './definition-kinds.ts';

const storage = 'customresourcedefinitions.apiextensions.k8s.io';

/**
 * Serves what CustomResourceDefinitions define, from the moment each is stored. A definition
 * on its way out takes its objects with it and goes when the last of them has gone.
 */
export function serveDefinitions(state: ServerState): void {
  const watched = new Set<string>();
  state.store.subscribe(storage, ({ type, object }) => {
    const { name } = object.metadata;
    removeKinds(state, object);
    if (type === 'DELETED') return;
    state.kinds.register(kindsOfDefinition(object));
    if (!watched.has(name)) {
      watched.add(name);
      state.store.subscribe(name, (change) => {
        if (change.type === 'DELETED') releaseIfEmpty(state, name);
      });
    }
    if (object.metadata.deletionTimestamp !== undefined) cleanUp(state, object);
  });
}

function removeKinds(state: ServerState, definition: ApiObject): void {
  const name = definition.metadata.name;
  const dot = name.indexOf('.');
  state.kinds.remove(name.slice(dot + 1), name.slice(0, dot));
}

function cleanUp(state: ServerState, definition: ApiObject): void {
  const [kind] = kindsOfDefinition(definition);
  const page = state.store.current(definition.metadata.name);
  const objects = page.keys.map((key) => page.get(key)).filter((one) => one !== undefined);
  for (const { metadata } of objects) {
    if (kind === undefined || metadata.deletionTimestamp !== undefined) continue;
    const name = { namespace: metadata.namespace ?? '', name: metadata.name };
    deleteObject(state, { kind, name, options: { isDryRun: false } });
  }
  releaseIfEmpty(state, definition.metadata.name);
}

function releaseIfEmpty(state: ServerState, name: string): void {
  const definition = state.store.get(storage, name);
  const isLeaving = definition?.metadata.deletionTimestamp !== undefined;
  const isHeld = definition?.metadata.finalizers?.includes(cleanupFinalizer) === true;
  if (!isLeaving || !isHeld || state.store.current(name).keys.length > 0) return;
  const kind = state.kinds.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
  if (kind === undefined) throw new Error('serving definitions: no kind customresourcedefinitions');
  updateObject(state, {
    kind,
    name: { namespace: '', name },
    options: { isDryRun: false, fieldManager: 'kube-apiserver', subresource: '' },
    change: (current) => {
      const { finalizers = [], ...metadata } = current.metadata;
      const left = finalizers.filter((one) => one !== cleanupFinalizer);
      return { ...current, metadata: { ...metadata, finalizers: left } };
    },
  });
}
