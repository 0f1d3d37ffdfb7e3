import { DescribeSpotPriceHistoryCommand, type SpotPrice } from '@aws-sdk/client-ec2';
import { type Filter, GetProductsCommand } from '@aws-sdk/client-pricing';
import { CloudError } from '../../../ports/cloud-provider.ts';
import type { AwsContext } from '../context.ts';
import { onDemandPriceOf } from './price-list.ts';

/** On-demand prices by type. Rejects unless both shared and bare metal machines are listed. */
export async function readOnDemandPrices(
  context: AwsContext,
): Promise<ReadonlyMap<string, number>> {
  const [shared, metal] = await Promise.all([
    products(context, { tenancy: 'Shared', productFamily: 'Compute Instance' }),
    products(context, { tenancy: 'Dedicated', productFamily: 'Compute Instance (bare metal)' }),
  ]);
  if (shared.size === 0 || metal.size === 0)
    throw new CloudError(
      'rejected',
      'PricesNotFound',
      `reading on-demand prices: none are listed for ${context.settings.region}`,
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

/** The spot price of every pool now, under `type/zone`. */
export async function readSpotPrices(context: AwsContext): Promise<ReadonlyMap<string, number>> {
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
