import type { CreateFleetCommandOutput, CreateFleetError } from '@aws-sdk/client-ec2';
import type { CapacityType } from '../../core/catalog/instance-type.ts';
import { CloudError } from '../../ports/cloud-provider.ts';
import { classify, insufficientCapacityCodes, spotRoleMissingCode } from './errors.ts';

/** The one machine of an instant fleet. */
export interface FleetMachine {
  readonly instanceId: string;
  readonly instanceType: string;
  readonly zone: string | undefined;
  readonly subnetId: string | undefined;
}

/** A purchase that EC2 refused on the way. */
export interface FleetRefusal {
  readonly code: string;
  readonly message: string;
  readonly instanceType: string | undefined;
  readonly zone: string | undefined;
  readonly subnetId: string | undefined;
  readonly capacityType: CapacityType | undefined;
}

export interface FleetAnswer {
  readonly machine: FleetMachine | undefined;
  readonly refusals: readonly FleetRefusal[];
}

export function readFleetAnswer(output: CreateFleetCommandOutput): FleetAnswer {
  const group = output.Instances?.find((one) => (one.InstanceIds ?? []).length > 0);
  const instanceId = group?.InstanceIds?.[0];
  const overrides = group?.LaunchTemplateAndOverrides?.Overrides;
  return {
    machine:
      instanceId === undefined
        ? undefined
        : {
            instanceId,
            instanceType: group?.InstanceType ?? overrides?.InstanceType ?? '',
            zone: overrides?.AvailabilityZone,
            subnetId: overrides?.SubnetId,
          },
    refusals: (output.Errors ?? []).map(refusalOf),
  };
}

function refusalOf(error: CreateFleetError): FleetRefusal {
  const overrides = error.LaunchTemplateAndOverrides?.Overrides;
  return {
    code: error.ErrorCode ?? 'UnfulfillableCapacity',
    message: error.ErrorMessage ?? '',
    instanceType: overrides?.InstanceType,
    zone: overrides?.AvailabilityZone,
    subnetId: overrides?.SubnetId,
    capacityType:
      error.Lifecycle === 'spot' || error.Lifecycle === 'on-demand' ? error.Lifecycle : undefined,
  };
}

/** Whether the refusals say no more than: not here, not now. */
export function isOutOfCapacity(refusals: readonly FleetRefusal[]): boolean {
  return refusals.every(
    ({ code }) => insufficientCapacityCodes.has(code) || code === spotRoleMissingCode,
  );
}

export function isTemplateMissing(refusals: readonly FleetRefusal[]): boolean {
  return refusals.some(({ code }) => /^InvalidLaunchTemplate(Name|Id)\.NotFound/.test(code));
}

/** The error of a fleet that came back empty for reasons beyond capacity. */
export function fleetError(refusals: readonly FleetRefusal[], doing: string): CloudError {
  const first = refusals.find(({ code }) => !insufficientCapacityCodes.has(code)) ?? refusals[0];
  const fault = {
    code: first?.code ?? 'UnfulfillableCapacity',
    message: first?.message ?? '',
    status: undefined,
  };
  const { kind, reason } = classify(fault);
  return new CloudError(kind, reason, `${doing}: ${fault.code}: ${fault.message}`);
}

/** What was refused, once each, for people: `InsufficientInstanceCapacity (m5.large in us-east-1a)`. */
export function describeRefusals(refusals: readonly FleetRefusal[]): string {
  const texts = refusals.map(({ code, instanceType, zone }) =>
    instanceType === undefined ? code : `${code} (${instanceType} in ${zone ?? 'any zone'})`,
  );
  const distinct = [...new Set(texts)].sort();
  const shown = distinct.slice(0, 5).join(', ');
  return distinct.length > 5 ? `${shown} and ${distinct.length - 5} more` : shown;
}
