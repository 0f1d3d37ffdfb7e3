import { GetProductsCommand, paginateGetProducts } from '@aws-sdk/client-pricing';
import { describe, expect, test } from 'vitest';
import { embeddedAws, refusalOf } from '../../../../test/aws-cli/embedded-aws.ts';

function filters(more: Readonly<Record<string, string>>) {
  const fields = {
    regionCode: 'us-east-1',
    serviceCode: 'AmazonEC2',
    preInstalledSw: 'NA',
    operatingSystem: 'Linux',
    capacitystatus: 'Used',
    marketoption: 'OnDemand',
    ...more,
  };
  return Object.entries(fields).map(([Field, Value]) => ({
    Type: 'TERM_MATCH' as const,
    Field,
    Value,
  }));
}

interface PriceListEntry {
  readonly product: { readonly attributes: { readonly instanceType: string } };
  readonly terms: {
    readonly OnDemand: Readonly<
      Record<
        string,
        {
          readonly priceDimensions: Readonly<
            Record<string, { readonly pricePerUnit: { readonly USD: string } }>
          >;
        }
      >
    >;
  };
}

function priceOf(text: unknown): readonly [string, number] {
  const entry = JSON.parse(String(text)) as PriceListEntry;
  const [term] = Object.values(entry.terms.OnDemand);
  const [dimension] = Object.values(term?.priceDimensions ?? {});
  return [entry.product.attributes.instanceType, Number(dimension?.pricePerUnit.USD)];
}

async function prices(
  more: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, number>> {
  const { pricing } = embeddedAws();
  const pages = paginateGetProducts(
    { client: pricing, pageSize: 100 },
    { ServiceCode: 'AmazonEC2', Filters: filters(more) },
  );
  const found = new Map<string, number>();
  for await (const page of pages) {
    for (const text of page.PriceList ?? []) found.set(...priceOf(text));
  }
  return found;
}

describe('the price list', () => {
  test('has what Karpenter asks for: shared machines, and bare metal at dedicated tenancy', async () => {
    const shared = await prices({ tenancy: 'Shared', productFamily: 'Compute Instance' });
    expect(shared.get('m5.large')).toBe(0.096);
    expect(shared.size).toBeGreaterThan(1_100);
    expect([...shared.keys()].some((name) => name.includes('metal'))).toBe(false);
    const metal = await prices({
      tenancy: 'Dedicated',
      productFamily: 'Compute Instance (bare metal)',
    });
    expect(metal.get('c6g.metal')).toBe(2.3066);
    expect(metal.size).toBeGreaterThan(100);
  });

  test('can be asked for one type in another region', async () => {
    const found = await prices({
      regionCode: 'eu-west-1',
      instanceType: 'm5.large',
      tenancy: 'Shared',
    });
    expect([...found]).toEqual([['m5.large', 0.107]]);
  });

  test('refuses services and filters that it does not have', async () => {
    const { pricing } = embeddedAws();
    const service = pricing.send(new GetProductsCommand({ ServiceCode: 'AmazonS3' }));
    expect(await refusalOf(service)).toBe('NotFoundException');
    const contains = pricing.send(
      new GetProductsCommand({
        ServiceCode: 'AmazonEC2',
        Filters: [{ Type: 'CONTAINS', Field: 'a', Value: 'b' }],
      }),
    );
    expect(await refusalOf(contains)).toBe('InvalidParameterException');
  });
});
