import { describe, expect, test } from 'vitest';
import { shippedCatalog } from '../../../test/aws-cli/embedded-aws.ts';
import { loadCatalog } from './catalog.ts';

const catalog = shippedCatalog();

describe('the catalogue', () => {
  test('knows every type, by name', () => {
    expect(catalog.types).toHaveLength(1395);
    expect(catalog.types.map((type) => type.name)).toEqual(
      catalog.types.map((type) => type.name).toSorted(),
    );
    expect(catalog.type('m5.large')).toMatchObject({
      architectures: ['x86_64'],
      vcpus: 2,
      cores: 1,
      threadsPerCore: 2,
      memoryMiB: 8192,
      clockMHz: 3100,
      hypervisor: 'nitro',
      isBareMetal: false,
      network: { maximumInterfaces: 3, ipv4PerInterface: 10 },
      ebs: { baselineMbps: 650, maximumMbps: 4750, maximumVolumes: 27 },
      disk: undefined,
    });
    expect(catalog.type('m5.gigantic')).toBeUndefined();
  });

  test('spreads runs of equal network cards', () => {
    const cards = catalog.type('c6in.32xlarge')?.network.cards;
    expect(cards).toEqual(
      Array.from({ length: 2 }, () => ({
        maximumInterfaces: 8,
        baselineMbps: 200_000,
        peakMbps: 200_000,
      })),
    );
    expect(catalog.type('m5.large')?.network.cards).toHaveLength(1);
  });

  test('knows accelerators of every kind', () => {
    expect(catalog.type('g4dn.xlarge')?.gpus).toMatchObject([{ name: 'T4', count: 1 }]);
    expect(catalog.type('inf1.xlarge')?.neuronDevices).toMatchObject([
      { name: 'Inferentia', count: 1, coresPerDevice: 4 },
    ]);
    expect(catalog.type('f2.6xlarge')?.fpgas).toMatchObject([{ manufacturer: 'Xilinx', count: 1 }]);
    expect(catalog.type('m5.large')?.gpus).toEqual([]);
  });

  test('knows zones and prices of a region', () => {
    const region = catalog.region('us-east-1');
    expect(region?.zones[0]).toEqual({ name: 'us-east-1a', id: 'use1-az2' });
    expect(region?.isOffered('m5.large', 'us-east-1a')).toBe(true);
    expect(region?.isOffered('m5.large', 'us-east-1e')).toBe(false);
    expect(region?.isOffered('m5.large', 'eu-west-1a')).toBe(false);
    expect(region?.onDemandUsdPerHour('m5.large')).toBe(0.096);
    expect(region?.spotUsdPerHour('m5.large', 'us-east-1b')).toBe(0.0442);
    expect(region?.spotUsdPerHour('m5.large', 'us-east-1e')).toBeUndefined();
    expect(region?.interruptionBand('m5.large')).toBe(4);
    expect(region?.dedicatedUsdPerHour('c6g.metal')).toBe(2.3066);
    expect(catalog.region('moon-1')).toBeUndefined();
  });

  test('a file of another schema is refused', () => {
    expect(() => loadCatalog('{"schema":2}')).toThrow(/schema 2/);
  });
});
