import type { Cloud } from '../cloud.ts';
import type { Offer } from '../market/offer.ts';
import { AwsError, invalidParameter } from '../wire/aws-error.ts';
import { integer, type Parameters, text, texts } from '../wire/parameters.ts';
import type { QueryAction } from '../wire/protocol.ts';
import { isoMillis } from '../wire/times.ts';
import type { XmlObject } from '../wire/xml.ts';
import { anyMatch, filtered } from './filter.ts';
import { type Instance, isUsingCapacity } from './instance.ts';
import { keyOfToken, paged, tokenOfKey } from './paging.ts';
import { chosen } from './selection.ts';
import { tagSet } from './tag-store.ts';

export function spotActions(cloud: Cloud): Readonly<Record<string, QueryAction>> {
  return {
    DescribeSpotPriceHistory: (parameters) => describePrices(cloud, parameters),
    DescribeSpotInstanceRequests: (parameters) => describeRequests(cloud, parameters),
  };
}

interface SpotPrice extends Offer {
  readonly usdPerHour: number;
  readonly atMs: number;
}

/** Larger pages than this are cut down and not refused. */
const largestPage = 1000;
const productDescription = 'Linux/UNIX';

function describePrices(cloud: Cloud, parameters: Parameters): XmlObject {
  const size = Math.min(integer(parameters, 'MaxResults') || largestPage, largestPage);
  const token = text(parameters, 'NextToken');
  const start = token === undefined || token === '' ? 0 : Number(keyOfToken(token));
  const prices = filtered(pricesBetween(cloud, parameters), parameters, {
    attributes: {
      'availability-zone': (price) => price.zone,
      'instance-type': (price) => price.instanceType,
      'product-description': () => productDescription,
      'spot-price': (price) => price.usdPerHour.toFixed(6),
      timestamp: (price) => isoMillis(price.atMs),
    },
  });
  const end = start + size;
  return {
    spotPriceHistorySet: prices.slice(start, end).map((price) => ({
      instanceType: price.instanceType,
      productDescription,
      spotPrice: price.usdPerHour.toFixed(6),
      timestamp: isoMillis(price.atMs),
      availabilityZone: price.zone,
      availabilityZoneId: cloud.offers.zones.find((zone) => zone.name === price.zone)?.id,
    })),
    nextToken: end < prices.length ? tokenOfKey(String(end)) : '',
  };
}

/**
 * The price that was valid at the start and every later one up to the end, by type and zone. A
 * start in the future gives the prices of now, as with EC2.
 */
function pricesBetween(cloud: Cloud, parameters: Parameters): readonly SpotPrice[] {
  const products = texts(parameters, 'ProductDescription');
  // Both words mean the same since every account is in a VPC.
  if (
    products.length > 0 &&
    !products.some(anyMatch([productDescription, `${productDescription} (Amazon VPC)`]))
  ) {
    return [];
  }
  const nowMs = cloud.time.nowMs();
  const endMs = Math.min(moment(parameters, 'EndTime') ?? nowMs, nowMs);
  const startMs = Math.min(moment(parameters, 'StartTime') ?? cloud.startedAtMs, endMs);
  return askedPools(cloud, parameters).flatMap((offer) => {
    const periods = cloud.prices.periods(offer, Math.max(startMs, cloud.startedAtMs), endMs);
    return periods
      .map((period) => ({
        ...offer,
        usdPerHour: period.usdPerHour,
        atMs: cloud.prices.sinceMs(offer, period.fromMs),
      }))
      .reverse();
  });
}

function moment(parameters: Parameters, name: string): number | undefined {
  const value = text(parameters, name);
  if (value === undefined) return undefined;
  const ms = Date.parse(value);
  if (Number.isNaN(ms))
    throw invalidParameter(`Value (${value}) for parameter ${name} is invalid.`);
  return ms;
}

function askedPools(cloud: Cloud, parameters: Parameters): readonly Offer[] {
  const types = texts(parameters, 'InstanceType');
  const isAsked = types.length === 0 ? () => true : anyMatch(types);
  const zone = text(parameters, 'AvailabilityZone');
  const zones = cloud.offers.zones.filter(({ name }) => zone === undefined || zone === name);
  return cloud.offers.types
    .filter((type) => isAsked(type.name))
    .flatMap((type) =>
      zones.map(({ name }) => ({
        instanceType: type.name,
        zone: name,
        capacityType: 'spot' as const,
      })),
    )
    .filter((offer) => cloud.prices.at(offer, cloud.time.nowMs()) !== undefined);
}

function describeRequests(cloud: Cloud, parameters: Parameters): XmlObject {
  const spot = cloud.instances.all().filter((instance) => instance.spotRequestId !== undefined);
  const asked = chosen(spot, texts(parameters, 'SpotInstanceRequestId'), {
    idOf: requestId,
    refuse: (id) =>
      new AwsError(
        'InvalidSpotInstanceRequestID.NotFound',
        `The spot instance request ID '${id}' does not exist`,
      ),
  });
  const found = filtered(asked, parameters, {
    attributes: {
      'instance-id': (instance) => instance.id,
      'launched-availability-zone': (instance) => instance.order.subnet.zone.name,
      'launch.instance-type': (instance) => instance.order.type.name,
      'spot-instance-request-id': requestId,
      state: requestState,
      'status-code': (instance) => statusCode(instance),
    },
    tagsOf: (instance) => cloud.tags.of(requestId(instance)),
  });
  const page = paged(
    found.toSorted((a, b) => (requestId(a) < requestId(b) ? -1 : 1)),
    parameters,
    { keyOf: requestId, minimum: 5, maximum: 1000 },
  );
  return {
    spotInstanceRequestSet: page.items.map((instance) => requestXml(cloud, instance)),
    nextToken: page.nextToken,
  };
}

function requestId(instance: Instance): string {
  return instance.spotRequestId ?? '';
}

function requestState(instance: Instance): string {
  return isUsingCapacity(instance) ? 'active' : 'closed';
}

function statusCode(instance: Instance): string {
  if (isUsingCapacity(instance)) return instance.isMarked ? 'marked-for-termination' : 'fulfilled';
  return instance.stateReason?.code.startsWith('Server.') === true
    ? 'instance-terminated-no-capacity'
    : 'instance-terminated-by-user';
}

function requestXml(cloud: Cloud, instance: Instance): XmlObject {
  const { order } = instance;
  return {
    spotInstanceRequestId: instance.spotRequestId,
    spotPrice: order.priceUsdPerHour.toFixed(6),
    type: 'one-time',
    state: requestState(instance),
    status: {
      code: statusCode(instance),
      message: '',
      updateTime: isoMillis(instance.stoppedAtMs ?? instance.launchedAtMs),
    },
    instanceId: instance.id,
    createTime: isoMillis(instance.launchedAtMs),
    productDescription,
    launchedAvailabilityZone: order.subnet.zone.name,
    instanceInterruptionBehavior: 'terminate',
    launchSpecification: { imageId: order.image.id, instanceType: order.type.name },
    tagSet: tagSet(cloud.tags.of(requestId(instance))),
  };
}
