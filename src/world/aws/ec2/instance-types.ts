import type { Cloud } from '../cloud.ts';
import type { InstanceTypeFacts } from '../instance-type-facts.ts';
import type { RegionCatalog } from '../region-catalog.ts';
import { remembered } from '../remembered.ts';
import { AwsError, invalidParameter } from '../wire/aws-error.ts';
import { type Parameters, text, texts } from '../wire/parameters.ts';
import type { QueryAction } from '../wire/protocol.ts';
import { Rendered, writeContent, type XmlObject } from '../wire/xml.ts';
import { type Filterable, filtered } from './filter.ts';
import { instanceTypeXml } from './instance-type-xml.ts';
import { paged } from './paging.ts';

export function instanceTypeActions(cloud: Cloud): Readonly<Record<string, QueryAction>> {
  return {
    DescribeInstanceTypes: (parameters) => {
      const page = paged(
        filtered(askedTypes(cloud, parameters), parameters, typeFilters),
        parameters,
        { keyOf: (type) => type.name, minimum: 5, maximum: 100, usual: 100 },
      );
      return { instanceTypeSet: page.items.map(writtenType), nextToken: page.nextToken };
    },
    DescribeInstanceTypeOfferings: (parameters) => describeOfferings(cloud, parameters),
  };
}

// Facts never change, and writing 1,400 types costs more than all other answers together.
const writtenType = remembered(
  (type: InstanceTypeFacts) => new Rendered(writeContent(instanceTypeXml(type))),
);

function askedTypes(cloud: Cloud, parameters: Parameters): readonly InstanceTypeFacts[] {
  const names = texts(parameters, 'InstanceType');
  if (names.length === 0) return cloud.offers.types;
  const unknown = names.filter((name) => !cloud.offers.has(name));
  if (unknown.length > 0) {
    throw new AwsError(
      'InvalidInstanceType',
      `The following supplied instance types do not exist: [${unknown.join(', ')}]`,
    );
  }
  const asked = new Set(names);
  return cloud.offers.types.filter((type) => asked.has(type.name));
}

const typeFilters: Filterable<InstanceTypeFacts> = {
  attributes: {
    'bare-metal': (type) => String(type.isBareMetal),
    'burstable-performance-supported': (type) => String(type.isBurstable),
    'current-generation': (type) => String(type.isCurrentGeneration),
    'dedicated-hosts-supported': (type) => String(type.hasDedicatedHosts),
    'ebs-info.ebs-optimized-support': (type) => type.ebs.optimizedSupport,
    hypervisor: (type) => type.hypervisor,
    'instance-storage-info.nvme-support': (type) => type.disk?.nvmeSupport ?? [],
    'instance-storage-info.total-size-in-gb': (type) =>
      type.disk === undefined ? [] : String(type.disk.totalGB),
    'instance-storage-supported': (type) => String(type.disk !== undefined),
    'instance-type': (type) => type.name,
    'memory-info.size-in-mib': (type) => String(type.memoryMiB),
    'network-info.efa-supported': (type) => String(type.network.maximumEfaInterfaces > 0),
    'network-info.ena-support': (type) => type.network.ena,
    'network-info.encryption-in-transit-supported': (type) =>
      String(type.network.isEncryptedInTransit),
    'network-info.ipv4-addresses-per-interface': (type) => String(type.network.ipv4PerInterface),
    'network-info.ipv6-supported': (type) => String(type.network.ipv6PerInterface > 0),
    'network-info.maximum-network-cards': (type) => String(type.network.cards.length),
    'network-info.maximum-network-interfaces': (type) => String(type.network.maximumInterfaces),
    'network-info.network-performance': (type) => type.network.performance,
    'processor-info.manufacturer': (type) => type.cpuManufacturer,
    'processor-info.supported-architecture': (type) => type.architectures,
    'processor-info.supported-features': (type) => type.cpuFeatures,
    'processor-info.sustained-clock-speed-in-ghz': (type) =>
      type.clockMHz === undefined ? [] : String(type.clockMHz / 1000),
    'supported-boot-mode': (type) => type.bootModes,
    'supported-root-device-type': (type) => type.rootDeviceTypes,
    'supported-usage-class': (type) => type.usageClasses,
    'supported-virtualization-type': (type) => type.virtualizationTypes,
    'vcpu-info.default-cores': (type) => String(type.cores),
    'vcpu-info.default-threads-per-core': (type) => String(type.threadsPerCore),
    'vcpu-info.default-vcpus': (type) => String(type.vcpus),
  },
};

interface Offering {
  readonly instanceType: string;
  readonly location: string;
}

function describeOfferings(cloud: Cloud, parameters: Parameters): XmlObject {
  const locationType = text(parameters, 'LocationType') ?? 'region';
  const page = paged(
    filtered(offerings(cloud, locationType), parameters, {
      attributes: {
        location: (offering) => offering.location,
        'instance-type': (offering) => offering.instanceType,
      },
    }),
    parameters,
    {
      keyOf: offeringKey,
      minimum: 5,
      maximum: 1000,
      usual: 1000,
    },
  );
  return {
    instanceTypeOfferingSet: page.items.map((offering) => ({ ...offering, locationType })),
    nextToken: page.nextToken,
  };
}

function offerings(cloud: Cloud, locationType: string): readonly Offering[] {
  if (locationType === 'region') return offeringsByRegion(cloud.offers);
  if (locationType === 'availability-zone') return offeringsByZoneName(cloud.offers);
  if (locationType === 'availability-zone-id') return offeringsByZoneId(cloud.offers);
  throw invalidParameter(`Invalid value '${locationType}' for LocationType.`);
}

const offeringsByRegion = remembered((offers: RegionCatalog) =>
  offers.types.map((type) => ({ instanceType: type.name, location: offers.name })),
);
const offeringsByZoneName = remembered((offers: RegionCatalog) => offeringsBy(offers, 'name'));
const offeringsByZoneId = remembered((offers: RegionCatalog) => offeringsBy(offers, 'id'));

function offeringsBy(offers: RegionCatalog, label: 'name' | 'id'): readonly Offering[] {
  const zones = offers.zones.toSorted((a, b) => (a[label] < b[label] ? -1 : 1));
  return offers.types
    .flatMap((type) =>
      zones
        .filter((zone) => offers.isOffered(type.name, zone.name))
        .map((zone) => ({ instanceType: type.name, location: zone[label] })),
    )
    .sort((a, b) => (offeringKey(a) < offeringKey(b) ? -1 : 1));
}

function offeringKey({ instanceType, location }: Offering): string {
  return `${instanceType}/${location}`;
}
