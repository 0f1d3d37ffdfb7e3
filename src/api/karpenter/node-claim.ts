import { resource } from '../kubernetes/core.ts';
import type { KubeObject, Resource } from '../resource.ts';
import { claimConditionList } from '../schema/condition-list.ts';
import { lifetimeFields, nodeClassRef, taintFields } from '../schema/karpenter-parts.ts';
import { claimRequirements } from '../schema/requirement-list.ts';
import {
  dateTime,
  described,
  type Infer,
  object,
  optional,
  resourceList,
  ruled,
  text,
} from '../schema/vocabulary.ts';

const spec = ruled(
  object({
    requirements: claimRequirements(),
    ...taintFields,
    resources: optional(
      described(
        'How large the machine must be.',
        object({
          requests: optional(
            described('What the pods this machine was ordered for ask.', resourceList()),
          ),
        }),
      ),
    ),
    nodeClassRef,
    ...lifetimeFields,
  }),
  { rule: 'self == oldSelf', message: 'the spec of a NodeClaim cannot change' },
);

const status = object({
  nodeName: optional(described('The Node that the machine became.', text())),
  providerID: optional(described('The id of the machine, as its Node has it.', text())),
  imageID: optional(described('The image that the machine booted.', text())),
  capacity: optional(described('What the machine has.', resourceList())),
  allocatable: optional(described('What of it pods may use.', resourceList())),
  lastPodEventTime: optional(
    described('When a pod last came to the machine or left it.', dateTime()),
  ),
  conditions: optional(claimConditionList()),
});

export const nodeClaimSchema = { spec, status };

export type NodeClaimSpec = Infer<typeof spec>;
export type NodeClaimStatus = Infer<typeof status>;

/** A request for one machine, and everything that became of it. Its spec never changes. */
export interface NodeClaim extends KubeObject {
  readonly spec: NodeClaimSpec;
  readonly status?: NodeClaimStatus;
}

export const nodeClaims: Resource<NodeClaim> = resource(
  'karpenter.sh/v1/nodeclaims',
  'NodeClaim',
  'cluster',
);
