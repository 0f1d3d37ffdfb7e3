/** What DescribeInstanceTypes says of one type. A fact that no source states is undefined. */
export interface InstanceTypeFacts {
  readonly name: string;
  /** The architectures in AWS's words: `x86_64`, `arm64`. */
  readonly architectures: readonly string[];
  readonly vcpus: number;
  readonly cores: number;
  readonly threadsPerCore: number;
  readonly memoryMiB: number;
  readonly isCurrentGeneration: boolean;
  readonly isBareMetal: boolean;
  readonly isBurstable: boolean;
  readonly hasDedicatedHosts: boolean;
  /** Empty for bare metal. */
  readonly hypervisor: string;
  readonly cpuManufacturer: string;
  readonly clockMHz: number | undefined;
  readonly cpuFeatures: readonly string[];
  readonly network: NetworkFacts;
  readonly ebs: EbsFacts;
  readonly disk: DiskFacts | undefined;
  readonly usageClasses: readonly string[];
  readonly bootModes: readonly string[];
  readonly placementStrategies: readonly string[];
  readonly rootDeviceTypes: readonly string[];
  readonly virtualizationTypes: readonly string[];
  readonly gpus: readonly GpuFacts[];
  readonly neuronDevices: readonly NeuronFacts[];
  readonly inferenceAccelerators: readonly AcceleratorFacts[];
  readonly fpgas: readonly AcceleratorFacts[];
  readonly mediaAccelerators: readonly AcceleratorFacts[];
}

export interface NetworkFacts {
  readonly performance: string;
  readonly maximumInterfaces: number;
  readonly ipv4PerInterface: number;
  readonly ipv6PerInterface: number;
  readonly defaultCardIndex: number;
  readonly cards: readonly NetworkCardFacts[];
  readonly ena: string;
  readonly maximumEfaInterfaces: number;
  readonly isEncryptedInTransit: boolean;
}

export interface NetworkCardFacts {
  readonly maximumInterfaces: number;
  readonly baselineMbps: number | undefined;
  readonly peakMbps: number | undefined;
}

export interface EbsFacts {
  readonly optimizedSupport: string;
  readonly baselineMbps: number | undefined;
  readonly maximumMbps: number | undefined;
  readonly baselineIops: number | undefined;
  readonly maximumIops: number | undefined;
  readonly maximumVolumes: number | undefined;
  readonly isLimitShared: boolean;
}

export interface DiskFacts {
  readonly totalGB: number;
  readonly count: number;
  readonly type: string;
  readonly nvmeSupport: string;
}

export interface AcceleratorFacts {
  readonly manufacturer: string;
  readonly name: string;
  readonly count: number;
  readonly memoryMiB: number;
}

interface GpuFacts extends AcceleratorFacts {
  readonly partitionSize: number;
  readonly logicalCount: number;
}

interface NeuronFacts {
  readonly name: string;
  readonly count: number;
  readonly coresPerDevice: number;
  readonly coreVersion: number;
  readonly memoryMiB: number;
}
