import {
  apiVersionOf,
  type KubeObject,
  type NewObject,
  type Resource,
} from '../../api/resource.ts';
import type { DeleteOptions, ObjectKey, Patch } from '../../ports/kube.ts';
import { collectionPath, nameOf, objectPath, withQuery } from './resource-path.ts';

/** One call of the API, before it is known how often it must be sent. */
export interface Call {
  /** Gerund and object, for messages: `creating nodeclaims web-1`. */
  readonly doing: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object | undefined;
  readonly contentType?: string | undefined;
  /** A refusal for the moment is the answer itself and not to be waited out: evictions. */
  readonly isRefusalFinal?: boolean | undefined;
  /** Not held back by the rate limit: whoever cannot renew a lease in time loses it. */
  readonly isUrgent?: boolean | undefined;
  /** Once aborted, nobody waits for the answer. */
  readonly signal?: AbortSignal | undefined;
}

const patchTypes: Readonly<Record<Patch['type'], string>> = {
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  json: 'application/json-patch+json',
  apply: 'application/apply-patch+yaml',
};

export function getCall<T extends KubeObject>(resource: Resource<T>, key: ObjectKey): Call {
  return {
    doing: `getting ${resource.plural} ${nameOf(key)}`,
    method: 'GET',
    path: objectPath(resource, key),
    isUrgent: isLease(resource),
  };
}

export function createCall<T extends KubeObject>(
  resource: Resource<T>,
  object: NewObject<T>,
): Call {
  const { name, generateName = '', namespace } = object.metadata;
  return {
    doing: `creating ${resource.plural} ${nameOf({ name: name ?? `${generateName}*`, namespace })}`,
    method: 'POST',
    path: collectionPath(resource, namespace),
    body: withType(resource, object),
    isUrgent: isLease(resource),
  };
}

export function updateCall<T extends KubeObject>(
  resource: Resource<T>,
  object: T,
  subresource: 'status' | 'finalize' | undefined,
): Call {
  return {
    doing: `updating ${resource.plural} ${nameOf(object.metadata)}`,
    method: 'PUT',
    path: objectPath(resource, object.metadata, subresource),
    body: withType(resource, object),
    isUrgent: isLease(resource),
  };
}

export function patchCall<T extends KubeObject>(
  resource: Resource<T>,
  key: ObjectKey,
  patch: Patch,
): Call {
  const isApply = patch.type === 'apply';
  const query = isApply
    ? { fieldManager: patch.fieldManager, force: patch.force === true ? 'true' : undefined }
    : {};
  return {
    doing: `${isApply ? 'applying' : 'patching'} ${resource.plural} ${nameOf(key)}`,
    method: 'PATCH',
    path: withQuery(objectPath(resource, key, patch.subresource), query),
    // An applied object must name its kind; a patch of any other type must not.
    body: isApply ? withType(resource, patch.body) : patch.body,
    contentType: patchTypes[patch.type],
    isUrgent: isLease(resource),
  };
}

export function deleteCall<T extends KubeObject>(
  resource: Resource<T>,
  key: ObjectKey,
  options: DeleteOptions | undefined,
): Call {
  return {
    doing: `deleting ${resource.plural} ${nameOf(key)}`,
    method: 'DELETE',
    path: objectPath(resource, key),
    body: deletion(options),
    isUrgent: isLease(resource),
  };
}

export function evictCall(
  pod: ObjectKey & { readonly namespace: string },
  options: DeleteOptions | undefined,
): Call {
  const { name, namespace } = pod;
  return {
    doing: `evicting pods ${nameOf(pod)}`,
    method: 'POST',
    path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(name)}/eviction`,
    body: {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name, namespace },
      ...(options === undefined ? {} : { deleteOptions: deletion(options) }),
    },
    isRefusalFinal: true,
  };
}

function deletion(options: DeleteOptions = {}): object {
  const { uid, resourceVersion, gracePeriodSeconds, propagation } = options;
  const hasPrecondition = uid !== undefined || resourceVersion !== undefined;
  return {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    ...(hasPrecondition ? { preconditions: { uid, resourceVersion } } : {}),
    gracePeriodSeconds,
    propagationPolicy: propagation,
  };
}

function withType<T extends KubeObject>(resource: Resource<T>, object: object): object {
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, ...object };
}

function isLease<T extends KubeObject>(resource: Resource<T>): boolean {
  return resource.group === 'coordination.k8s.io' && resource.plural === 'leases';
}
