import { decodeResources } from '../../../api/decode/resources.ts';
import type { NodeClaim } from '../../../api/karpenter/node-claim.ts';
import type { InstanceType } from '../../../core/catalog/instance-type.ts';
import type { PlacementGroup } from '../placement/placement-groups.ts';
import type { Placement } from './launch-template-data.ts';

const efa = 'vpc.amazonaws.com/efa';
const enclaveSlots = 'eks.amazonaws.com/nip-slots';
const partitionLabel = 'karpenter.k8s.aws/placement-group-partition';

/** What a claim asks of its machine beside its size: parts that the launch template must switch on. */
export function specialWishes(claim: NodeClaim): {
  /** How many fabric adapters the template is to attach to such a machine: all it has, or none. */
  readonly efaCountOf: (type: InstanceType) => number;
  readonly isEnclave: boolean;
} {
  const { resources } = decodeResources(claim.spec.resources?.requests, 'claim');
  const wantsEfa = (resources[efa] ?? 0) > 0;
  return {
    efaCountOf: (type) => (wantsEfa ? (type.capacity[efa] ?? 0) : 0),
    isEnclave: (resources[enclaveSlots] ?? 0) > 0,
  };
}

/** Where in its placement group the machine goes: the first partition that the claim leaves open. */
export function placementOf(
  claim: NodeClaim,
  group: PlacementGroup | undefined,
): Placement | undefined {
  if (group === undefined) return undefined;
  const partitions = claim.spec.requirements
    .filter(({ key, operator }) => key === partitionLabel && operator === 'In')
    .flatMap(({ values = [] }) => values);
  const [first] = partitions.sort();
  const isPartitioned = group.partitionCount > 0 && first !== undefined;
  return { groupId: group.id, partition: isPartitioned ? Number(first) : undefined };
}
