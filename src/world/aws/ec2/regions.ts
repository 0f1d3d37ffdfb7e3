import type { Cloud } from '../cloud.ts';
import { invalidParameter } from '../wire/aws-error.ts';
import { type Parameters, texts } from '../wire/parameters.ts';
import type { QueryAction } from '../wire/protocol.ts';
import type { XmlObject } from '../wire/xml.ts';
import { filtered } from './filter.ts';
import { chosen } from './selection.ts';

/** Regions and their zones. */
export function regionActions(cloud: Cloud): Readonly<Record<string, QueryAction>> {
  return {
    DescribeRegions: (parameters) => describeRegions(cloud, parameters),
    DescribeAvailabilityZones: (parameters) => describeZones(cloud, parameters),
  };
}

function describeRegions(cloud: Cloud, parameters: Parameters): XmlObject {
  const all = cloud.catalog.regions.map((region) => region.name);
  const asked = chosen(all, texts(parameters, 'RegionName'), {
    idOf: (name) => name,
    refuse: (name) => invalidParameter(`Invalid region provided: [${name}]`),
  });
  const found = filtered(asked, parameters, {
    attributes: {
      endpoint: endpointOf,
      'opt-in-status': () => 'opt-in-not-required',
      'region-name': (name) => name,
    },
  });
  return {
    regionInfo: found.map((name) => ({
      regionName: name,
      regionEndpoint: endpointOf(name),
      optInStatus: 'opt-in-not-required',
    })),
  };
}

function endpointOf(region: string): string {
  return `ec2.${region}.amazonaws.com`;
}

function describeZones(cloud: Cloud, parameters: Parameters): XmlObject {
  const refuse = (name: string) => invalidParameter(`Invalid availability zone: [${name}]`);
  const named = chosen(cloud.offers.zones, texts(parameters, 'ZoneName'), {
    idOf: (zone) => zone.name,
    refuse,
  });
  const asked = chosen(named, texts(parameters, 'ZoneId'), { idOf: (zone) => zone.id, refuse });
  const found = filtered(asked, parameters, {
    attributes: {
      'region-name': () => cloud.region,
      state: () => 'available',
      'zone-id': (zone) => zone.id,
      'zone-name': (zone) => zone.name,
      'zone-type': () => 'availability-zone',
      'opt-in-status': () => 'opt-in-not-required',
    },
  });
  return {
    availabilityZoneInfo: found.map((zone) => ({
      optInStatus: 'opt-in-not-required',
      messageSet: [],
      regionName: cloud.region,
      zoneName: zone.name,
      zoneId: zone.id,
      groupName: `${cloud.region}-zg-1`,
      networkBorderGroup: cloud.region,
      zoneType: 'availability-zone',
      zoneState: 'available',
    })),
  };
}
