import type { CapacityType } from '../../../core/catalog/instance-type.ts';
import type { Counter } from '../../../ports/metrics.ts';
import {
  insufficientCapacityCodes,
  quotaCodes,
  spotRoleMissingCode,
  subnetFullCode,
} from '../calls/errors.ts';
import type { AwsContext } from '../context.ts';
import type { FleetRefusal } from '../launch/fleet-answer.ts';
import type { LaunchChoice } from '../launch/launch-choice.ts';
import type { UnavailableOfferings } from '../types/unavailable-offerings.ts';
import type { Subnets } from './subnets.ts';

/** Learns from what EC2 refused, so that the next attempt goes elsewhere. */
export interface RefusalBook {
  /** Counts too when the fleet got its machine in the end: the refused offerings are still dry. */
  note(refusals: readonly FleetRefusal[], choice: LaunchChoice): void;
}

export function createRefusalBook(
  context: AwsContext,
  memory: { readonly unavailable: UnavailableOfferings; readonly subnets: Subnets },
): RefusalBook {
  const failures: Counter | undefined = context.metrics?.counter({
    name: 'karpenter_cloudprovider_instance_launch_failures_total',
    help: 'Purchases that EC2 refused, by place, way of buying and reason.',
    labels: ['zone', 'capacity_type', 'reason'],
  });

  function noteOne(refusal: FleetRefusal, choice: LaunchChoice): void {
    const { code, instanceType, zone, subnetId } = refusal;
    const capacityType: CapacityType = refusal.capacityType ?? choice.capacityType;
    failures?.add(1, { zone: zone ?? '', capacity_type: capacityType, reason: code });
    if (code === spotRoleMissingCode) memory.unavailable.markCapacityType('spot');
    // The type is there; only this subnet cannot take it. A sibling in the zone may.
    else if (code === subnetFullCode) memory.subnets.markFull(subnetId ?? '');
    else if (quotaCodes.has(code) && instanceType !== undefined)
      memory.unavailable.markOverQuota({
        capacityType,
        instanceType,
        cpuMillis: cpuOf(choice, instanceType),
      });
    else if (
      insufficientCapacityCodes.has(code) &&
      instanceType !== undefined &&
      zone !== undefined
    )
      memory.unavailable.mark({ capacityType, instanceType, zone });
  }

  return {
    note(refusals, choice) {
      for (const refusal of refusals) noteOne(refusal, choice);
    },
  };
}

function cpuOf({ candidates }: LaunchChoice, instanceType: string): number {
  const type = candidates.find((one) => one.type.name === instanceType)?.type;
  return type?.capacity.cpu ?? Infinity;
}
