import { claimConditionList } from '../schema/condition-list.ts';
import { claimRequirements } from '../schema/requirement-list.ts';
import { described, object, optional, resourceList, ruled, text } from '../schema/vocabulary.ts';
import { machineFields } from './parts.ts';

const spec = ruled(
  object({
    requirements: claimRequirements(),
    ...machineFields,
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
  }),
  { rule: 'self == oldSelf', message: 'the spec of a NodeClaim cannot change' },
);

const status = object({
  nodeName: optional(described('The Node that the machine became.', text())),
  providerID: optional(described('The id of the machine, as its Node has it.', text())),
  imageID: optional(described('The image that the machine booted.', text())),
  capacity: optional(described('What the machine has.', resourceList())),
  allocatable: optional(described('What of it pods may use.', resourceList())),
  conditions: optional(claimConditionList()),
});

/** The NodeClaim of v1beta1. */
export const v1beta1NodeClaimSchema = { spec, status };
