import type { HttpResponse } from '../../../ports/http.ts';
import type { ApiObject } from '../json.ts';
import { defaulted } from '../objects/admit.ts';
import { keyOfObject, type ServerState, storeKey } from '../objects/state.ts';
import { objectName } from '../rest/call.ts';
import { dispatch } from '../rest/dispatch.ts';
import { viewFor } from '../rest/view.ts';
import { alreadyExists, staleVersion } from '../status/status.ts';
import { Store } from '../store/store.ts';
import type { VersionCall } from './convert-call.ts';

const mostAttempts = 5;

/**
 * Writes: the object is converted into a small store of its own, the request is carried out there
 * with the defaults and rules of its version, and what came of it is converted back and stored.
 * When somebody else has written meanwhile, all of it is done again.
 */
export async function convertedWrite(version: VersionCall): Promise<HttpResponse> {
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const response = await attempted(version);
    if (response !== undefined) return response;
  }
  throw staleVersion(version.call.kind, version.call.name ?? '');
}

async function attempted(version: VersionCall): Promise<HttpResponse | undefined> {
  const { state, call, stored, convert } = version;
  const { storage } = stored;
  const before =
    call.name === undefined ? undefined : state.store.get(storage, storeKey(objectName(call)));
  const [shown] = before === undefined ? [] : await convert([before], stored, call.kind);
  const scratch = scratchState(version, shown);
  const wasThere = onlyObject(scratch, storage);
  const response = dispatch(scratch, call);
  const after = onlyObject(scratch, storage);
  if (after === wasThere) return response;
  if (after === undefined) return removed(version, before) ? response : undefined;
  const [back] = await convert([after], call.kind, stored);
  if (back === undefined) return response;
  return store(version, { before, back: defaulted(stored, back), after, response });
}

interface Written {
  readonly before: ApiObject | undefined;
  readonly back: ApiObject;
  readonly after: ApiObject;
  readonly response: HttpResponse;
}

/** Undefined when the object is no longer what the change was made from. */
function store(version: VersionCall, written: Written): HttpResponse | undefined {
  const { state, call, stored } = version;
  const { before, back, after, response } = written;
  const key = keyOfObject(back);
  const present = state.store.get(stored.storage, key);
  if (call.name === undefined && present !== undefined) {
    throw alreadyExists(call.kind, back.metadata.name);
  }
  if (present !== before) return undefined;
  const { resourceVersion = '' } = state.store.put(stored.storage, key, back).metadata;
  const view = viewFor(call.request, { query: call.query, nowMs: () => state.clock.nowMs() });
  const object = { ...after, metadata: { ...after.metadata, resourceVersion } };
  return { ...response, body: view.one(call.kind, object) };
}

/** The last finalizer has gone, and the object with it. */
function removed({ state, stored }: VersionCall, before: ApiObject | undefined): boolean {
  if (before === undefined || state.store.get(stored.storage, keyOfObject(before)) !== before) {
    return false;
  }
  state.store.remove(stored.storage, keyOfObject(before));
  return true;
}

function onlyObject({ store: scratch }: ServerState, storage: string): ApiObject | undefined {
  const page = scratch.current(storage);
  return page.get(page.keys[0] ?? '');
}

const definitions = 'customresourcedefinitions.apiextensions.k8s.io';

/** A store with the object, its definition and its namespace: all that a write looks at. */
function scratchState(
  { state, call, stored }: VersionCall,
  shown: ApiObject | undefined,
): ServerState {
  const around = [
    [definitions, stored.storage] as const,
    ...(call.namespace === '' ? [] : [['namespaces', call.namespace] as const]),
  ].flatMap(([storage, key]) => {
    const object = state.store.get(storage, key);
    return object === undefined ? [] : [{ storage, key, object }];
  });
  // Revisions are counted so that the object gets the version back that it has.
  const revision = Number(shown?.metadata.resourceVersion ?? state.store.revision);
  const firstRevision = revision - around.length - 1;
  const scratch = new Store({ historyLength: 1, firstRevision });
  for (const { storage, key, object } of around) scratch.put(storage, key, object);
  if (shown !== undefined) scratch.put(stored.storage, keyOfObject(shown), shown);
  return { ...state, store: scratch };
}
