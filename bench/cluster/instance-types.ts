import { decodeResources } from '../../src/api/decode/resources.ts';
import type { CapacityType, InstanceType, Offering } from '../../src/core/catalog/instance-type.ts';
import type { Resources } from '../../src/core/quantity/resources.ts';
import type { RequirementTerm } from '../../src/core/requirements/requirements.ts';
import { requirementsOf } from '../../src/core/requirements/requirements.ts';
import { labels } from '../../src/core/requirements/well-known.ts';

/** One instance type in the kwok provider's format, with our fields `allocatable` and `labels`. */
export interface RawInstanceType {
  readonly name: string;
  readonly architecture: string;
  readonly operatingSystems: readonly string[];
  readonly resources: Readonly<Record<string, string>>;
  readonly allocatable?: Readonly<Record<string, string>>;
  /** Null is a label that such a node never carries. */
  readonly labels?: Readonly<Record<string, string | null>>;
  readonly offerings: readonly RawOffering[];
}

interface RawOffering {
  readonly Price: number;
  readonly Available?: boolean;
  readonly Requirements: readonly { readonly key: string; readonly values?: readonly string[] }[];
}

/** The types as the engine sees them: new objects at every call, so that nothing is known of them. */
export function instanceTypesOf(raw: readonly RawInstanceType[]): readonly InstanceType[] {
  return raw.map((type) => {
    const offerings = type.offerings.map(offeringOf);
    const capacity = decodeResources(type.resources, type.name).resources;
    return {
      name: type.name,
      requirements: requirementsOf(termsOf(type, offerings)),
      capacity,
      allocatable: allocatableOf(type, capacity),
      offerings,
    };
  });
}

function termsOf(type: RawInstanceType, offerings: readonly Offering[]): RequirementTerm[] {
  const one = (key: string, values: readonly (string | undefined)[]): RequirementTerm => ({
    key,
    operator: 'In',
    values: [...new Set(values.filter((value) => value !== undefined))],
  });
  const own = Object.entries(type.labels ?? {}).map(
    ([key, value]): RequirementTerm =>
      value === null ? { key, operator: 'DoesNotExist' } : one(key, [value]),
  );
  const zoneIds = offerings.map((offering) => offering.zoneId);
  return [
    ...own,
    one(labels.instanceType, [type.name]),
    one(labels.arch, [type.architecture]),
    one(labels.os, type.operatingSystems),
    one(
      labels.zone,
      offerings.map((offering) => offering.zone),
    ),
    one(
      labels.capacityType,
      offerings.map((offering) => offering.capacityType),
    ),
    ...(zoneIds.some((id) => id !== undefined) ? [one(labels.zoneId, zoneIds)] : []),
  ];
}

function offeringOf(raw: RawOffering): Offering {
  const value = (key: string): string | undefined =>
    raw.Requirements.find((requirement) => requirement.key === key)?.values?.[0];
  const zoneId = value(labels.zoneId);
  return {
    zone: value(labels.zone) ?? '',
    ...(zoneId === undefined ? {} : { zoneId }),
    capacityType: capacityTypeOf(value(labels.capacityType)),
    priceUsdPerHour: raw.Price,
    isAvailable: raw.Available !== false,
  };
}

function capacityTypeOf(text: string | undefined): CapacityType {
  return text === 'spot' || text === 'reserved' ? text : 'on-demand';
}

/** Without our field the kwok provider's fixed overhead applies. */
function allocatableOf(type: RawInstanceType, capacity: Resources): Resources {
  if (type.allocatable !== undefined) return decodeResources(type.allocatable, type.name).resources;
  const { cpu = 0, memory = 0 } = capacity;
  return { ...capacity, cpu: cpu - 100, memory: memory - 10 * 2 ** 20 };
}
