import type { KubeObject, OwnerReference, Resource } from '../../api/resource.ts';
import { apiVersionOf } from '../../api/resource.ts';

/** The reference of the one owner that manages the object, if it has one. */
export function controllerOf(object: KubeObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller === true);
}

/** What a managed object carries to name its owner. */
export function controllerReference(resource: Resource, owner: KubeObject): OwnerReference {
  return {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}
