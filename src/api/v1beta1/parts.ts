import { kubeletSettings } from '../karpenter/kubelet-settings.ts';
import { taintFields } from '../schema/karpenter-parts.ts';
import { described, object, optional, text } from '../schema/vocabulary.ts';

/**
 * Parts that pools and claims of v1beta1 have in common. Where v1 admits more than v1beta1 once
 * did (operators, label domains), v1beta1 admits it too: what can be read must be writable.
 */

const nodeClassRef = described(
  'The object that says how machines look on this cloud.',
  object({
    apiVersion: optional(described('Its API group and version.', text())),
    kind: optional(described('Its kind: `EC2NodeClass`.', text())),
    name: described('Its name.', text()),
  }),
);

export const machineFields = {
  ...taintFields,
  kubelet: optional(kubeletSettings),
  nodeClassRef,
};
