import {
  DescribeInstanceTypeOfferingsCommand,
  DescribeInstanceTypesCommand,
  type InstanceTypeInfo,
  paginateDescribeInstanceTypeOfferings,
  paginateDescribeInstanceTypes,
} from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { embeddedAws, refusalOf } from '../../../../test/aws-cli/embedded-aws.ts';

async function typeInfo(name: string): Promise<InstanceTypeInfo | undefined> {
  const { ec2 } = embeddedAws();
  const answer = await ec2.send(
    new DescribeInstanceTypesCommand({ InstanceTypes: [name as 'm5.large'] }),
  );
  return answer.InstanceTypes?.[0];
}

describe('DescribeInstanceTypes', () => {
  test('pages through every type that Karpenter asks for, none twice', async () => {
    const { ec2 } = embeddedAws();
    const pages = paginateDescribeInstanceTypes(
      { client: ec2, pageSize: 100 },
      {
        Filters: [
          { Name: 'supported-virtualization-type', Values: ['hvm'] },
          { Name: 'processor-info.supported-architecture', Values: ['x86_64', 'arm64'] },
        ],
      },
    );
    const names: string[] = [];
    for await (const page of pages) {
      expect(page.InstanceTypes?.length).toBeLessThanOrEqual(100);
      names.push(...(page.InstanceTypes ?? []).map((type) => type.InstanceType ?? ''));
    }
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(1300);
    expect(names.some((name) => name.startsWith('mac'))).toBe(false);
  });

  test('states everything about an ordinary type', async () => {
    expect(await typeInfo('m5.large')).toMatchObject({
      InstanceType: 'm5.large',
      BareMetal: false,
      Hypervisor: 'nitro',
      BurstablePerformanceSupported: false,
      SupportedUsageClasses: ['on-demand', 'spot'],
      SupportedVirtualizationTypes: ['hvm'],
      ProcessorInfo: {
        SupportedArchitectures: ['x86_64'],
        SustainedClockSpeedInGhz: 3.1,
        Manufacturer: 'Intel',
      },
      VCpuInfo: { DefaultVCpus: 2, DefaultCores: 1, DefaultThreadsPerCore: 2 },
      MemoryInfo: { SizeInMiB: 8192 },
      InstanceStorageSupported: false,
      EbsInfo: {
        EbsOptimizedSupport: 'default',
        EbsOptimizedInfo: { BaselineBandwidthInMbps: 650, MaximumBandwidthInMbps: 4750 },
      },
      NetworkInfo: {
        MaximumNetworkInterfaces: 3,
        Ipv4AddressesPerInterface: 10,
        DefaultNetworkCardIndex: 0,
        NetworkCards: [{ NetworkCardIndex: 0, MaximumNetworkInterfaces: 3 }],
        EfaSupported: false,
      },
      PlacementGroupInfo: { SupportedStrategies: ['cluster', 'partition', 'spread'] },
    });
  });

  test('states accelerators and disks', async () => {
    expect(await typeInfo('g4dn.xlarge')).toMatchObject({
      GpuInfo: {
        Gpus: [{ Name: 'T4', Manufacturer: 'NVIDIA', Count: 1, MemoryInfo: { SizeInMiB: 16384 } }],
      },
      InstanceStorageInfo: { TotalSizeInGB: 125, NvmeSupport: 'required' },
    });
    expect(await typeInfo('inf1.xlarge')).toMatchObject({
      NeuronInfo: { NeuronDevices: [{ Name: 'Inferentia', Count: 1, CoreInfo: { Count: 4 } }] },
      InferenceAcceleratorInfo: { Accelerators: [{ Name: 'Inferentia', Count: 1 }] },
    });
    expect(await typeInfo('f2.6xlarge')).toMatchObject({ FpgaInfo: { Fpgas: [{ Count: 1 }] } });
    expect((await typeInfo('m5.metal'))?.Hypervisor).toBeUndefined();
    expect((await typeInfo('p5.48xlarge'))?.NetworkInfo).toMatchObject({
      MaximumNetworkCards: 32,
      EfaInfo: { MaximumEfaInterfaces: 32 },
    });
  });

  test('filters with wildcards and refuses filters it does not know', async () => {
    const { ec2 } = embeddedAws();
    const answer = await ec2.send(
      new DescribeInstanceTypesCommand({
        Filters: [
          { Name: 'instance-type', Values: ['m5.*large'] },
          { Name: 'vcpu-info.default-vcpus', Values: ['2', '4'] },
        ],
      }),
    );
    expect(answer.InstanceTypes?.map((type) => type.InstanceType)).toEqual([
      'm5.large',
      'm5.xlarge',
    ]);
    const unknown = ec2.send(
      new DescribeInstanceTypesCommand({ Filters: [{ Name: 'colour', Values: ['red'] }] }),
    );
    expect(await refusalOf(unknown)).toBe('InvalidParameterValue');
  });

  test('refuses unknown names, pages that are too large, broken tokens, and passes dry runs', async () => {
    const { ec2 } = embeddedAws();
    const refusal = (input: object): Promise<string> =>
      refusalOf(ec2.send(new DescribeInstanceTypesCommand(input)));
    expect(await refusal({ InstanceTypes: ['m5.gigantic'] })).toBe('InvalidInstanceType');
    expect(await refusal({ MaxResults: 101 })).toBe('InvalidParameterValue');
    expect(await refusal({ NextToken: 'nonsense' })).toBe('InvalidNextToken');
    expect(await refusal({ DryRun: true })).toBe('DryRunOperation');
  });
});

describe('DescribeInstanceTypeOfferings', () => {
  test('lists where each type can be had', async () => {
    const { ec2 } = embeddedAws();
    const zones: string[] = [];
    const pages = paginateDescribeInstanceTypeOfferings(
      { client: ec2, pageSize: 1000 },
      { LocationType: 'availability-zone' },
    );
    let count = 0;
    for await (const page of pages) {
      for (const offering of page.InstanceTypeOfferings ?? []) {
        count++;
        if (offering.InstanceType === 'm5.large') zones.push(offering.Location ?? '');
      }
    }
    expect(count).toBeGreaterThan(6_000);
    expect(zones).toEqual(['us-east-1a', 'us-east-1b', 'us-east-1c', 'us-east-1d', 'us-east-1f']);
  });

  test('by region and by zone id as well', async () => {
    const { ec2 } = embeddedAws();
    const locations = async (LocationType: 'region' | 'availability-zone-id'): Promise<unknown> => {
      const Filters = [{ Name: 'instance-type', Values: ['m5.large'] }];
      const answer = await ec2.send(
        new DescribeInstanceTypeOfferingsCommand({ LocationType, Filters }),
      );
      return answer.InstanceTypeOfferings?.map((offering) => offering.Location);
    };
    expect(await locations('region')).toEqual(['us-east-1']);
    expect(await locations('availability-zone-id')).toContain('use1-az2');
  });
});
