import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import type {
  AmiFamily,
  EC2NodeClass,
  NetworkInterface,
} from '../../../api/karpenter/ec2-node-class.ts';
import { parseQuantity } from '../../../core/quantity/quantity.ts';
import type { Resources } from '../../../core/quantity/resources.ts';
import { familyFeatures } from '../node-class/ami-family.ts';
import { branchInterfaces } from './branch-interfaces.ts';
import { operatingSystem } from './operating-system.ts';

/** What decides the capacity of machines beside the machine itself. */
export interface MachineSettings {
  readonly family: AmiFamily;
  readonly kubelet: EC2NodeClass['spec']['kubelet'];
  readonly blockDeviceMappings: EC2NodeClass['spec']['blockDeviceMappings'];
  readonly instanceStorePolicy: EC2NodeClass['spec']['instanceStorePolicy'];
  readonly networkInterfaces: readonly NetworkInterface[] | undefined;
  readonly vmMemoryOverheadPercent: number;
  readonly reservedEnis: number;
}

export const mebibyte = 2 ** 20;
export const gibibyte = 2 ** 30;

/** Everything the machine has, as its Node will report it. Zero amounts are left out. */
export function capacityOf(info: InstanceTypeInfo, settings: MachineSettings): Resources {
  const capacity: Record<string, number> = {
    cpu: vcpus(info) * 1_000,
    memory: memoryBytes(info, settings),
    'ephemeral-storage': ephemeralStorageBytes(info, settings),
    pods: podLimit(info, settings),
    'vpc.amazonaws.com/pod-eni': branchInterfaces(info.InstanceType ?? ''),
    'nvidia.com/gpu': gpuCount(info, 'NVIDIA'),
    'amd.com/gpu': gpuCount(info, 'AMD'),
    'habana.ai/gaudi': gpuCount(info, 'Habana'),
    'aws.amazon.com/neuron': neuronDevices(info),
    'aws.amazon.com/neuroncore': neuronCores(info),
    'vpc.amazonaws.com/efa': efaInterfaces(info, settings),
    'vpc.amazonaws.com/PrivateIPv4Address': windowsAddresses(info, settings),
  };
  return Object.fromEntries(Object.entries(capacity).filter(([, amount]) => amount !== 0));
}

export function vcpus(info: InstanceTypeInfo): number {
  return info.VCpuInfo?.DefaultVCpus ?? 0;
}

/** What the operating system will see, less what the hypervisor is assumed to keep. */
export function memoryBytes(info: InstanceTypeInfo, settings: MachineSettings): number {
  const isArm = info.ProcessorInfo?.SupportedArchitectures?.[0] === 'arm64';
  const mebibytes = (info.MemoryInfo?.SizeInMiB ?? 0) - (isArm ? 64 : 0);
  return (mebibytes - Math.ceil(mebibytes * settings.vmMemoryOverheadPercent)) * mebibyte;
}

export function podLimit(info: InstanceTypeInfo, settings: MachineSettings): number {
  const features = familyFeatures(settings.family);
  const byNetwork = features.limitsPodsByInterfaces ? podsByInterfaces(info, settings) : 110;
  const limit = settings.kubelet?.maxPods ?? byNetwork;
  const perCore = settings.kubelet?.podsPerCore ?? 0;
  if (perCore > 0 && features.honoursPodsPerCore) return Math.min(perCore * vcpus(info), limit);
  return limit;
}

/**
 * One address of each interface is its own; two pods use the machine's network. Only the default
 * card gives addresses to pods, and interfaces of it that are EFA alone give none.
 */
export function podsByInterfaces(
  info: InstanceTypeInfo,
  settings: Pick<MachineSettings, 'reservedEnis' | 'networkInterfaces'>,
): number {
  const network = info.NetworkInfo;
  const index = network?.DefaultNetworkCardIndex ?? 0;
  const card = network?.NetworkCards?.find((one) => (one.NetworkCardIndex ?? 0) === index);
  const interfaces = card?.MaximumNetworkInterfaces ?? network?.MaximumNetworkInterfaces ?? 0;
  const taken = efaOnly(settings).filter((one) => one.networkCardIndex === 0).length;
  const usable = Math.max(0, interfaces - settings.reservedEnis - taken);
  return usable === 0 ? 0 : usable * ((network?.Ipv4AddressesPerInterface ?? 0) - 1) + 2;
}

function efaOnly({ networkInterfaces }: Pick<MachineSettings, 'networkInterfaces'>) {
  return (networkInterfaces ?? []).filter((one) => one.interfaceType === 'efa-only');
}

/** What the class names replaces what the machine could have. */
function efaInterfaces(info: InstanceTypeInfo, settings: MachineSettings): number {
  if (settings.networkInterfaces !== undefined) return efaOnly(settings).length;
  return info.NetworkInfo?.EfaInfo?.MaximumEfaInterfaces ?? 0;
}

/** Pods on Windows get their addresses from one interface, whose first is the machine's own. */
function windowsAddresses(info: InstanceTypeInfo, settings: MachineSettings): number {
  if (operatingSystem(info, settings.family) !== 'windows') return 0;
  return Math.max(0, (info.NetworkInfo?.Ipv4AddressesPerInterface ?? 0) - 1);
}

const defaultStorageBytes = 20 * gibibyte;

/** The disk that pods share. The first that applies: RAID of local disks, root volume, family's device. */
export function ephemeralStorageBytes(info: InstanceTypeInfo, settings: MachineSettings): number {
  const localGB = info.InstanceStorageInfo?.TotalSizeInGB ?? 0;
  if (settings.instanceStorePolicy === 'RAID0' && localGB > 0) return localGB * 1e9;
  const mappings = settings.blockDeviceMappings ?? [];
  const root = mappings.find((mapping) => mapping.rootVolume === true && sizeOf(mapping) > 0);
  if (root !== undefined) return sizeOf(root);
  if (settings.family === 'Custom') return sizeOf(mappings.at(-1)) || defaultStorageBytes;
  const { ephemeralDevice, defaultDevices } = familyFeatures(settings.family);
  const isEphemeral = (mapping: { readonly deviceName?: string }): boolean =>
    mapping.deviceName === ephemeralDevice;
  return (
    sizeOf(mappings.find(isEphemeral)) ||
    sizeOf(defaultDevices.find(isEphemeral)) ||
    defaultStorageBytes
  );
}

type Mapping = NonNullable<EC2NodeClass['spec']['blockDeviceMappings']>[number];

function sizeOf(mapping: Mapping | undefined): number {
  const size = parseQuantity(mapping?.ebs?.volumeSize ?? '0', 'units');
  return typeof size === 'number' ? size : 0;
}

function gpuCount(info: InstanceTypeInfo, manufacturer: string): number {
  const gpus = (info.GpuInfo?.Gpus ?? []).filter((gpu) => gpu.Manufacturer === manufacturer);
  return gpus.reduce((sum, gpu) => sum + (gpu.Count ?? 0), 0);
}

function neuronDevices(info: InstanceTypeInfo): number {
  const devices = info.NeuronInfo?.NeuronDevices ?? [];
  return devices.reduce((sum, device) => sum + (device.Count ?? 0), 0);
}

function neuronCores(info: InstanceTypeInfo): number {
  const first = info.NeuronInfo?.NeuronDevices?.[0];
  return (first?.Count ?? 0) * (first?.CoreInfo?.Count ?? 0);
}
