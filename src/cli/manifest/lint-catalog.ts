import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import { machineRequirements } from '../../adapters/aws/types/machine-labels.ts';
import type { LintInstanceType } from '../../api/lint/knowledge.ts';
import type { Requirements } from '../../core/requirements/requirements.ts';
import { only } from '../../core/requirements/value-set.ts';
import { labels } from '../../core/requirements/well-known.ts';
import type { Catalog } from '../../world/aws/catalog.ts';
import type { InstanceTypeFacts } from '../../world/aws/instance-type-facts.ts';
import type { RegionCatalog } from '../../world/aws/region-catalog.ts';

/**
 * What AWS sells, with the labels that its nodes carry: in one region with its zones, or anywhere,
 * and then nothing is said of zones. Undefined for a region that the catalogue does not know.
 */
export function lintCatalog(
  catalog: Catalog,
  regionName: string | undefined,
): readonly LintInstanceType[] | undefined {
  if (regionName === undefined)
    return catalog.types.map((facts) => ({
      name: facts.name,
      requirements: withoutPlace(labelsOf(facts, undefined)),
    }));
  const region = catalog.region(regionName);
  return region?.types.map((facts) => ({
    name: facts.name,
    requirements: labelsOf(facts, region),
  }));
}

function labelsOf(facts: InstanceTypeFacts, region: RegionCatalog | undefined): Requirements {
  const zones = (region?.zones ?? []).filter(({ name }) => region?.isOffered(facts.name, name));
  const places = { region: region?.name ?? '', zones, family: 'AL2023', reservations: [] } as const;
  const requirements = new Map(machineRequirements(infoOf(facts), places));
  // The class decides which system boots, and lint may not know the class.
  requirements.set(labels.os, only(['linux', 'windows']));
  requirements.delete(labels.windowsBuild);
  for (const key of requirements.keys())
    if (key.includes('capacity-reservation')) requirements.delete(key);
  const sold = requirements.get(labels.capacityType);
  requirements.set(labels.capacityType, only([...(sold?.values ?? []), 'reserved']));
  return requirements;
}

function withoutPlace(requirements: Requirements): Requirements {
  const places: readonly string[] = [labels.zone, labels.zoneId, labels.region];
  return new Map([...requirements].filter(([key]) => !places.includes(key)));
}

/** The facts in the shape of DescribeInstanceTypes, as far as labels are made from them. */
function infoOf(facts: InstanceTypeFacts): InstanceTypeInfo {
  const { network, ebs, disk } = facts;
  const info = {
    InstanceType: facts.name,
    SupportedUsageClasses: facts.usageClasses,
    ProcessorInfo: {
      SupportedArchitectures: facts.architectures,
      SustainedClockSpeedInGhz: facts.clockMHz === undefined ? undefined : facts.clockMHz / 1_000,
      Manufacturer: facts.cpuManufacturer,
    },
    VCpuInfo: { DefaultVCpus: facts.vcpus },
    MemoryInfo: { SizeInMiB: facts.memoryMiB },
    BareMetal: facts.isBareMetal,
    Hypervisor: facts.hypervisor === '' ? undefined : facts.hypervisor,
    InstanceStorageInfo: disk && { TotalSizeInGB: disk.totalGB, NvmeSupport: disk.nvmeSupport },
    EbsInfo: {
      EbsOptimizedSupport: ebs.optimizedSupport,
      EbsOptimizedInfo: { MaximumBandwidthInMbps: ebs.maximumMbps },
    },
    NetworkInfo: {
      NetworkPerformance: network.performance,
      EncryptionInTransitSupported: network.isEncryptedInTransit,
      NetworkCards: network.cards.map(({ baselineMbps }) => ({
        BaselineBandwidthInGbps: baselineMbps === undefined ? undefined : baselineMbps / 1_000,
      })),
    },
    ...devicesOf(facts),
  };
  return info as InstanceTypeInfo;
}

function devicesOf({ gpus, neuronDevices, inferenceAccelerators }: InstanceTypeFacts) {
  return {
    GpuInfo:
      gpus.length === 0
        ? undefined
        : {
            Gpus: gpus.map(({ name, manufacturer, count, memoryMiB }) => ({
              Name: name,
              Manufacturer: manufacturer,
              Count: count,
              MemoryInfo: { SizeInMiB: memoryMiB },
            })),
          },
    NeuronInfo:
      neuronDevices.length === 0
        ? undefined
        : {
            NeuronDevices: neuronDevices.map(({ name, count }) => ({ Name: name, Count: count })),
          },
    InferenceAcceleratorInfo:
      inferenceAccelerators.length === 0
        ? undefined
        : {
            Accelerators: inferenceAccelerators.map(({ name, manufacturer, count }) => ({
              Name: name,
              Manufacturer: manufacturer,
              Count: count,
            })),
          },
  };
}
