import type { EC2NodeClass } from '../../api/karpenter/ec2-node-class.ts';
import type { NodeClaim } from '../../api/karpenter/node-claim.ts';
import { annotations, labels } from '../../core/requirements/well-known.ts';
import type { DriftReason } from '../../ports/cloud-provider.ts';
import type { InstanceRecord } from './instances/instance-record.ts';
import type { Instances } from './instances/instances.ts';
import type { PlacementGroups } from './placement/placement-groups.ts';
import type { InstanceTypes } from './types/instance-types.ts';
import { imageFor } from './types/resolved-type.ts';

interface DriftParts {
  readonly instances: Instances;
  readonly instanceTypes: InstanceTypes;
  readonly placementGroups: PlacementGroups;
}

/**
 * The first way in which the machine differs from what its class would launch now; undefined when
 * there is none, or when it cannot be told: a class that is not resolved, a machine that is gone.
 */
export async function findDrift(
  parts: DriftParts,
  claim: NodeClaim,
  nodeClass: EC2NodeClass,
): Promise<DriftReason | undefined> {
  if (hasOtherHash(claim, nodeClass)) return 'NodeClassDrift';
  const { status } = nodeClass;
  if (!status?.amis?.length || !status.securityGroups?.length || !status.subnets?.length)
    return undefined;
  if (await hasOtherImage(parts, claim, nodeClass)) return 'AMIDrift';
  const ofMachine = await driftOfMachine(parts.instances, claim, nodeClass);
  if (ofMachine !== 'none') return ofMachine;
  return (await hasOtherPlacement(parts, claim, nodeClass)) ? 'PlacementGroupDrift' : undefined;
}

/**
 * What was listed of late will do where it says that all is well: asking for each machine anew would
 * take thousands of calls an hour. A machine is called drifted on EC2's present word alone. Undefined
 * for one that EC2 does not know.
 */
async function driftOfMachine(
  instances: Instances,
  claim: NodeClaim,
  nodeClass: EC2NodeClass,
): Promise<DriftReason | 'none' | undefined> {
  const providerId = claim.status?.providerID ?? '';
  const listed = instances.listed(providerId);
  if (listed !== undefined && compare(listed, nodeClass) === 'none') return 'none';
  const record = await instances.record(providerId);
  return record === undefined ? undefined : compare(record, nodeClass);
}

function compare(record: InstanceRecord, nodeClass: EC2NodeClass): DriftReason | 'none' {
  if (hasOtherGroups(record, nodeClass)) return 'SecurityGroupDrift';
  const subnets = nodeClass.status?.subnets ?? [];
  if (!subnets.some(({ id }) => id === record.subnetId)) return 'SubnetDrift';
  return hasLostReservation(record, nodeClass) ? 'CapacityReservationDrift' : 'none';
}

/** Compared only where both sides speak of the same version of the hash. */
function hasOtherHash(claim: NodeClaim, nodeClass: EC2NodeClass): boolean {
  const [of, at] = [claim.metadata.annotations ?? {}, nodeClass.metadata.annotations ?? {}];
  const hashes = [of[annotations.nodeClassHash], at[annotations.nodeClassHash]];
  const versions = [of[annotations.nodeClassHashVersion], at[annotations.nodeClassHashVersion]];
  if ([...hashes, ...versions].includes(undefined) || versions[0] !== versions[1]) return false;
  return hashes[0] !== hashes[1];
}

async function hasOtherImage(
  { instanceTypes }: DriftParts,
  claim: NodeClaim,
  nodeClass: EC2NodeClass,
): Promise<boolean> {
  const name = claim.metadata.labels?.[labels.instanceType];
  const imageId = claim.status?.imageID;
  if (imageId === undefined || imageId === '') return false;
  const type = (await instanceTypes.list(nodeClass)).find((one) => one.name === name);
  if (type === undefined) return false;
  return imageFor(type, nodeClass.status?.amis)?.id !== imageId;
}

function hasOtherGroups(record: InstanceRecord, { status }: EC2NodeClass): boolean {
  const wanted = (status?.securityGroups ?? []).map(({ id }) => id).sort();
  return [...record.securityGroupIds].sort().join() !== wanted.join();
}

function hasLostReservation(record: InstanceRecord, { status }: EC2NodeClass): boolean {
  if (record.capacityType !== 'reserved' || record.reservationId === undefined) return false;
  const known = status?.capacityReservations ?? [];
  return !known.some(({ id }) => id === record.reservationId);
}

async function hasOtherPlacement(
  { placementGroups }: DriftParts,
  claim: NodeClaim,
  nodeClass: EC2NodeClass,
): Promise<boolean> {
  const wanted = (await placementGroups.find(nodeClass))?.id ?? '';
  return (claim.metadata.labels?.['karpenter.k8s.aws/placement-group-id'] ?? '') !== wanted;
}
