import type { Cloud } from '../cloud.ts';
import type { Offer } from '../market/offer.ts';
import type { RegionCatalog } from '../region-catalog.ts';
import { remembered } from '../remembered.ts';
import { AwsError, invalidParameter } from '../wire/aws-error.ts';
import { integer, type Parameters, text, texts } from '../wire/parameters.ts';
import type { QueryAction } from '../wire/protocol.ts';
import { isoMillis } from '../wire/times.ts';
import type { XmlObject } from '../wire/xml.ts';
import { anyMatch, type Filterable, filtered } from './filter.ts';
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

/** Goes through the pools one by one and stops when the page is full: there are thousands. */
function describePrices(cloud: Cloud, parameters: Parameters): XmlObject {
  const size = Math.min(integer(parameters, 'MaxResults') || largestPage, largestPage);
  const pools = askedPools(cloud, parameters);
  const pricesOf = priceReader(cloud, parameters);
  const prices: SpotPrice[] = [];
  let { pool, row } = readPosition(text(parameters, 'NextToken'));
  for (let offer = pools[pool]; offer !== undefined; offer = pools[++pool], row = 0) {
    const rest = filtered(pricesOf(offer), parameters, priceFilters).slice(row);
    const taken = rest.slice(0, size - prices.length);
    prices.push(...taken);
    if (taken.length < rest.length) {
      return pricesXml(cloud, prices, tokenOfKey(`${pool}/${row + taken.length}`));
    }
  }
  return pricesXml(cloud, prices, '');
}

function readPosition(token: string | undefined): { readonly pool: number; readonly row: number } {
  if (token === undefined || token === '') return { pool: 0, row: 0 };
  const [pool, row] = keyOfToken(token).split('/').map(Number);
  return { pool: pool ?? 0, row: row ?? 0 };
}

function pricesXml(cloud: Cloud, prices: readonly SpotPrice[], nextToken: string): XmlObject {
  return {
    spotPriceHistorySet: prices.map((price) => ({
      instanceType: price.instanceType,
      productDescription,
      spotPrice: price.usdPerHour.toFixed(6),
      timestamp: isoMillis(price.atMs),
      availabilityZone: price.zone,
      availabilityZoneId: cloud.offers.zones.find((zone) => zone.name === price.zone)?.id,
    })),
    nextToken,
  };
}

const priceFilters: Filterable<SpotPrice> = {
  attributes: {
    'availability-zone': (price) => price.zone,
    'instance-type': (price) => price.instanceType,
    'product-description': () => productDescription,
    'spot-price': (price) => price.usdPerHour.toFixed(6),
    timestamp: (price) => isoMillis(price.atMs),
  },
};

/**
 * Reads the price that was valid at the start and every later one up to the end, newest first. A
 * start in the future gives the prices of now, as with EC2.
 */
function priceReader(cloud: Cloud, parameters: Parameters): (offer: Offer) => readonly SpotPrice[] {
  const nowMs = cloud.time.nowMs();
  const endMs = Math.min(moment(parameters, 'EndTime') ?? nowMs, nowMs);
  const startMs = Math.min(moment(parameters, 'StartTime') ?? cloud.startedAtMs, endMs);
  return (offer) =>
    cloud.prices
      .periods(offer, Math.max(startMs, cloud.startedAtMs), endMs)
      .map((period) => ({
        ...offer,
        usdPerHour: period.usdPerHour,
        atMs: cloud.prices.sinceMs(offer, period.fromMs),
      }))
      .reverse();
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
  const products = texts(parameters, 'ProductDescription');
  // Both words mean the same since every account is in a VPC.
  const isLinux = anyMatch([productDescription, `${productDescription} (Amazon VPC)`]);
  if (products.length > 0 && !products.some(isLinux)) return [];
  const types = texts(parameters, 'InstanceType');
  const zone = text(parameters, 'AvailabilityZone');
  const pools = pricedPools(cloud.offers);
  if (types.length === 0 && zone === undefined) return pools;
  const isAsked = anyMatch(types.length === 0 ? ['*'] : types);
  return pools.filter(
    (pool) => isAsked(pool.instanceType) && (zone === undefined || zone === pool.zone),
  );
}

const pricedPools = remembered((offers: RegionCatalog): readonly Offer[] =>
  offers.types.flatMap((type) =>
    offers.zones
      .filter((zone) => offers.isOffered(type.name, zone.name))
      .filter((zone) => offers.spotUsdPerHour(type.name, zone.name) !== undefined)
      .map((zone) => ({ instanceType: type.name, zone: zone.name, capacityType: 'spot' })),
  ),
);

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
