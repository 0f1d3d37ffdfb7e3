import { DescribeSpotPriceHistoryCommand, type SpotPrice } from '@aws-sdk/client-ec2';
import { type Filter, GetProductsCommand } from '@aws-sdk/client-pricing';
import { CloudError } from '../../../ports/cloud-provider.ts';
import { Refreshed } from '../calls/refreshed.ts';
import { type AwsContext, hourMs } from '../context.ts';
import { onDemandPriceOf } from './price-list.ts';

/** Prices as last heard. Newer prices are another object. */
export interface Prices {
  /** USD per hour; undefined where none is known. */
  onDemand(instanceType: string): number | undefined;
  /** Before the first spot answer the on-demand price; after it, that of the very zone or none. */
  spot(instanceType: string, zone: string): number | undefined;
}

type OnDemandPrices = ReadonlyMap<string, number>;
type SpotPrices = ReadonlyMap<string, number>;

/**
 * Prices from the Pricing API and the spot history, read anew every twelve hours. One of the two
 * may be missing; with neither the promise is rejected.
 */
export function createPricing(context: AwsContext): () => Promise<Prices> {
  const { clock, log } = context;
  const everyMs = 12 * hourMs;
  const onDemand = new Refreshed<OnDemandPrices>({
    ...{ clock, log, everyMs, what: 'on-demand prices' },
    load: () => loadOnDemand(context),
  });
  const spot = new Refreshed<SpotPrices>({
    ...{ clock, log, everyMs, what: 'spot prices' },
    load: () => loadSpot(context),
  });
  let latest: { readonly from: readonly unknown[]; readonly prices: Prices } | undefined;

  return async () => {
    const [bought, bid] = await Promise.allSettled([onDemand.get(), spot.get()]);
    if (bought.status === 'rejected' && bid.status === 'rejected') throw bought.reason;
    const from = [answered(bought), answered(bid)] as const;
    if (latest === undefined || latest.from[0] !== from[0] || latest.from[1] !== from[1])
      latest = { from, prices: pricesOf(...from) };
    return latest.prices;
  };
}

function answered<T>(result: PromiseSettledResult<T>): T | undefined {
  return result.status === 'fulfilled' ? result.value : undefined;
}

function pricesOf(onDemand: OnDemandPrices | undefined, spot: SpotPrices | undefined): Prices {
  return {
    onDemand: (type) => onDemand?.get(type),
    spot: (type, zone) => (spot === undefined ? onDemand?.get(type) : spot.get(`${type}/${zone}`)),
  };
}

async function loadOnDemand(context: AwsContext): Promise<OnDemandPrices> {
  const { region, isIsolatedVpc } = context.settings;
  // GovCloud has no Pricing API, and from an isolated VPC it cannot be reached.
  if (isIsolatedVpc === true || region.startsWith('us-gov')) return new Map();
  const [shared, metal] = await Promise.all([
    products(context, { tenancy: 'Shared', productFamily: 'Compute Instance' }),
    products(context, { tenancy: 'Dedicated', productFamily: 'Compute Instance (bare metal)' }),
  ]);
  if (shared.size === 0)
    throw new CloudError(
      'rejected',
      'PricesNotFound',
      `reading on-demand prices: none are listed for ${region}`,
    );
  return new Map([...metal, ...shared]);
}

async function products(
  context: AwsContext,
  kind: Readonly<Record<string, string>>,
): Promise<Map<string, number>> {
  const { region } = context.settings;
  const Filters = filtersOf({
    regionCode: region,
    serviceCode: 'AmazonEC2',
    preInstalledSw: 'NA',
    operatingSystem: 'Linux',
    capacitystatus: 'Used',
    marketoption: 'OnDemand',
    ...kind,
  });
  const currency = region.startsWith('cn-') ? 'CNY' : 'USD';
  const prices = new Map<string, number>();
  let NextToken: string | undefined;
  do {
    const input = { ServiceCode: 'AmazonEC2', Filters, MaxResults: 100, NextToken };
    const page = await context.caller.call(
      {
        service: 'pricing',
        action: 'GetProducts',
        priority: 'describe',
        doing: 'reading on-demand prices',
      },
      (abortSignal) => context.clients.pricing.send(new GetProductsCommand(input), { abortSignal }),
    );
    for (const product of page.PriceList ?? []) {
      const entry = onDemandPriceOf(product, currency);
      if (entry !== undefined) prices.set(entry.instanceType, entry.usdPerHour);
    }
    NextToken = page.NextToken;
  } while (NextToken);
  return prices;
}

function filtersOf(fields: Readonly<Record<string, string>>): Filter[] {
  return Object.entries(fields).map(([Field, Value]) => ({ Type: 'TERM_MATCH', Field, Value }));
}

async function loadSpot(context: AwsContext): Promise<SpotPrices> {
  const newest = new Map<string, { readonly price: number; readonly atMs: number }>();
  let NextToken: string | undefined;
  const StartTime = new Date(context.clock.nowMs());
  do {
    const command = new DescribeSpotPriceHistoryCommand({
      StartTime,
      ProductDescriptions: ['Linux/UNIX', 'Linux/UNIX (Amazon VPC)'],
      MaxResults: 2_000,
      NextToken,
    });
    const page = await context.caller.call(
      {
        service: 'ec2',
        action: 'DescribeSpotPriceHistory',
        priority: 'describe',
        doing: 'reading spot prices',
      },
      (abortSignal) => context.clients.ec2.send(command, { abortSignal }),
    );
    for (const row of page.SpotPriceHistory ?? []) keepNewest(newest, row);
    NextToken = page.NextToken;
  } while (NextToken);
  return new Map([...newest].map(([key, { price }]) => [key, price]));
}

function keepNewest(
  newest: Map<string, { readonly price: number; readonly atMs: number }>,
  row: SpotPrice,
): void {
  const key = `${row.InstanceType}/${row.AvailabilityZone}`;
  const price = Number(row.SpotPrice);
  const atMs = row.Timestamp?.getTime() ?? 0;
  if (!(price > 0) || atMs < (newest.get(key)?.atMs ?? -Infinity)) return;
  newest.set(key, { price, atMs });
}
