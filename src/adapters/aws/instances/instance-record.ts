import type { Instance } from '@aws-sdk/client-ec2';
import type { CapacityType } from '../../../core/catalog/instance-type.ts';
import type { CloudInstance } from '../../../ports/cloud-provider.ts';
import { claimUidTag, tagRecord } from '../node-class/tags.ts';
import { providerIdOf } from './provider-id.ts';

/** Ours: names the group and the round of buying that brought the instance, `<group id>.<round>`. */
export const groupTag = 'karpenter.sh/launch-group';

export type InstanceState = CloudInstance['state'] | 'terminated';

/** An instance as EC2 describes it, terminated ones included. */
export interface InstanceRecord extends Omit<CloudInstance, 'state'> {
  readonly id: string;
  readonly state: InstanceState;
  readonly imageId: string;
  readonly subnetId: string;
  /** Those of its first interface. */
  readonly securityGroupIds: readonly string[];
  readonly tenancy: string;
  /** The capacity reservation that it was launched into. */
  readonly reservationId: string | undefined;
}

const states: readonly InstanceState[] = [
  'pending',
  'running',
  'stopping',
  'stopped',
  'shutting-down',
  'terminated',
];

export function instanceRecord(instance: Instance): InstanceRecord {
  const id = instance.InstanceId ?? '';
  const zone = instance.Placement?.AvailabilityZone ?? '';
  const tags = tagRecord(instance.Tags);
  return {
    id,
    providerId: providerIdOf(zone, id),
    instanceType: instance.InstanceType ?? '',
    zone,
    capacityType: capacityTypeOf(instance),
    state: states.find((state) => state === instance.State?.Name) ?? 'pending',
    launchedAtMs: instance.LaunchTime?.getTime() ?? 0,
    tags,
    claimUid: tags[claimUidTag] || undefined,
    launchGroup: tags[groupTag] || undefined,
    reservationId: instance.CapacityReservationId,
    imageId: instance.ImageId ?? '',
    subnetId: instance.SubnetId ?? '',
    securityGroupIds: (instance.SecurityGroups ?? []).map((group) => group.GroupId ?? ''),
    tenancy: instance.Placement?.Tenancy || 'default',
  };
}

/** A machine that slipped into an open reservation by chance was bought on demand, and stays so. */
function capacityTypeOf(instance: Instance): CapacityType {
  if (instance.SpotInstanceRequestId !== undefined || instance.InstanceLifecycle === 'spot')
    return 'spot';
  const wish = instance.CapacityReservationSpecification?.CapacityReservationPreference;
  const isReserved =
    instance.CapacityReservationId !== undefined && wish === 'capacity-reservations-only';
  return isReserved ? 'reserved' : 'on-demand';
}

/** What callers may see of it; undefined once it is terminated. */
export function cloudInstance(record: InstanceRecord): CloudInstance | undefined {
  const { providerId, instanceType, zone, capacityType, state, launchedAtMs } = record;
  const { tags, claimUid, launchGroup } = record;
  if (state === 'terminated') return undefined;
  return {
    providerId,
    instanceType,
    zone,
    capacityType,
    state,
    launchedAtMs,
    tags,
    claimUid,
    launchGroup,
  };
}

/** Whether the machine may still serve the claim it was bought for. */
export function isLive(record: InstanceRecord): boolean {
  return record.state !== 'shutting-down' && record.state !== 'terminated';
}
