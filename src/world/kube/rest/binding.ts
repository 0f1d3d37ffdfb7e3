import { timestamp } from '../../../api/timestamp.ts';
import type { HttpResponse } from '../../../ports/http.ts';
import { withCondition } from '../condition.ts';
import { readObject } from '../decode/body.ts';
import { type ApiObject, type JsonObject, listAt, objectAt, textAt } from '../json.ts';
import { getObject, keyOfObject, type ServerState } from '../objects/state.ts';
import { conflict, StatusError } from '../status/status.ts';
import { type Call, isDryRun } from './call.ts';
import { success } from './respond.ts';

/** Answers POST of a Binding: gives a pod without a node its node. */
export function bindPod(state: ServerState, call: Call): HttpResponse {
  const { value: binding } = readObject(call.request);
  const name = call.name ?? textAt(binding, 'metadata', 'name') ?? '';
  const node = targetOf(binding);
  const pods = state.kinds.find('', 'v1', 'pods');
  if (pods === undefined) throw new Error('binding a pod: no kind pods');
  const pod = getObject(state, pods, { namespace: call.namespace, name });
  checkBinding(pod, binding);
  if (!isDryRun(call.query))
    state.store.put('pods', keyOfObject(pod), bound(state, pod, { binding, node }));
  return success(201);
}

function targetOf(binding: JsonObject): string {
  const kind = textAt(binding, 'target', 'kind') ?? '';
  const node = textAt(binding, 'target', 'name') ?? '';
  // The real server answers these two as its own failures, and so do we.
  if (kind !== '' && kind !== 'Node') {
    throw new StatusError(
      500,
      '',
      `target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`,
    );
  }
  if (node === '') throw new StatusError(500, '', 'target.name: Required value');
  return node;
}

function checkBinding(pod: ApiObject, binding: JsonObject): void {
  const { name, uid, resourceVersion, deletionTimestamp } = pod.metadata;
  const refuse = (why: string): Error => conflict({ group: '', plural: 'pods/binding' }, name, why);
  const wantedUid = textAt(binding, 'metadata', 'uid');
  if (wantedUid !== undefined && wantedUid !== '' && wantedUid !== uid) {
    throw refuse(
      `Precondition failed: UID in precondition: ${wantedUid}, UID in object meta: ${uid}`,
    );
  }
  const version = textAt(binding, 'metadata', 'resourceVersion');
  if (version !== undefined && version !== '' && version !== resourceVersion) {
    throw refuse(
      `Precondition failed: ResourceVersion in precondition: ${version}, ResourceVersion in object meta: ${resourceVersion}`,
    );
  }
  if (deletionTimestamp !== undefined) {
    throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  }
  const node = textAt(pod, 'spec', 'nodeName') ?? '';
  if (node !== '') throw refuse(`pod ${name} is already assigned to node ${JSON.stringify(node)}`);
  if (listAt(pod, 'spec', 'schedulingGates').length > 0) {
    throw refuse(`pod ${name} has non-empty .spec.schedulingGates`);
  }
}

function bound(
  state: ServerState,
  pod: ApiObject,
  { binding, node }: { readonly binding: JsonObject; readonly node: string },
): ApiObject {
  const annotations = {
    ...pod.metadata.annotations,
    ...objectAt(binding, 'metadata', 'annotations'),
  };
  const scheduled = withCondition(pod, {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: timestamp(state.clock.nowMs()),
  });
  const { nominatedNodeName: _, ...status } = { ...objectAt(scheduled, 'status') };
  const hasAnnotations = Object.keys(annotations).length > 0;
  return {
    ...scheduled,
    metadata: {
      ...pod.metadata,
      ...(hasAnnotations ? { annotations: annotations as Record<string, string> } : {}),
    },
    spec: { ...objectAt(pod, 'spec'), nodeName: node },
    // Where it was expected no longer matters.
    status,
  };
}
