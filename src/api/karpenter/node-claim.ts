import type { RequirementTerm } from '../../core/requirements/requirements.ts';
import type { ResourceList, TaintObject } from '../kubernetes/core.ts';
import { resource } from '../kubernetes/core.ts';
import type { Condition, KubeObject, Resource } from '../resource.ts';

export interface NodeClassRef {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** `720h`, `30m`, or `Never`. */
export type DurationText = string;

export interface NodeClaimSpec {
  readonly requirements: readonly RequirementTerm[];
  readonly taints?: readonly TaintObject[];
  readonly startupTaints?: readonly TaintObject[];
  readonly resources?: { readonly requests?: ResourceList };
  readonly nodeClassRef: NodeClassRef;
  readonly terminationGracePeriod?: DurationText;
  readonly expireAfter?: DurationText;
}

export interface NodeClaimStatus {
  readonly nodeName?: string;
  readonly providerID?: string;
  readonly imageID?: string;
  readonly capacity?: ResourceList;
  readonly allocatable?: ResourceList;
  readonly conditions?: readonly Condition[];
  readonly lastPodEventTime?: string;
}

/** A request for one machine, and everything that became of it. Its spec never changes. */
export interface NodeClaim extends KubeObject {
  readonly spec: NodeClaimSpec;
  readonly status?: NodeClaimStatus;
}

export type NodeClaimConditionType =
  | 'Ready'
  | 'Launched'
  | 'Registered'
  | 'Initialized'
  | 'Consolidatable'
  | 'Drifted'
  | 'Drained'
  | 'VolumesDetached'
  | 'InstanceTerminating'
  | 'DisruptionReason';

export const nodeClaims: Resource<NodeClaim> = resource(
  'karpenter.sh/v1/nodeclaims',
  'NodeClaim',
  'cluster',
);
