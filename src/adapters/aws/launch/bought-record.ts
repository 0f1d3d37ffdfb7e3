import type { InstanceRecord } from '../instances/instance-record.ts';
import { providerIdOf } from '../instances/provider-id.ts';
import { imageFor } from '../types/resolved-type.ts';
import type { FleetMachine } from './fleet-answer.ts';
import type { LaunchChoice } from './launch-choice.ts';
import { findingTags, type Purchase } from './purchase.ts';

/** A machine as EC2 will describe it, from the answer to its purchase: it may not show for some seconds. */
export function boughtRecord(bought: {
  readonly machine: FleetMachine;
  readonly choice: LaunchChoice;
  readonly purchase: Purchase;
  readonly round: number;
  readonly nowMs: number;
}): InstanceRecord {
  const { machine, choice, purchase, round, nowMs } = bought;
  const { nodeClass, claim, group, key, tags } = purchase;
  const candidate = choice.candidates.find((one) => one.type.name === machine.instanceType);
  const subnet = nodeClass.status?.subnets?.find((one) => one.id === machine.subnetId);
  const zone = machine.zone ?? subnet?.zone ?? '';
  const reservation = candidate?.offerings.find((one) => one.zone === zone)?.reservation;
  return {
    id: machine.instanceId,
    providerId: providerIdOf(zone, machine.instanceId),
    instanceType: machine.instanceType,
    zone,
    capacityType: choice.capacityType,
    state: 'pending',
    launchedAtMs: nowMs,
    tags: { ...tags, ...findingTags(purchase, round) },
    claimUid: group === undefined ? claim.metadata.uid : undefined,
    launchGroup: group === undefined ? undefined : `${key}.${round}`,
    reservationId: reservation?.id,
    imageId: (candidate && imageFor(candidate.type, nodeClass.status?.amis)?.id) ?? '',
    subnetId: machine.subnetId ?? '',
    securityGroupIds: (nodeClass.status?.securityGroups ?? []).map((one) => one.id),
    tenancy: choice.tenancy,
  };
}
