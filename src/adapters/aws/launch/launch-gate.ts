import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';
import { conditionOf } from '../../../api/resource.ts';
import { CloudError } from '../../../ports/cloud-provider.ts';
import { firstRestrictedTag } from '../node-class/tags.ts';

/** Rejects unless the class is ready as it is now: after an edit, launches wait until it was checked. */
export function checkReady(nodeClass: EC2NodeClass, doing: string): void {
  const { name, generation } = nodeClass.metadata;
  const ready = conditionOf(nodeClass, 'Ready');
  if (ready === undefined || ready.status === 'Unknown')
    throw notReady(
      'NodeClassReadinessUnknown',
      `${doing}: node class ${name} has not been checked yet`,
    );
  if (ready.status === 'False')
    throw notReady(
      'NodeClassNotReady',
      `${doing}: node class ${name} is not ready: ${ready.message ?? ready.reason ?? ''}`,
    );
  if (ready.observedGeneration !== undefined && ready.observedGeneration !== generation)
    throw notReady(
      'NodeClassNotReady',
      `${doing}: node class ${name} was edited and has not been checked since`,
    );
  const restricted = firstRestrictedTag(nodeClass.spec.tags);
  if (restricted !== undefined)
    throw notReady(
      'TagValidationFailed',
      `${doing}: node class ${name} may not set tag ${restricted}; remove it from spec.tags`,
    );
}

function notReady(reason: string, message: string): CloudError {
  return new CloudError('node-class-not-ready', reason, message);
}
