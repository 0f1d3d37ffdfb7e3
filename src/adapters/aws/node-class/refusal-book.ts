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
import type { Reservations } from '../reservations/reservations.ts';
import type { UnavailableOfferings } from '../types/unavailable-offerings.ts';
import type { Subnets } from './subnets.ts';

/** Learns from what EC2 refused, so that the next attempt goes elsewhere. */
export interface RefusalBook {
  /** Counts too when the fleet got its machine in the end: the refused offerings are still dry. */
  note(refusals: readonly FleetRefusal[], choice: LaunchChoice): void;
  /** Nothing else is left that a claim may use: what spot was refused some seconds ago is worth asking again. */
  relent(): void;
}

const relentAfterMs = 1_000;

export function createRefusalBook(
  context: AwsContext,
  memory: {
    readonly unavailable: UnavailableOfferings;
    readonly subnets: Subnets;
    readonly reservations: Reservations;
  },
): RefusalBook {
  const failures: Counter | undefined = context.metrics?.counter({
    name: 'karpenter_cloudprovider_instance_launch_failures_total',
    help: 'Purchases that EC2 refused, by place, way of buying and reason.',
    labels: ['zone', 'capacity_type', 'reason'],
  });

  function noteOne(refusal: FleetRefusal, choice: LaunchChoice): void {
    const { code, zone, subnetId } = refusal;
    const capacityType = capacityTypeOf(refusal, choice);
    failures?.add(1, { zone: zone ?? '', capacity_type: capacityType, reason: code });
    if (code === spotRoleMissingCode) memory.unavailable.markCapacityType('spot');
    // The type is there; only this subnet cannot take it. A sibling in the zone may.
    else if (code === subnetFullCode) memory.subnets.markFull(subnetId ?? '');
    else if (insufficientCapacityCodes.has(code)) noteShortage(refusal, choice);
  }

  function noteShortage(refusal: FleetRefusal, choice: LaunchChoice): void {
    const { code, instanceType, zone } = refusal;
    const capacityType = capacityTypeOf(refusal, choice);
    if (capacityType === 'reserved')
      for (const id of reservationsOf(choice, refusal)) memory.reservations.noteExhausted(id);
    else if (instanceType === undefined) return;
    else if (quotaCodes.has(code))
      memory.unavailable.markOverQuota({
        capacityType,
        instanceType,
        cpuMillis: cpuOf(choice, instanceType),
      });
    else if (zone !== undefined)
      memory.unavailable.mark({ capacityType, instanceType, zone }, code);
  }

  return {
    note(refusals, choice) {
      for (const refusal of refusals) noteOne(refusal, choice);
    },
    relent: () => memory.unavailable.forget('spot', relentAfterMs),
  };
}

/** EC2 calls a reservation's machines on-demand ones, which they are not to us. */
function capacityTypeOf(refusal: FleetRefusal, choice: LaunchChoice): CapacityType {
  if (choice.capacityType === 'reserved') return 'reserved';
  return refusal.capacityType ?? choice.capacityType;
}

/** Those that the refused purchase was to be taken from. */
function reservationsOf(
  { candidates }: LaunchChoice,
  { instanceType, zone }: FleetRefusal,
): readonly string[] {
  return candidates
    .filter(({ type }) => instanceType === undefined || type.name === instanceType)
    .flatMap(({ offerings }) => offerings.filter((one) => zone === undefined || one.zone === zone))
    .flatMap(({ reservation }) => (reservation === undefined ? [] : [reservation.id]));
}

function cpuOf({ candidates }: LaunchChoice, instanceType: string): number {
  const type = candidates.find((one) => one.type.name === instanceType)?.type;
  return type?.capacity.cpu ?? Infinity;
}
