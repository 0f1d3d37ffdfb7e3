import type { Tags } from '../account.ts';
import type { Cloud } from '../cloud.ts';
import { AwsError, dryRunPassed, invalidParameter, missingParameter } from '../wire/aws-error.ts';
import {
  child,
  flag,
  integer,
  type Parameters,
  requiredText,
  text,
  texts,
} from '../wire/parameters.ts';
import type { QueryAction } from '../wire/protocol.ts';
import { isoMillis } from '../wire/times.ts';
import type { XmlObject } from '../wire/xml.ts';
import { type CapacityReservation, stateOf } from './capacity-reservation-store.ts';
import { filtered } from './filter.ts';
import { ClientTokens } from './idempotency.ts';
import { newId } from './instance-parts.ts';
import { readTagSpecifications } from './launch-specification.ts';
import { paged } from './paging.ts';
import { chosen } from './selection.ts';
import { tagSet } from './tag-store.ts';

/** Capacity reservations: made, listed, cancelled. Capacity blocks are put in by the market. */
export function capacityReservationActions(cloud: Cloud): Readonly<Record<string, QueryAction>> {
  const tokens = new ClientTokens<CapacityReservation>(cloud.clock);
  return {
    CreateCapacityReservation: (parameters) => {
      const made = tokens.once(parameters, () => create(cloud, parameters));
      return { capacityReservation: reservationXml(cloud, made) };
    },
    CancelCapacityReservation: (parameters) => {
      const id = requiredText(parameters, 'CapacityReservationId');
      const known = cloud.reservations.get(id);
      if (known === undefined) throw unknownReservation(id);
      if (flag(parameters, 'DryRun') === true) throw dryRunPassed();
      cloud.reservations.put({ ...known, isCancelled: true });
      return { return: true };
    },
    DescribeCapacityReservations: (parameters) => describe(cloud, parameters),
  };
}

function create(cloud: Cloud, parameters: Parameters): CapacityReservation {
  const instanceType = requiredText(parameters, 'InstanceType');
  const zone = zoneOf(cloud, parameters);
  const total = integer(parameters, 'InstanceCount');
  if (total === undefined) throw missingParameter('InstanceCount');
  if (total < 1) throw invalidParameter(`Invalid value '${total}' for InstanceCount.`);
  if (!cloud.offers.isOffered(instanceType, zone.name)) {
    throw new AwsError(
      'Unsupported',
      `The requested configuration is currently not supported: ${instanceType} in ${zone.name}.`,
    );
  }
  const endsAtMs = endOf(cloud, parameters);
  if (flag(parameters, 'DryRun') === true) throw dryRunPassed();
  const made: CapacityReservation = {
    id: newId(cloud.random, 'cr'),
    instanceType,
    zone: zone.name,
    zoneId: zone.id,
    kind: 'default',
    matchCriteria: matchCriteriaOf(text(parameters, 'InstanceMatchCriteria') ?? 'open'),
    tenancy: text(parameters, 'Tenancy') ?? 'default',
    isInterruptible: false,
    total,
    createdAtMs: cloud.time.nowMs(),
    endsAtMs,
    isCancelled: false,
  };
  cloud.reservations.put(made);
  cloud.tags.put(made.id, readReservationTags(parameters));
  return made;
}

/** The one action of EC2 whose tag specifications are in the plural on the wire. */
function readReservationTags(parameters: Parameters): Tags {
  const TagSpecification = child(parameters, 'TagSpecifications');
  return readTagSpecifications({ TagSpecification })['capacity-reservation'] ?? {};
}

function zoneOf(
  cloud: Cloud,
  parameters: Parameters,
): { readonly name: string; readonly id: string } {
  const name = text(parameters, 'AvailabilityZone');
  const id = text(parameters, 'AvailabilityZoneId');
  const zone = cloud.offers.zones.find((one) => one.name === name || one.id === id);
  if (zone === undefined)
    throw invalidParameter(`Invalid availability zone: [${name ?? id ?? ''}]`);
  return zone;
}

function matchCriteriaOf(name: string): CapacityReservation['matchCriteria'] {
  if (name === 'open' || name === 'targeted') return name;
  throw invalidParameter(`Invalid value '${name}' for InstanceMatchCriteria.`);
}

function endOf(cloud: Cloud, parameters: Parameters): number | undefined {
  const written = text(parameters, 'EndDate');
  if (written === undefined) return undefined;
  const endsAtMs = Date.parse(written);
  if (Number.isNaN(endsAtMs) || endsAtMs <= cloud.time.nowMs()) {
    throw invalidParameter(`Value (${written}) for parameter EndDate is invalid.`);
  }
  return endsAtMs;
}

function unknownReservation(id: string): AwsError {
  return new AwsError(
    'InvalidCapacityReservationId.NotFound',
    `The capacity reservation ID '${id}' does not exist`,
  );
}

function describe(cloud: Cloud, parameters: Parameters): XmlObject {
  const ids = texts(parameters, 'CapacityReservationId');
  if (ids.length > 0 && text(parameters, 'MaxResults') !== undefined) {
    throw new AwsError(
      'InvalidParameterCombination',
      'The parameter maxResults cannot be used with the parameter capacityReservationIds.',
    );
  }
  const nowMs = cloud.time.nowMs();
  const asked = chosen(cloud.reservations.all(), ids, {
    idOf: (one) => one.id,
    refuse: unknownReservation,
  });
  const found = filtered(asked, parameters, {
    attributes: {
      'availability-zone': (one) => one.zone,
      'instance-match-criteria': (one) => one.matchCriteria,
      'instance-platform': () => platform,
      'instance-type': (one) => one.instanceType,
      'owner-id': () => cloud.accountId,
      state: (one) => stateOf(one, nowMs),
      tenancy: (one) => one.tenancy,
    },
    tagsOf: (one) => cloud.tags.of(one.id),
  });
  const page = paged(found, parameters, { keyOf: (one) => one.id, maximum: 1000 });
  return {
    capacityReservationSet: page.items.map((one) => reservationXml(cloud, one)),
    nextToken: page.nextToken,
  };
}

const platform = 'Linux/UNIX';

function reservationXml(cloud: Cloud, one: CapacityReservation): XmlObject {
  const nowMs = cloud.time.nowMs();
  return {
    capacityReservationId: one.id,
    ownerId: cloud.accountId,
    capacityReservationArn: `arn:aws:ec2:${cloud.region}:${cloud.accountId}:capacity-reservation/${one.id}`,
    availabilityZone: one.zone,
    availabilityZoneId: one.zoneId,
    instanceType: one.instanceType,
    instancePlatform: platform,
    tenancy: one.tenancy,
    totalInstanceCount: one.total,
    availableInstanceCount: cloud.reservations.available(one, nowMs),
    ebsOptimized: false,
    ephemeralStorage: false,
    state: stateOf(one, nowMs),
    createDate: isoMillis(one.createdAtMs),
    startDate: isoMillis(one.createdAtMs),
    endDate: one.endsAtMs === undefined ? undefined : isoMillis(one.endsAtMs),
    endDateType: one.endsAtMs === undefined ? 'unlimited' : 'limited',
    instanceMatchCriteria: one.matchCriteria,
    reservationType: one.kind,
    interruptible: one.isInterruptible,
    tagSet: tagSet(cloud.tags.of(one.id)),
  };
}
