import type {
  CreateFleetCommandOutput,
  CreateFleetError,
  CreateFleetInstance,
} from '@aws-sdk/client-ec2';
import type { CapacityType } from '../../../core/catalog/instance-type.ts';
import { CloudError } from '../../../ports/cloud-provider.ts';
import {
  classify,
  faultText,
  insufficientCapacityCodes,
  quotaCodes,
  spotRoleMissingCode,
} from '../calls/errors.ts';

/** A machine of an instant fleet. */
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
  readonly machines: readonly FleetMachine[];
  readonly refusals: readonly FleetRefusal[];
}

export function readFleetAnswer(output: CreateFleetCommandOutput): FleetAnswer {
  return {
    machines: (output.Instances ?? []).flatMap(machinesOf),
    refusals: (output.Errors ?? []).map(refusalOf),
  };
}

function machinesOf(group: CreateFleetInstance): readonly FleetMachine[] {
  const overrides = group.LaunchTemplateAndOverrides?.Overrides;
  return (group.InstanceIds ?? []).map((instanceId) => ({
    instanceId,
    instanceType: group.InstanceType ?? overrides?.InstanceType ?? '',
    zone: overrides?.AvailabilityZone,
    subnetId: overrides?.SubnetId,
  }));
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
  return new CloudError(kind, reason, `${doing}: ${faultText(fault)}`);
}

/** What was refused, for people: `InsufficientInstanceCapacity for 15 types in us-east-1a, us-east-1b`. */
export function describeRefusals(refusals: readonly FleetRefusal[]): string {
  const codes = [...new Set(refusals.map(({ code }) => code))].sort();
  return codes.map((code) => describeCode(refusals.filter((one) => one.code === code))).join('; ');
}

function describeCode(refusals: readonly FleetRefusal[]): string {
  const { code = '', message = '' } = refusals[0] ?? {};
  const types = distinct(refusals.map(({ instanceType }) => instanceType));
  const zones = distinct(refusals.map(({ zone }) => zone));
  // Of a quota the account's owner must know which and how much, which only EC2's words tell.
  const words = quotaCodes.has(code) && message !== '' ? `${code}: ${message}` : code;
  if (types.length === 0) return words;
  const what = types.length === 1 ? types[0] : `${types.length} types`;
  return `${words} for ${what} in ${zones.length > 0 ? zones.join(', ') : 'any zone'}`;
}

function distinct(values: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(values.filter((value) => value !== undefined))].sort();
}
