import type { Tags } from '../account.ts';
import type { Cloud } from '../cloud.ts';
import type { PurchaseOption } from '../market/offer.ts';
import { AwsError, invalidParameter, missingParameter } from '../wire/aws-error.ts';
import {
  child,
  children,
  decimal,
  integer,
  noParameters,
  overlay,
  type Parameters,
  text,
} from '../wire/parameters.ts';
import { type AllocationStrategy, strategyNamed } from './fleet-choice.ts';
import {
  type LaunchSpecification,
  mergeTagSpecifications,
  readLaunchSpecification,
  readTagSpecifications,
} from './launch-specification.ts';
import { checkVersion, type LaunchTemplate } from './launch-template-store.ts';

/** One way in which the fleet may get a machine: a launch template with one override. */
export interface FleetCandidate {
  readonly position: number;
  readonly template: LaunchTemplate;
  readonly override: Parameters;
  readonly specification: LaunchSpecification;
  readonly priority: number | undefined;
  readonly weight: number;
  readonly tags: Readonly<Record<string, Tags>>;
}

export interface FleetTarget {
  readonly capacityType: PurchaseOption;
  readonly capacity: number;
  readonly strategy: AllocationStrategy;
}

export interface FleetRequest {
  readonly candidates: readonly FleetCandidate[];
  readonly targets: readonly FleetTarget[];
  readonly fleetTags: Tags;
  readonly clientToken: string;
}

/** Reads CreateFleet. What this endpoint cannot honour is refused and never left out in silence. */
export function readFleetRequest(cloud: Cloud, parameters: Parameters): FleetRequest {
  const type = text(parameters, 'Type') ?? 'maintain';
  if (type !== 'instant') {
    throw new AwsError('UnsupportedOperation', `Fleets of type ${type} are not offered here.`);
  }
  const configs = children(parameters, 'LaunchTemplateConfigs');
  if (configs.length === 0) throw missingParameter('LaunchTemplateConfigs');
  const tags = readTagSpecifications(parameters);
  return {
    candidates: configs
      .flatMap((config) => readConfig(cloud, config, tags))
      .map((candidate, position) => ({ ...candidate, position })),
    targets: readTargets(parameters),
    fleetTags: tags.fleet ?? {},
    clientToken: text(parameters, 'ClientToken') ?? '',
  };
}

function readConfig(
  cloud: Cloud,
  config: Parameters,
  requestTags: Readonly<Record<string, Tags>>,
): readonly Omit<FleetCandidate, 'position'>[] {
  const reference = child(config, 'LaunchTemplateSpecification');
  const template = cloud.templates.required(reference);
  checkVersion(text(reference, 'Version'));
  const overrides = children(config, 'Overrides');
  const tags = mergeTagSpecifications(readTagSpecifications(template.data), requestTags);
  return (overrides.length === 0 ? [noParameters] : overrides).map((override) => {
    if (override.InstanceRequirements !== undefined) {
      throw new AwsError('UnsupportedOperation', 'InstanceRequirements are not offered here.');
    }
    return {
      template,
      override,
      specification: readLaunchSpecification(overlay(template.data, override)),
      priority: decimal(override, 'Priority'),
      weight: decimal(override, 'WeightedCapacity') ?? 1,
      tags,
    };
  });
}

function readTargets(parameters: Parameters): readonly FleetTarget[] {
  const target = child(parameters, 'TargetCapacitySpecification');
  const total = integer(target, 'TotalTargetCapacity');
  if (total === undefined) throw missingParameter('TargetCapacitySpecification');
  if (total < 1) throw invalidParameter(`Invalid value '${total}' for TotalTargetCapacity.`);
  const onDemand = integer(target, 'OnDemandTargetCapacity') ?? 0;
  const spot = integer(target, 'SpotTargetCapacity') ?? 0;
  const rest = Math.max(0, total - onDemand - spot);
  const usual = readPurchaseOption(text(target, 'DefaultTargetCapacityType') ?? 'on-demand');
  const capacities = {
    'on-demand': onDemand + (usual === 'on-demand' ? rest : 0),
    spot: spot + (usual === 'spot' ? rest : 0),
  };
  return (['on-demand', 'spot'] as const)
    .filter((option) => capacities[option] > 0)
    .map((capacityType) => ({
      capacityType,
      capacity: capacities[capacityType],
      strategy: readStrategy(parameters, capacityType),
    }));
}

function readPurchaseOption(name: string): PurchaseOption {
  if (name === 'spot' || name === 'on-demand') return name;
  // Reserved machines are on-demand machines whose capacity is paid for already.
  if (name === 'capacity-block' || name === 'reserved-capacity') return 'on-demand';
  throw new AwsError('UnsupportedOperation', `Capacity of type ${name} is not offered here.`);
}

const unsupportedOptions = [
  'SingleInstanceType',
  'SingleAvailabilityZone',
  'MinTargetCapacity',
  'MaxTotalPrice',
];

function readStrategy(parameters: Parameters, option: PurchaseOption): AllocationStrategy {
  const options = child(parameters, option === 'spot' ? 'SpotOptions' : 'OnDemandOptions');
  const unsupported = unsupportedOptions.find((name) => text(options, name) !== undefined);
  if (unsupported !== undefined) {
    throw new AwsError('UnsupportedOperation', `${unsupported} is not offered here.`);
  }
  const name = text(options, 'AllocationStrategy') ?? 'lowest-price';
  const strategy = strategyNamed(name);
  if (strategy === undefined || !allowedStrategies[option].has(strategy)) {
    throw invalidParameter(`Invalid value '${name}' for AllocationStrategy.`);
  }
  return strategy;
}

const allowedStrategies: Readonly<Record<PurchaseOption, ReadonlySet<AllocationStrategy>>> = {
  'on-demand': new Set(['lowest-price', 'prioritized']),
  spot: new Set([
    'lowest-price',
    'price-capacity-optimized',
    'capacity-optimized',
    'capacity-optimized-prioritized',
  ]),
};
