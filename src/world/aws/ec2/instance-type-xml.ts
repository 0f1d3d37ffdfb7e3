import type {
  AcceleratorFacts,
  EbsFacts,
  InstanceTypeFacts,
  NetworkFacts,
} from '../instance-type-facts.ts';
import { repeated, type XmlObject } from '../wire/xml.ts';

/** One type as DescribeInstanceTypes shows it. What the catalogue does not know is left out. */
export function instanceTypeXml(type: InstanceTypeFacts): XmlObject {
  return {
    instanceType: type.name,
    currentGeneration: type.isCurrentGeneration,
    supportedUsageClasses: type.usageClasses,
    supportedRootDeviceTypes: type.rootDeviceTypes,
    supportedVirtualizationTypes: type.virtualizationTypes,
    bareMetal: type.isBareMetal,
    hypervisor: type.hypervisor === '' ? undefined : type.hypervisor,
    processorInfo: {
      supportedArchitectures: type.architectures,
      sustainedClockSpeedInGhz: type.clockMHz === undefined ? undefined : type.clockMHz / 1000,
      supportedFeatures: type.cpuFeatures,
      manufacturer: type.cpuManufacturer,
    },
    vCpuInfo: {
      defaultVCpus: type.vcpus,
      defaultCores: type.cores,
      defaultThreadsPerCore: type.threadsPerCore,
    },
    memoryInfo: { sizeInMiB: type.memoryMiB },
    instanceStorageSupported: type.disk !== undefined,
    instanceStorageInfo: diskXml(type),
    ebsInfo: ebsXml(type.ebs),
    networkInfo: networkXml(type.network),
    gpuInfo: gpuXml(type),
    fpgaInfo: listedXml(type.fpgas, 'fpgas', 'totalFpgaMemoryInMiB'),
    placementGroupInfo: { supportedStrategies: type.placementStrategies },
    inferenceAcceleratorInfo: inferenceXml(type.inferenceAccelerators),
    burstablePerformanceSupported: type.isBurstable,
    dedicatedHostsSupported: type.hasDedicatedHosts,
    supportedBootModes: type.bootModes,
    mediaAcceleratorInfo: listedXml(
      type.mediaAccelerators,
      'accelerators',
      'totalMediaMemoryInMiB',
    ),
    neuronInfo: neuronXml(type),
  };
}

function diskXml({ disk }: InstanceTypeFacts): XmlObject | undefined {
  if (disk === undefined) return undefined;
  const { totalGB, count, type, nvmeSupport } = disk;
  return {
    totalSizeInGB: totalGB,
    disks: [{ sizeInGB: Math.floor(totalGB / count), count, type }],
    nvmeSupport,
    encryptionSupport: nvmeSupport === 'required' ? 'required' : 'unsupported',
  };
}

function ebsXml(ebs: EbsFacts): XmlObject {
  const throughput = (mbps: number | undefined) => (mbps === undefined ? undefined : mbps / 8);
  return {
    ebsOptimizedSupport: ebs.optimizedSupport,
    encryptionSupport: 'supported',
    ebsOptimizedInfo:
      ebs.maximumMbps === undefined
        ? undefined
        : {
            baselineBandwidthInMbps: ebs.baselineMbps,
            baselineThroughputInMBps: throughput(ebs.baselineMbps),
            baselineIops: ebs.baselineIops,
            maximumBandwidthInMbps: ebs.maximumMbps,
            maximumThroughputInMBps: throughput(ebs.maximumMbps),
            maximumIops: ebs.maximumIops,
          },
    maximumEbsAttachments: ebs.maximumVolumes,
    attachmentLimitType:
      ebs.maximumVolumes === undefined ? undefined : ebs.isLimitShared ? 'shared' : 'dedicated',
  };
}

function networkXml(network: NetworkFacts): XmlObject {
  const gbps = (mbps: number | undefined) => (mbps === undefined ? undefined : mbps / 1000);
  return {
    networkPerformance: network.performance,
    maximumNetworkInterfaces: network.maximumInterfaces,
    maximumNetworkCards: network.cards.length,
    defaultNetworkCardIndex: network.defaultCardIndex,
    networkCards: network.cards.map((card, index) => ({
      networkCardIndex: index,
      networkPerformance: network.performance,
      maximumNetworkInterfaces: card.maximumInterfaces,
      baselineBandwidthInGbps: gbps(card.baselineMbps),
      peakBandwidthInGbps: gbps(card.peakMbps),
    })),
    ipv4AddressesPerInterface: network.ipv4PerInterface,
    ipv6AddressesPerInterface: network.ipv6PerInterface,
    ipv6Supported: network.ipv6PerInterface > 0,
    enaSupport: network.ena,
    efaSupported: network.maximumEfaInterfaces > 0,
    efaInfo:
      network.maximumEfaInterfaces > 0
        ? { maximumEfaInterfaces: network.maximumEfaInterfaces }
        : undefined,
    encryptionInTransitSupported: network.isEncryptedInTransit,
  };
}

function gpuXml({ gpus }: InstanceTypeFacts): XmlObject | undefined {
  if (gpus.length === 0) return undefined;
  return {
    gpus: gpus.map((gpu) => ({
      ...acceleratorXml(gpu),
      logicalGpuCount: gpu.logicalCount,
      gpuPartitionSize: gpu.partitionSize,
    })),
    // A fractional GPU counts as zero whole ones and still has its share of memory.
    totalGpuMemoryInMiB: gpus.reduce((sum, gpu) => sum + gpu.memoryMiB * gpu.logicalCount, 0),
  };
}

function neuronXml({ neuronDevices }: InstanceTypeFacts): XmlObject | undefined {
  if (neuronDevices.length === 0) return undefined;
  return {
    neuronDevices: neuronDevices.map((device) => ({
      count: device.count,
      name: device.name,
      coreInfo: { count: device.coresPerDevice, version: device.coreVersion },
      memoryInfo: { sizeInMiB: device.memoryMiB },
    })),
    totalNeuronDeviceMemoryInMiB: totalMemory(neuronDevices),
  };
}

function inferenceXml(accelerators: readonly AcceleratorFacts[]): XmlObject | undefined {
  if (accelerators.length === 0) return undefined;
  return {
    // The only list of EC2 whose members are called so.
    accelerators: { member: repeated(accelerators.map(acceleratorXml)) },
    totalInferenceMemoryInMiB: totalMemory(accelerators),
  };
}

function listedXml(
  accelerators: readonly AcceleratorFacts[],
  listName: string,
  totalName: string,
): XmlObject | undefined {
  if (accelerators.length === 0) return undefined;
  return {
    [listName]: accelerators.map(acceleratorXml),
    [totalName]: totalMemory(accelerators),
  };
}

function acceleratorXml(accelerator: AcceleratorFacts): XmlObject {
  return {
    name: accelerator.name,
    manufacturer: accelerator.manufacturer,
    count: accelerator.count,
    memoryInfo: { sizeInMiB: accelerator.memoryMiB },
  };
}

function totalMemory(
  devices: readonly { readonly count: number; readonly memoryMiB: number }[],
): number {
  return devices.reduce((sum, device) => sum + device.count * device.memoryMiB, 0);
}
