import { resource } from '../kubernetes/core.ts';
import type { KubeObject, Resource } from '../resource.ts';
import {
  conditionList,
  durationOrNeverPattern,
  durationPattern,
  nodeClassRef,
  requirementList,
  taintList,
} from '../schema/karpenter-parts.ts';
import {
  dateTime,
  defaulted,
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
    requirements: requirementList(),
    taints: optional(taintList),
    startupTaints: optional(taintList),
    resources: optional(
      described(
        'What the pods this machine was ordered for ask.',
        object({ requests: optional(resourceList()) }),
      ),
    ),
    nodeClassRef,
    terminationGracePeriod: optional(
      described(
        'How long a drain may take before pods are removed by force.',
        text({ pattern: durationPattern }),
      ),
    ),
    expireAfter: optional(
      defaulted(
        '720h',
        described(
          'The age at which the machine is replaced.',
          text({ pattern: durationOrNeverPattern }),
        ),
      ),
    ),
  }),
  { rule: 'self == oldSelf', message: 'spec is immutable' },
);

const status = object({
  nodeName: optional(text()),
  providerID: optional(text()),
  imageID: optional(text()),
  capacity: optional(resourceList()),
  allocatable: optional(resourceList()),
  lastPodEventTime: optional(dateTime()),
  conditions: optional(conditionList('may-be-empty')),
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
