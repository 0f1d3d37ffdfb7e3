import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';
import type { InstanceType } from '../../../core/catalog/instance-type.ts';
import { annotations, labels } from '../../../core/requirements/well-known.ts';
import type { LaunchedInstance } from '../../../ports/cloud-provider.ts';
import type { InstanceRecord } from '../instances/instance-record.ts';

/** What the claim is told about the machine it got. */
export function launchedInstance(options: {
  readonly record: InstanceRecord;
  readonly nodeClass: EC2NodeClass;
  readonly type: InstanceType | undefined;
}): LaunchedInstance {
  const { record, nodeClass, type } = options;
  const subnet = nodeClass.status?.subnets?.find((one) => one.zone === record.zone);
  const pool = record.tags[labels.nodePool];
  const offering = type?.offerings.find(
    (one) => one.zone === record.zone && one.capacityType === record.capacityType,
  );
  return {
    providerId: record.providerId,
    imageId: record.imageId,
    labels: {
      ...(type === undefined ? {} : settledLabels(type)),
      [labels.instanceType]: record.instanceType,
      [labels.zone]: record.zone,
      ...(subnet?.zoneID === undefined ? {} : { [labels.zoneId]: subnet.zoneID }),
      [labels.capacityType]: record.capacityType,
      'karpenter.k8s.aws/instance-tenancy': record.tenancy,
      ...reservationLabels(record, nodeClass),
      ...(pool === undefined ? {} : { [labels.nodePool]: pool }),
    },
    annotations: launchAnnotations(nodeClass),
    capacity: type?.capacity ?? {},
    allocatable: type?.allocatable ?? {},
    instanceType: record.instanceType,
    zone: record.zone,
    capacityType: record.capacityType,
    priceUsdPerHour: offering?.priceUsdPerHour,
  };
}

const reservationPrefix = 'karpenter.k8s.aws/capacity-reservation-';

/** Only a machine that is in a reservation says so, whatever its type could have been bought from. */
function reservationLabels(
  { capacityType, reservationId }: InstanceRecord,
  nodeClass: EC2NodeClass,
): Record<string, string> {
  if (capacityType !== 'reserved' || reservationId === undefined) return {};
  const found = nodeClass.status?.capacityReservations?.find((one) => one.id === reservationId);
  return {
    [labels.reservationId]: reservationId,
    [`${reservationPrefix}type`]: found?.reservationType ?? 'default',
    [`${reservationPrefix}interruptible`]: String(found?.interruptible ?? false),
  };
}

/** Labels that the type alone settles: those with exactly one value. */
function settledLabels(type: InstanceType): Record<string, string> {
  const settled: Record<string, string> = {};
  for (const [key, set] of type.requirements) {
    const [value] = set.values;
    if (key.startsWith(reservationPrefix)) continue;
    if (set.kind === 'only' && set.values.size === 1 && value !== undefined) settled[key] = value;
  }
  return settled;
}

/** What the node class was at the time, so that drift can be told later. */
function launchAnnotations(nodeClass: EC2NodeClass): Record<string, string> {
  const copied: Record<string, string> = {};
  for (const key of [annotations.nodeClassHash, annotations.nodeClassHashVersion]) {
    const value = nodeClass.metadata.annotations?.[key];
    if (value !== undefined) copied[key] = value;
  }
  const profile = nodeClass.status?.instanceProfile;
  if (profile !== undefined) copied['karpenter.k8s.aws/instance-profile-name'] = profile;
  return copied;
}
