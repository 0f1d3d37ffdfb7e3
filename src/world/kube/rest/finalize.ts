import type { HttpResponse } from '../../../ports/http.ts';
import { readObject } from '../decode/body.ts';
import { decodeObject } from '../decode/object.ts';
import { objectAt, withValue } from '../json.ts';
import type { ServerState } from '../objects/state.ts';
import { updateObject } from '../objects/update.ts';
import { type Call, objectName, writeOptions } from './call.ts';
import { json } from './respond.ts';
import type { View } from './view.ts';

/** Answers PUT of `namespaces/x/finalize`: the one way to take finalizers off a namespace's spec. */
export function finalizeNamespace(state: ServerState, call: Call, view: View): HttpResponse {
  const { value } = readObject(call.request);
  const { object } = decodeObject(call.kind, value, { validation: 'Warn' });
  const { finalizers } = objectAt(object, 'spec');
  const namespace = updateObject(state, {
    kind: call.kind,
    name: objectName(call),
    options: writeOptions(call),
    change: (current) => ({
      ...current,
      metadata: { ...current.metadata, ...versionOf(object.metadata.resourceVersion) },
      spec: withValue(objectAt(current, 'spec'), ['finalizers'], finalizers),
    }),
  });
  return json(200, view.one(call.kind, namespace));
}

function versionOf(resourceVersion: string | undefined): { readonly resourceVersion?: string } {
  return resourceVersion === undefined ? {} : { resourceVersion };
}
