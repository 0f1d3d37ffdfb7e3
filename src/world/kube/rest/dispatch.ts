import type { HttpResponse } from '../../../ports/http.ts';
import { getObject, type ServerState } from '../objects/state.ts';
import { methodNotAllowed, StatusError } from '../status/status.ts';
import { bindPod } from './binding.ts';
import { type Call, objectName } from './call.ts';
import { evictPod } from './eviction.ts';
import { finalizeNamespace } from './finalize.ts';
import { listObjects } from './list.ts';
import { patchObject } from './patch.ts';
import { json, plainText, withWarnings } from './respond.ts';
import { requestToken, reviewAccess } from './review.ts';
import { scaleObject } from './scale.ts';
import { type View, viewFor } from './view.ts';
import { watchObjects } from './watch.ts';
import { deleteMany, deleteOne, postObject, putObject } from './write.ts';

/** Hands a request to whoever answers it. Throws a `StatusError` for a refusal. */
export function dispatch(state: ServerState, call: Call): HttpResponse {
  const { deprecation } = call.kind;
  return withWarnings(answer(state, call), deprecation === undefined ? [] : [deprecation]);
}

function answer(state: ServerState, call: Call): HttpResponse {
  const view = viewFor(call.request, {
    query: call.query,
    nowMs: () => state.clock.nowMs(),
  });
  if (call.subresource !== '') return onSubresource(state, call, view);
  checkVerb(call);
  checkDefinition(state, call);
  return call.name === undefined ? onCollection(state, call, view) : onObject(state, call, view);
}

const verbs: Readonly<Record<string, readonly [collection: string, object: string]>> = {
  GET: ['list', 'get'],
  POST: ['create', ''],
  PUT: ['', 'update'],
  PATCH: ['', 'patch'],
  DELETE: ['deletecollection', 'delete'],
};

function checkVerb({ method, name, kind }: Call): void {
  const [collection, object] = verbs[method] ?? ['', ''];
  const verb = name === undefined ? collection : object;
  if (verb === '' || !kind.verbs.includes(verb)) throw methodNotAllowed();
}

/** Nothing new of a kind whose definition is on its way out. */
function checkDefinition(state: ServerState, { kind, method }: Call): void {
  if (!kind.isCustom || method !== 'POST') return;
  const storage = 'customresourcedefinitions.apiextensions.k8s.io';
  const definition = state.store.get(storage, kind.storage);
  if (definition?.metadata.deletionTimestamp === undefined) return;
  const text = 'create not allowed while custom resource definition is terminating';
  throw new StatusError(405, 'MethodNotAllowed', text, { group: kind.group, kind: kind.plural });
}

function onCollection(state: ServerState, call: Call, view: View): HttpResponse {
  switch (call.method) {
    case 'GET':
      return isWatch(call) ? watchObjects(state, call, view) : listObjects(state, call, view);
    case 'POST':
      if (call.kind.kind === 'Binding') return bindPod(state, call);
      if (call.kind.group === 'authorization.k8s.io') return reviewAccess(call);
      return postObject(state, call, view);
    default:
      return deleteMany(state, call, view);
  }
}

function isWatch({ query }: Call): boolean {
  const text = query.get('watch');
  return text === 'true' || text === '1';
}

function onObject(state: ServerState, call: Call, view: View): HttpResponse {
  switch (call.method) {
    case 'GET':
      if (isWatch(call)) return watchObjects(state, call, view);
      return json(200, view.one(call.kind, getObject(state, call.kind, objectName(call))));
    case 'PUT':
      return putObject(state, call, view);
    case 'PATCH':
      return patchObject(state, call, view);
    default:
      return deleteOne(state, call, view);
  }
}

type SubresourceHandler = (state: ServerState, call: Call, view: View) => HttpResponse;

const subresources: Readonly<Record<string, Readonly<Record<string, SubresourceHandler>>>> = {
  status: {
    GET: (state, call, view) =>
      json(200, view.one(call.kind, getObject(state, call.kind, objectName(call)))),
    PUT: putObject,
    PATCH: patchObject,
  },
  scale: { GET: scaleObject, PUT: scaleObject, PATCH: scaleObject },
  binding: { POST: bindPod },
  eviction: { POST: evictPod },
  finalize: { PUT: finalizeNamespace },
  token: { POST: requestToken },
  log: { GET: readLog },
};

function onSubresource(state: ServerState, call: Call, view: View): HttpResponse {
  const handler = subresources[call.subresource]?.[call.method];
  if (handler === undefined) throw methodNotAllowed();
  return handler(state, call, view);
}

function readLog(state: ServerState, call: Call): HttpResponse {
  const pod = getObject(state, call.kind, objectName(call));
  const name = `${pod.metadata.namespace}/${pod.metadata.name}`;
  return plainText(
    200,
    `pod ${name} has no log: the kubelets of this embedded cluster run no processes\n`,
  );
}
