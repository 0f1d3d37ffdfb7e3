import { uuid } from '../../../ports/random.ts';
import type { Cloud } from '../cloud.ts';
import { AwsError, dryRunPassed } from '../wire/aws-error.ts';
import { child, flag, type Parameters, text, texts } from '../wire/parameters.ts';
import type { QueryAction } from '../wire/protocol.ts';
import { isoMillis } from '../wire/times.ts';
import type { XmlObject } from '../wire/xml.ts';
import { filtered } from './filter.ts';
import { type FleetResult, fulfil } from './fleet-fulfilment.ts';
import { type FleetCandidate, readFleetRequest } from './fleet-request.ts';
import { ClientTokens } from './idempotency.ts';
import { paged } from './paging.ts';
import { tagSet } from './tag-store.ts';

interface Fleet {
  readonly id: string;
  readonly createdAtMs: number;
  readonly clientToken: string;
  readonly parameters: Parameters;
  readonly result: FleetResult;
}

/** Instant fleets are over once they are answered; the last ones stay visible. */
const rememberedFleets = 1000;

export function fleetActions(cloud: Cloud): Readonly<Record<string, QueryAction>> {
  const tokens = new ClientTokens<Fleet>(cloud.clock);
  const fleets = new Map<string, Fleet>();
  return {
    CreateFleet: (parameters) => {
      const fleet = tokens.once(parameters, () => createFleet(cloud, parameters));
      remember(fleets, fleet, cloud);
      return { fleetId: fleet.id, ...resultXml(fleet.result) };
    },
    DescribeFleets: (parameters) => describeFleets(cloud, [...fleets.values()], parameters),
  };
}

function createFleet(cloud: Cloud, parameters: Parameters): Fleet {
  const request = readFleetRequest(cloud, parameters);
  if (flag(parameters, 'DryRun') === true) throw dryRunPassed();
  const id = `fleet-${uuid(cloud.random)}`;
  cloud.tags.put(id, request.fleetTags);
  return {
    id,
    createdAtMs: cloud.time.nowMs(),
    clientToken: request.clientToken,
    parameters,
    result: fulfil(cloud, request, id),
  };
}

function remember(fleets: Map<string, Fleet>, fleet: Fleet, cloud: Cloud): void {
  fleets.set(fleet.id, fleet);
  if (fleets.size <= rememberedFleets) return;
  const [oldest] = fleets.keys();
  if (oldest === undefined) return;
  fleets.delete(oldest);
  cloud.tags.forget(oldest);
}

function resultXml(result: FleetResult): XmlObject {
  return {
    errorSet: result.failures.map(({ candidate, capacityType, zone, refusal }) => ({
      launchTemplateAndOverrides: candidateXml(candidate, zone),
      lifecycle: capacityType,
      errorCode: refusal.code,
      errorMessage: refusal.message,
    })),
    fleetInstanceSet: result.gains.map(({ candidate, capacityType, zone, instanceIds }) => ({
      launchTemplateAndOverrides: candidateXml(candidate, zone),
      lifecycle: capacityType,
      instanceIds,
      instanceType: candidate.specification.instanceType,
    })),
  };
}

function candidateXml(candidate: FleetCandidate, zone: string | undefined): XmlObject {
  const { override } = candidate;
  return {
    launchTemplateSpecification: { launchTemplateId: candidate.template.id, version: '1' },
    overrides: {
      instanceType: candidate.specification.instanceType,
      maxPrice: text(override, 'MaxPrice'),
      subnetId: candidate.specification.subnetId,
      availabilityZone: text(override, 'AvailabilityZone') ?? zone,
      weightedCapacity: text(override, 'WeightedCapacity'),
      priority: text(override, 'Priority'),
      imageId: text(override, 'ImageId'),
    },
  };
}

function describeFleets(cloud: Cloud, fleets: readonly Fleet[], parameters: Parameters): XmlObject {
  const ids = texts(parameters, 'FleetId');
  const unknown = ids.find((id) => !fleets.some((fleet) => fleet.id === id));
  if (unknown !== undefined) {
    throw new AwsError('InvalidFleetId.NotFound', `The fleet ID '${unknown}' does not exist`);
  }
  // EC2 shows instant fleets only to those who ask for them by id.
  const asked = fleets.filter((fleet) => ids.includes(fleet.id));
  const sorted = asked.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const page = paged(
    filtered(sorted, parameters, {
      attributes: { type: () => 'instant', 'fleet-state': () => 'active' },
      tagsOf: (fleet) => cloud.tags.of(fleet.id),
    }),
    parameters,
    { keyOf: (fleet) => fleet.id, maximum: 1000 },
  );
  return { nextToken: page.nextToken, fleetSet: page.items.map((fleet) => fleetXml(cloud, fleet)) };
}

function fleetXml(cloud: Cloud, fleet: Fleet): XmlObject {
  const target = child(fleet.parameters, 'TargetCapacitySpecification');
  const fulfilled = fleet.result.gains.reduce((sum, gain) => sum + gain.instanceIds.length, 0);
  return {
    fleetId: fleet.id,
    activityStatus: 'fulfilled',
    createTime: isoMillis(fleet.createdAtMs),
    fleetState: 'active',
    clientToken: fleet.clientToken,
    fulfilledCapacity: fulfilled,
    targetCapacitySpecification: {
      totalTargetCapacity: text(target, 'TotalTargetCapacity'),
      defaultTargetCapacityType: text(target, 'DefaultTargetCapacityType'),
    },
    type: 'instant',
    tagSet: tagSet(cloud.tags.of(fleet.id)),
    ...resultXml(fleet.result),
  };
}
