import type { FieldOwner, ObjectMeta } from '../resource.ts';
import type { PodObject } from './core.ts';

/** The field manager of the nominations that we write, by which they are told from all others. */
export const nominationManager = 'karpenter-nomination';

const notOurs: readonly FieldOwner[] = [];

/** Where we expect the pod, as we wrote it on the pod itself; undefined where nobody or others did. */
export function expectedNodeOf(pod: PodObject): string | undefined {
  const name = pod.status?.nominatedNodeName;
  if (name === undefined || name === '') return undefined;
  return nominationOwners(pod.metadata).length > 0 ? name : undefined;
}

/**
 * Whether the kube-scheduler has promised the pod a node, as it does when it evicts others for it
 * or is about to bind it. What we wrote ourselves is a hint and no promise.
 */
export function isPromisedNode(pod: PodObject): boolean {
  return (pod.status?.nominatedNodeName ?? '') !== '' && expectedNodeOf(pod) === undefined;
}

/** The one entry of `managedFields` that says that the nomination is ours, if there is one. */
export function nominationOwners({ managedFields }: ObjectMeta): readonly FieldOwner[] {
  return managedFields?.filter(isOurs) ?? notOurs;
}

function isOurs({ manager, operation, subresource, fieldsV1 }: FieldOwner): boolean {
  if (manager !== nominationManager || operation !== 'Apply' || subresource !== 'status')
    return false;
  const { 'f:status': fields } = { 'f:status': undefined, ...fieldsV1 };
  return typeof fields === 'object' && fields !== null && 'f:nominatedNodeName' in fields;
}
