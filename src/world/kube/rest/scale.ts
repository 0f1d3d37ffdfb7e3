import { builtInShape } from '../../../api/shape/built-in.ts';
import type { HttpResponse } from '../../../ports/http.ts';
import { readObject } from '../decode/body.ts';
import {
  type ApiObject,
  isObject,
  type JsonObject,
  numberAt,
  objectAt,
  textAt,
  valueAt,
  withValue,
} from '../json.ts';
import type { Kind } from '../kinds.ts';
import { getObject, type ServerState } from '../objects/state.ts';
import { updateObject } from '../objects/update.ts';
import { selectorText } from '../selector/selector-text.ts';
import { invalid } from '../status/field-error.ts';
import {
  badRequest,
  internalError,
  invalidObject,
  methodNotAllowed,
  staleVersion,
} from '../status/status.ts';
import { type Call, objectName, writeOptions } from './call.ts';
import { readPatch } from './patch.ts';
import { json } from './respond.ts';

/** Answers GET, PUT and PATCH of the `scale` subresource. */
export function scaleObject(state: ServerState, call: Call): HttpResponse {
  const { kind } = call;
  if (call.method === 'GET') {
    return readScale(kind, getObject(state, kind, objectName(call)));
  }
  const read = scaleReader(call);
  const object = updateObject(state, {
    kind,
    name: objectName(call),
    options: writeOptions(call),
    change: (current) => scaled(kind, current, read(scaleOf(kind, current))),
  });
  return json(200, JSON.stringify(scaleOf(kind, object)));
}

function readScale(kind: Kind, object: ApiObject): HttpResponse {
  const { replicas } = pathsOf(kind);
  if (kind.isCustom && valueAt(object, ...replicas) === undefined) {
    throw internalError(`the spec replicas field ".${replicas.join('.')}" does not exist`);
  }
  return json(200, JSON.stringify(scaleOf(kind, object)));
}

function scaleReader(call: Call): (current: JsonObject) => JsonObject {
  if (call.method === 'PUT') {
    const { value } = readObject(call.request);
    return () => value;
  }
  if (call.method !== 'PATCH') throw methodNotAllowed();
  const patch = readPatch(call.request, call.kind);
  return (current) => {
    const patched = patch(current, builtInShape('Scale'));
    if (!isObject(patched)) throw badRequest('the patched value is no object');
    return patched;
  };
}

function scaled(kind: Kind, current: ApiObject, scale: JsonObject): ApiObject {
  const replicas = numberAt(scale, 'spec', 'replicas') ?? 0;
  const { name } = current.metadata;
  if (replicas < 0) {
    const error = invalid('spec.replicas', replicas, 'must be greater than or equal to 0');
    throw invalidObject({ group: 'autoscaling', kind: 'Scale' }, name, [error]);
  }
  const version = textAt(scale, 'metadata', 'resourceVersion') ?? '';
  if (version !== '' && version !== current.metadata.resourceVersion) {
    throw staleVersion(kind, name);
  }
  return withValue(current, pathsOf(kind).replicas, replicas);
}

interface Paths {
  readonly replicas: readonly string[];
  readonly current: readonly string[];
}

function pathsOf({ scale }: Kind): Paths {
  const split = (path: string): readonly string[] => path.split('.').filter((part) => part !== '');
  return {
    replicas: split(scale?.specReplicasPath ?? '.spec.replicas'),
    current: split(scale?.statusReplicasPath ?? '.status.replicas'),
  };
}

function scaleOf(kind: Kind, object: ApiObject): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const paths = pathsOf(kind);
  const replicas = valueAt(object, ...paths.replicas);
  const selector = selectorOf(kind, object);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid,
      resourceVersion,
      creationTimestamp,
    },
    spec: { replicas: replicas ?? 0 },
    status: {
      replicas: valueAt(object, ...paths.current) ?? 0,
      ...(selector === '' ? {} : { selector }),
    },
  };
}

function selectorOf(kind: Kind, object: ApiObject): string {
  if (kind.isCustom) {
    const path = kind.scale?.labelSelectorPath?.split('.').filter((part) => part !== '') ?? [];
    return path.length === 0 ? '' : (textAt(object, ...path) ?? '');
  }
  const selector = objectAt(object, 'spec', 'selector');
  const isPlain = kind.storage === 'replicationcontrollers';
  return selectorText(isPlain ? { matchLabels: selector } : selector);
}
