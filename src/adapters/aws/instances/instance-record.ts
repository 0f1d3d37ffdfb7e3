import type { Instance } from '@aws-sdk/client-ec2';
import type { CapacityType } from '../../../core/catalog/instance-type.ts';
import type { CloudInstance } from '../../../ports/cloud-provider.ts';
import { claimUidTag, tagRecord } from '../node-class/tags.ts';
import { providerIdOf } from './provider-id.ts';

export type InstanceState = CloudInstance['state'] | 'terminated';

/** An instance as EC2 describes it, terminated ones included. */
export interface InstanceRecord extends Omit<CloudInstance, 'state'> {
  readonly id: string;
  readonly state: InstanceState;
  readonly imageId: string;
  readonly subnetId: string;
  readonly tenancy: string;
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
  const isSpot =
    instance.SpotInstanceRequestId !== undefined || instance.InstanceLifecycle === 'spot';
  const capacityType: CapacityType = isSpot ? 'spot' : 'on-demand';
  return {
    id,
    providerId: providerIdOf(zone, id),
    instanceType: instance.InstanceType ?? '',
    zone,
    capacityType,
    state: states.find((state) => state === instance.State?.Name) ?? 'pending',
    launchedAtMs: instance.LaunchTime?.getTime() ?? 0,
    tags,
    claimUid: tags[claimUidTag] || undefined,
    imageId: instance.ImageId ?? '',
    subnetId: instance.SubnetId ?? '',
    tenancy: instance.Placement?.Tenancy || 'default',
  };
}

/** What callers may see of it; undefined once it is terminated. */
export function cloudInstance(record: InstanceRecord): CloudInstance | undefined {
  const { providerId, instanceType, zone, capacityType, state, launchedAtMs, tags, claimUid } =
    record;
  if (state === 'terminated') return undefined;
  return { providerId, instanceType, zone, capacityType, state, launchedAtMs, tags, claimUid };
}

/** Whether the machine may still serve the claim it was bought for. */
export function isLive(record: InstanceRecord): boolean {
  return record.state !== 'shutting-down' && record.state !== 'terminated';
}
