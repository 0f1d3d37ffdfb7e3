import type { HttpRequest, HttpResponse } from '../../../ports/http.ts';
import { readBody, readObject } from '../decode/body.ts';
import { type DecodedObject, decodeObject } from '../decode/object.ts';
import { type ApiObject, type Json, listAt, numberAt, textAt, valueAt } from '../json.ts';
import { createObject } from '../objects/create.ts';
import { type DeleteOptions, deleteObject } from '../objects/delete.ts';
import { type ServerState, storeKey } from '../objects/state.ts';
import { updateObject } from '../objects/update.ts';
import { unsupported } from '../status/field-error.ts';
import { badRequest, invalidObject, warning } from '../status/status.ts';
import { type Call, fieldValidation, isDryRun, objectName, writeOptions } from './call.ts';
import { selectedObjects } from './list.ts';
import { deleted, json } from './respond.ts';
import type { View } from './view.ts';

/** Answers POST to a collection. */
export function postObject(state: ServerState, call: Call, view: View): HttpResponse {
  const { object, warnings } = readSent(call);
  const options = writeOptions(call);
  const created = warning(warnings, () =>
    createObject(state, { kind: call.kind, object, options }),
  );
  return json(201, view.one(call.kind, created), warnings);
}

/** Kinds whose PUT makes what is not there yet. */
const createdByPut: readonly string[] = ['leases.coordination.k8s.io', 'events', 'endpoints'];

/** Answers PUT of an object or of its status. */
export function putObject(state: ServerState, call: Call, view: View): HttpResponse {
  const { object, warnings } = readSent(call);
  const given = object.metadata.name;
  if (given !== call.name) {
    throw badRequest(
      `the name of the object (${given}) does not match the name on the URL (${call.name})`,
    );
  }
  const { kind } = call;
  const options = writeOptions(call);
  const isThere = state.store.get(kind.storage, storeKey(objectName(call))) !== undefined;
  if (!isThere && createdByPut.includes(kind.storage)) {
    const created = warning(warnings, () => createObject(state, { kind, object, options }));
    return json(201, view.one(kind, created), warnings);
  }
  const change = (): ApiObject => object;
  const name = objectName(call);
  const updated = warning(warnings, () =>
    updateObject(state, { kind, name, options, change, isPut: true }),
  );
  return json(200, view.one(kind, updated), warnings);
}

/** The object in the body, in the namespace of the path. */
function readSent(call: Call): DecodedObject {
  const { value, text } = readObject(call.request);
  const validation = fieldValidation(call.query);
  // Finding fields given twice costs a second reading; only those who ask for it pay.
  const isAsked = call.query.has('fieldValidation');
  const decoded = decodeObject(call.kind, value, { validation, text: isAsked ? text : '' });
  const { namespace } = call;
  const given = decoded.object.metadata.namespace ?? '';
  if (given !== '' && given !== namespace && call.kind.isNamespaced) {
    throw badRequest(
      `the namespace of the provided object does not match the namespace sent on the request`,
    );
  }
  if (namespace === '') return decoded;
  const metadata = { ...decoded.object.metadata, namespace };
  return { ...decoded, object: { ...decoded.object, metadata } };
}

/** These answer with the object even when it is gone at once. */
const returnsObject: readonly string[] = [
  'pods',
  'services',
  'persistentvolumes',
  'persistentvolumeclaims',
  'serviceaccounts',
  'podtemplates',
  'resourcequotas',
];

/** Answers DELETE of one object. */
export function deleteOne(state: ServerState, call: Call, view: View): HttpResponse {
  const options = deleteOptions(call.request, call.query);
  const { kind } = call;
  const deletion = deleteObject(state, { kind, name: objectName(call), options });
  if (deletion.isGone && !returnsObject.includes(kind.storage)) {
    return deleted(kind, deletion.object);
  }
  return json(200, view.one(kind, deletion.object));
}

/** Answers DELETE of a collection with what it selected, as that was before. */
export function deleteMany(state: ServerState, call: Call, view: View): HttpResponse {
  const options = deleteOptions(call.request, call.query);
  const objects = selectedObjects(state, call);
  for (const { metadata } of objects) {
    const name = { namespace: metadata.namespace ?? '', name: metadata.name };
    deleteObject(state, { kind: call.kind, name, options });
  }
  const resourceVersion = String(state.store.revision);
  return json(200, view.list(call.kind, objects, { resourceVersion }));
}

function deleteOptions(request: HttpRequest, query: URLSearchParams): DeleteOptions {
  const body = readBody(request)?.value;
  const grace = query.get('gracePeriodSeconds');
  return {
    ...optionsOf(body),
    ...(grace === null || grace === '' ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(query.has('propagationPolicy')
      ? { propagation: propagationOf(query.get('propagationPolicy') ?? undefined) }
      : {}),
    isDryRun: isDryRun(query) || listAt(body, 'dryRun').includes('All'),
  };
}

/** Reads a `DeleteOptions` object; absent is the default of everything. */
export function optionsOf(body: Json | undefined): DeleteOptions {
  const isOrphaned = valueAt(body, 'orphanDependents');
  return {
    isDryRun: listAt(body, 'dryRun').includes('All'),
    uid: textAt(body, 'preconditions', 'uid'),
    resourceVersion: textAt(body, 'preconditions', 'resourceVersion'),
    gracePeriodSeconds: numberAt(body, 'gracePeriodSeconds'),
    propagation: isOrphaned === true ? 'Orphan' : propagationOf(textAt(body, 'propagationPolicy')),
  };
}

function propagationOf(text: string | undefined): DeleteOptions['propagation'] {
  if (text === undefined || text === '') return undefined;
  if (text === 'Background' || text === 'Foreground' || text === 'Orphan') return text;
  const error = unsupported('propagationPolicy', text, [
    'Foreground',
    'Background',
    'Orphan',
    'nil',
  ]);
  throw invalidObject({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [error]);
}
