import { apiVersionOf } from '../../../api/resource.ts';
import { timestamp } from '../../../api/timestamp.ts';
import type { HttpResponse } from '../../../ports/http.ts';
import { applyConfiguration, lastAppliedAnnotation } from '../apply/apply.ts';
import { type Manager, readManagers } from '../apply/managed-fields.ts';
import { decodeObject } from '../decode/object.ts';
import {
  type ApiObject,
  isObject,
  type Json,
  type JsonObject,
  textAt,
  withValue,
} from '../json.ts';
import type { Kind } from '../kinds.ts';
import { createObject } from '../objects/create.ts';
import { withManagers, writerOf } from '../objects/field-ownership.ts';
import { hasStatus, type ServerState, storeKey, type WriteOptions } from '../objects/state.ts';
import { updateObject } from '../objects/update.ts';
import { shapeOf } from '../shape/shape-of.ts';
import { required } from '../status/field-error.ts';
import {
  badRequest,
  invalidObject,
  notFound,
  StatusError,
  staleVersion,
} from '../status/status.ts';
import { type Call, objectName, writeOptions } from './call.ts';
import { json } from './respond.ts';
import type { View } from './view.ts';

/** Answers server-side apply: creates what is missing, changes what is there. */
export function applyObject(
  state: ServerState,
  call: Call,
  { view, body }: { readonly view: View; readonly body: Json },
): HttpResponse {
  const options = applyOptions(call);
  const configuration = readConfiguration(call, body);
  const name = objectName(call);
  const existing = state.store.get(call.kind.storage, storeKey(name));
  const applying = { call, configuration, options, body: body as JsonObject };
  if (existing !== undefined) {
    const object = updateApplied(state, applying);
    return json(200, view.one(call.kind, object));
  }
  if (call.subresource !== '') throw notFound(call.kind, name.name);
  if (configuration.metadata.resourceVersion !== undefined)
    throw staleVersion(call.kind, name.name);
  return json(201, view.one(call.kind, createApplied(state, applying)));
}

interface Applying {
  readonly call: Call;
  readonly configuration: ApiObject;
  readonly options: WriteOptions;
  readonly body: JsonObject;
}

function applyOptions(call: Call): WriteOptions {
  if ((call.query.get('fieldManager') ?? '') === '') {
    const error = required('fieldManager', 'is required for apply patch');
    throw invalidObject({ group: 'meta.k8s.io', kind: 'PatchOptions' }, '', [error]);
  }
  return writeOptions(call);
}

function readConfiguration(call: Call, body: Json): ApiObject {
  const { kind, name, namespace } = call;
  if (!isObject(body)) throw badRequest('the body of an apply patch must be an object');
  const version = textAt(body, 'apiVersion') ?? '';
  if (version !== apiVersionOf(kind)) {
    throw badRequest(
      `Incorrect version specified in apply patch. Specified patch version: ${version}, expected: ${apiVersionOf(kind)}`,
    );
  }
  const { object, warnings } = decodeObject(kind, body, { validation: 'Warn' });
  if (warnings.length > 0) throw undeclared(call, object, warnings);
  if (object.metadata.managedFields !== undefined) {
    throw badRequest('metadata.managedFields must be nil');
  }
  if (object.metadata.name !== '' && object.metadata.name !== name) {
    throw badRequest(
      `the name of the object (${object.metadata.name}) does not match the name on the URL (${name})`,
    );
  }
  const metadata = {
    ...object.metadata,
    name: name ?? '',
    ...(namespace === '' ? {} : { namespace }),
  };
  return withoutReset(kind, { ...object, metadata }, call.subresource);
}

/** Apply owns what it sets, so a field that is not there cannot merely be warned about. */
function undeclared(
  { kind, name }: Call,
  { metadata }: ApiObject,
  warnings: readonly string[],
): StatusError {
  const paths = warnings.map((warning) => `.${/"(.*)"/.exec(warning)?.[1] ?? ''}`);
  const list = paths.map((path) => `${path}: field not declared in schema`).join('\n');
  const which = `${metadata.namespace ?? ''}/${name}; ${apiVersionOf(kind)}, Kind=${kind.kind}`;
  return new StatusError(500, '', `failed to create typed patch object (${which}): ${list}`);
}

/** What the path does not write is not applied either. */
function withoutReset(kind: Kind, object: ApiObject, subresource: string): ApiObject {
  if (subresource === 'status') {
    const { metadata, status } = object;
    return status === undefined ? { metadata } : { metadata, status };
  }
  if (!hasStatus(kind)) return object;
  const { status: _status, ...rest } = object;
  return rest as ApiObject;
}

function createApplied(state: ServerState, applying: Applying): ApiObject {
  const { call, configuration, options } = applying;
  const { managers } = merged(state, applying, { metadata: { name: '' } });
  return createObject(state, {
    kind: call.kind,
    object: configuration,
    options,
    managedBy: (_state, { object }) => withManagers(object, managers),
  });
}

function updateApplied(state: ServerState, applying: Applying): ApiObject {
  let managers: readonly Manager[] = [];
  return updateObject(state, {
    kind: applying.call.kind,
    name: objectName(applying.call),
    options: applying.options,
    change: (current) => {
      const applied = merged(state, applying, current);
      managers = applied.managers;
      return withLastApplied(applied.object, applying);
    },
    managedBy: (_state, { object }) => withManagers(object, managers),
  });
}

function merged(
  state: ServerState,
  { call, configuration, options }: Applying,
  live: ApiObject,
): { readonly object: ApiObject; readonly managers: readonly Manager[] } {
  const { resourceVersion } = configuration.metadata;
  if (resourceVersion !== undefined && resourceVersion !== live.metadata.resourceVersion) {
    throw staleVersion(call.kind, configuration.metadata.name);
  }
  const { object, managers } = applyConfiguration({
    live,
    applied: configuration,
    managers: readManagers(live.metadata.managedFields),
    writer: writerOf(call.kind, options, 'Apply'),
    shape: shapeOf(call.kind),
    time: timestamp(state.clock.nowMs()),
    onConflict: call.query.get('force') === 'true' ? 'force' : 'refuse',
  });
  return { object: object as ApiObject, managers };
}

/** A client-side `kubectl apply` of tomorrow compares with what was applied today. */
function withLastApplied(object: ApiObject, { options, body }: Applying): ApiObject {
  const annotation = object.metadata.annotations?.[lastAppliedAnnotation];
  if (options.fieldManager !== 'kubectl' || annotation === undefined) return object;
  const path = ['metadata', 'annotations', lastAppliedAnnotation];
  return withValue(object, path, `${JSON.stringify(body)}\n`);
}
