import { stableDigits } from '../stable-id.ts';
import type { Product } from './actions.ts';

/** AWS's codes for on-demand terms and for a price by the hour. */
const onDemandTerm = 'JRTCKXETXF';
const hourlyRate = '6YS6EN2CT7';
const publishedOn = '2026-08-22T00:00:00Z';

/** What filters look at, `productFamily` and `serviceCode` among them. */
export function productAttributes(product: Product): Readonly<Record<string, string>> {
  const { type, region, tenancy } = product;
  return {
    productFamily: type.isBareMetal ? 'Compute Instance (bare metal)' : 'Compute Instance',
    serviceCode: 'AmazonEC2',
    servicecode: 'AmazonEC2',
    servicename: 'Amazon Elastic Compute Cloud',
    location: region.name,
    locationType: 'AWS Region',
    regionCode: region.name,
    instanceType: type.name,
    instanceFamily: type.name.split('.')[0] ?? '',
    currentGeneration: type.isCurrentGeneration ? 'Yes' : 'No',
    vcpu: String(type.vcpus),
    memory: `${type.memoryMiB / 1024} GiB`,
    networkPerformance: type.network.performance,
    physicalProcessor: type.cpuManufacturer,
    processorArchitecture: '64-bit',
    storage: type.disk === undefined ? 'EBS only' : `${type.disk.totalGB} GB ${type.disk.type}`,
    tenancy,
    operatingSystem: 'Linux',
    licenseModel: 'No License required',
    preInstalledSw: 'NA',
    capacitystatus: 'Used',
    marketoption: 'OnDemand',
    operation: 'RunInstances',
    usagetype: `${tenancy === 'Shared' ? 'BoxUsage' : 'DedicatedUsage'}:${type.name}`,
  };
}

/** One entry of the price list in its real shape. */
export function priceListEntry(product: Product): object {
  const { productFamily, serviceCode, ...attributes } = productAttributes(product);
  const sku = stableDigits(
    `${product.region.name}/${product.type.name}/${product.tenancy}`,
    16,
  ).toUpperCase();
  const offer = `${sku}.${onDemandTerm}`;
  const dimension = {
    rateCode: `${offer}.${hourlyRate}`,
    unit: 'Hrs',
    beginRange: '0',
    endRange: 'Inf',
    description: `$${product.usdPerHour} per On Demand Linux ${product.type.name} Instance Hour`,
    appliesTo: [],
    pricePerUnit: { USD: product.usdPerHour.toFixed(10) },
  };
  return {
    product: { productFamily, attributes, sku },
    serviceCode,
    terms: {
      OnDemand: {
        [offer]: {
          sku,
          offerTermCode: onDemandTerm,
          effectiveDate: publishedOn,
          termAttributes: {},
          priceDimensions: { [`${offer}.${hourlyRate}`]: dimension },
        },
      },
    },
    version: publishedOn,
    publicationDate: publishedOn,
  };
}
