import type { Catalog } from '../catalog.ts';
import { keyOfToken, tokenOfKey } from '../ec2/paging.ts';
import type { InstanceTypeFacts } from '../instance-type-facts.ts';
import type { RegionCatalog } from '../region-catalog.ts';
import { remembered } from '../remembered.ts';
import { AwsError } from '../wire/aws-error.ts';
import type { JsonAction } from '../wire/protocol.ts';
import { priceListEntry, productAttributes } from './product.ts';

type Input = Readonly<Record<string, unknown>>;

/** The price list: on-demand Linux machines of every region in the catalogue. */
export function pricingActions(catalog: Catalog): Readonly<Record<string, JsonAction>> {
  return { GetProducts: (input) => getProducts(catalog, input) };
}

/** One thing for sale. */
export interface Product {
  readonly type: InstanceTypeFacts;
  readonly region: RegionCatalog;
  readonly tenancy: 'Shared' | 'Dedicated';
  readonly usdPerHour: number;
}

function getProducts(catalog: Catalog, input: Input): object {
  if (input.ServiceCode !== 'AmazonEC2') {
    throw new AwsError('NotFoundException', `Service not found: ${String(input.ServiceCode)}`);
  }
  const filters = readFilters(input);
  const size = Number(input.MaxResults ?? 100);
  if (!(size >= 1 && size <= 100)) {
    throw new AwsError('InvalidParameterException', 'MaxResults must be between 1 and 100.');
  }
  const token = typeof input.NextToken === 'string' ? input.NextToken : '';
  const start = token === '' ? 0 : Number(keyOfToken(token));
  const found = productsOf(catalog, filters).filter((listed) => matches(listed, filters));
  const end = start + size;
  return {
    FormatVersion: 'aws_v1',
    PriceList: found
      .slice(start, end)
      .map(({ product }) => JSON.stringify(priceListEntry(product))),
    ...(end < found.length ? { NextToken: tokenOfKey(String(end)) } : {}),
  };
}

type Filters = readonly { readonly field: string; readonly value: string }[];

function readFilters(input: Input): Filters {
  const filters = Array.isArray(input.Filters) ? (input.Filters as readonly Input[]) : [];
  return filters.map((filter) => {
    if (filter.Type !== 'TERM_MATCH') {
      throw new AwsError(
        'InvalidParameterException',
        `Filter type ${String(filter.Type)} is not offered here.`,
      );
    }
    return { field: String(filter.Field ?? ''), value: String(filter.Value ?? '') };
  });
}

interface Listed {
  readonly product: Product;
  readonly attributes: Readonly<Record<string, string>>;
}

function productsOf(catalog: Catalog, filters: Filters): readonly Listed[] {
  const wanted = filters.find((filter) => filter.field === 'regionCode')?.value;
  return catalog.regions
    .filter((region) => wanted === undefined || region.name === wanted)
    .flatMap(productsOfRegion);
}

const productsOfRegion = remembered((region: RegionCatalog): readonly Listed[] =>
  region.types
    .flatMap((type) => productsOfType(type, region))
    .map((product) => ({ product, attributes: productAttributes(product) })),
);

function productsOfType(type: InstanceTypeFacts, region: RegionCatalog): readonly Product[] {
  const shared = region.onDemandUsdPerHour(type.name);
  const dedicated = type.isBareMetal ? region.dedicatedUsdPerHour(type.name) : undefined;
  return [
    ...(shared === undefined
      ? []
      : [{ type, region, tenancy: 'Shared' as const, usdPerHour: shared }]),
    ...(dedicated === undefined
      ? []
      : [{ type, region, tenancy: 'Dedicated' as const, usdPerHour: dedicated }]),
  ];
}

/** TERM_MATCH is whole and blind to case. */
function matches({ attributes }: Listed, filters: Filters): boolean {
  return filters.every(
    ({ field, value }) => attributes[field]?.toLowerCase() === value.toLowerCase(),
  );
}
