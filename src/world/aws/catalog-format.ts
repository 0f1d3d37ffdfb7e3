/** The EC2 catalogue as it lies in `data/ec2-catalog.json`; see `data/README.md`. */
export interface CatalogFile {
  readonly schema: number;
  readonly dicts: {
    readonly arch: readonly (readonly string[])[];
    readonly hypervisor: readonly string[];
    readonly cpuMaker: readonly string[];
    readonly cpuFeatures: readonly (readonly string[])[];
    readonly netPerf: readonly string[];
    readonly ena: readonly string[];
    readonly ebsOptimized: readonly string[];
    readonly diskType: readonly string[];
    readonly diskNvme: readonly string[];
    readonly usage: readonly (readonly string[])[];
    readonly boot: readonly (readonly string[])[];
    readonly placement: readonly (readonly string[])[];
    readonly rootDevice: readonly (readonly string[])[];
    readonly virtualization: readonly (readonly string[])[];
  };
  /** Columns of equal length. */
  readonly types: { readonly name: readonly string[] } & {
    readonly [column in TypeColumn]: readonly (number | null)[];
  };
  readonly tables: {
    readonly netCardRuns: readonly (readonly [number, readonly NetworkCardRun[]])[];
    readonly gpus: readonly GpuRow[];
    readonly neuron: readonly NeuronRow[];
    readonly inference: readonly AcceleratorRow[];
    readonly fpgas: readonly AcceleratorRow[];
    readonly media: readonly AcceleratorRow[];
    readonly dedicatedMetal: readonly (readonly [number, number])[];
  };
  readonly regions: readonly RegionFile[];
}

export type TypeColumn =
  | 'arch'
  | 'vcpu'
  | 'cores'
  | 'threadsPerCore'
  | 'memMiB'
  | 'currentGen'
  | 'bareMetal'
  | 'burstable'
  | 'dedicatedHost'
  | 'hypervisor'
  | 'cpuMaker'
  | 'clockMHz'
  | 'cpuFeatures'
  | 'maxEni'
  | 'ipv4PerEni'
  | 'ipv6PerEni'
  | 'netCards'
  | 'defaultCard'
  | 'defaultCardEni'
  | 'trunking'
  | 'branchEni'
  | 'netPerf'
  | 'netBaseMbps'
  | 'netPeakMbps'
  | 'karpenterNetMbps'
  | 'ena'
  | 'efaMax'
  | 'encryptInTransit'
  | 'ebsOptimized'
  | 'ebsBaseMbps'
  | 'ebsMaxMbps'
  | 'ebsBaseIops'
  | 'ebsMaxIops'
  | 'ebsMaxVolumes'
  | 'ebsVolumesShared'
  | 'diskTotalGB'
  | 'diskCount'
  | 'diskType'
  | 'diskNvme'
  | 'usage'
  | 'boot'
  | 'placement'
  | 'rootDevice'
  | 'virtualization';

/** Cards, interfaces per card, baseline Mbps, peak Mbps, kinds of interfaces. */
export type NetworkCardRun = readonly [number, number, number | null, number | null, number];

/** Type, maker, name, count, MiB each, partition, logical GPUs. */
type GpuRow = readonly [number, string, string, number, number, number, number];

/** Type, name, devices, cores per device, core version, MiB each. */
type NeuronRow = readonly [number, string, number, number, number, number];

/** Type, maker, name, count, MiB each. */
type AcceleratorRow = readonly [number, string, string, number, number];

export interface RegionFile {
  readonly name: string;
  readonly zones: readonly (readonly [string, string])[];
  readonly type: readonly number[];
  readonly zoneMask: readonly number[];
  readonly onDemand: readonly (number | null)[];
  readonly spot: readonly (readonly (number | null)[])[];
  readonly band: readonly (number | null)[];
  readonly savings: readonly (number | null)[];
}
