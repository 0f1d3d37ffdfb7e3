import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import type {
  AmiFamily,
  ResolvedCapacityReservation,
} from '../../../api/karpenter/ec2-node-class.ts';
import type { Requirements } from '../../../core/requirements/requirements.ts';
import { absent, only, type ValueSet } from '../../../core/requirements/value-set.ts';
import { labels } from '../../../core/requirements/well-known.ts';
import { windowsBuild } from '../node-class/ami-family.ts';
import type { PlacementGroup } from '../placement/placement-groups.ts';
import { fallbackData } from './fallback-data.ts';
import { architecture, operatingSystem } from './operating-system.ts';

const aws = 'karpenter.k8s.aws';

/** What decides the labels of a type beside the machine itself. */
export interface MachinePlaces {
  readonly region: string;
  readonly family: AmiFamily;
  readonly zones: readonly { readonly name: string; readonly id: string | undefined }[];
  /** Those of this very type. */
  readonly reservations: readonly ResolvedCapacityReservation[];
  readonly placementGroup?: PlacementGroup | undefined;
}

/** The labels of the machine's Node; several values where the purchase decides, `absent` where none. */
export function machineRequirements(info: InstanceTypeInfo, places: MachinePlaces): Requirements {
  const name = info.InstanceType ?? '';
  return new Map<string, ValueSet>([
    [labels.instanceType, only([name])],
    [labels.arch, only([architecture(info)])],
    [labels.os, values([operatingSystem(info, places.family)])],
    [labels.windowsBuild, one(windowsBuild(places.family))],
    ...zoneLabels(places),
    ...purchaseLabels(info, places),
    ...placementLabels(places.placementGroup),
    ...nameLabels(name),
    ...processorLabels(info),
    ...deviceLabels(info),
    ...networkLabels(info),
  ]);
}

function zoneLabels({ region, zones }: MachinePlaces): [string, ValueSet][] {
  const ids = values(zones.map((zone) => zone.id));
  return [
    entry(labels.region, only([region])),
    entry(labels.zone, only(zones.map((zone) => zone.name))),
    // A class that was resolved by an older version may not know the ids yet.
    ...(ids.values.size > 0 ? [entry(labels.zoneId, ids)] : []),
  ];
}

function purchaseLabels(
  info: InstanceTypeInfo,
  { reservations }: MachinePlaces,
): [string, ValueSet][] {
  const isReserved = reservations.length > 0;
  const ofReservations = (read: (one: ResolvedCapacityReservation) => string): ValueSet =>
    isReserved ? only(reservations.map(read)) : absent;
  return [
    entry(
      labels.capacityType,
      only([...capacityTypesOf(info), ...(isReserved ? ['reserved'] : [])]),
    ),
    entry(
      `${aws}/capacity-reservation-id`,
      ofReservations((one) => one.id),
    ),
    entry(
      `${aws}/capacity-reservation-type`,
      ofReservations((one) => one.reservationType ?? 'default'),
    ),
    entry(
      `${aws}/capacity-reservation-interruptible`,
      ofReservations((one) => String(one.interruptible ?? false)),
    ),
    entry(`${aws}/instance-tenancy`, only(['default', 'dedicated'])),
  ];
}

/** Without a group nothing is said: a claim may then not ask for one either. */
function placementLabels(group: PlacementGroup | undefined): [string, ValueSet][] {
  if (group === undefined) return [];
  const partitions = Array.from({ length: group.partitionCount }, (_, index) => String(index + 1));
  return [
    entry(`${aws}/placement-group-id`, only([group.id])),
    ...(partitions.length === 0
      ? []
      : [entry(`${aws}/placement-group-partition`, only(partitions))]),
  ];
}

/** The ways this type is sold that we can buy. */
export function capacityTypesOf(info: InstanceTypeInfo): ('on-demand' | 'spot')[] {
  const classes = info.SupportedUsageClasses ?? [];
  return (['on-demand', 'spot'] as const).filter((kind) => classes.includes(kind));
}

function nameLabels(name: string): [string, ValueSet][] {
  const generation = /(^[a-z]+)(-[0-9]+tb)?([0-9]+).*\./.exec(name);
  const parts = name.split('.');
  const [family = '', size] = parts;
  return [
    entry(`${aws}/instance-category`, one(generation?.[1])),
    entry(`${aws}/instance-generation`, one(generation?.[3])),
    entry(`${aws}/instance-family`, parts.length === 2 ? one(family) : absent),
    entry(`${aws}/instance-size`, parts.length === 2 ? one(size) : absent),
    entry(`${aws}/instance-capability-flex`, flag(family.includes('-flex'))),
  ];
}

function processorLabels(info: InstanceTypeInfo): [string, ValueSet][] {
  const ghz = info.ProcessorInfo?.SustainedClockSpeedInGhz;
  return [
    entry(`${aws}/instance-cpu`, one(info.VCpuInfo?.DefaultVCpus)),
    entry(`${aws}/instance-cpu-manufacturer`, one(kebab(info.ProcessorInfo?.Manufacturer))),
    entry(
      `${aws}/instance-cpu-sustained-clock-speed-mhz`,
      // The oldest types have no stated speed, and carry the label nevertheless.
      one(Math.round((ghz ?? 0) * 1_000)),
    ),
    entry(`${aws}/instance-memory`, one(info.MemoryInfo?.SizeInMiB)),
    // Bare metal has the label too, and it is empty.
    entry(`${aws}/instance-hypervisor`, only([info.Hypervisor ?? ''])),
    entry(`${aws}/nitro-sandbox`, flag(info.NitroEnclavesSupport === 'supported')),
  ];
}

function deviceLabels(info: InstanceTypeInfo): [string, ValueSet][] {
  const gpus = info.GpuInfo?.Gpus ?? [];
  const gpu = gpus.length === 1 ? gpus[0] : undefined;
  const store = info.InstanceStorageInfo;
  const hasNvme = store?.NvmeSupport !== undefined && store.NvmeSupport !== 'unsupported';
  const accelerator = acceleratorOf(info);
  return [
    entry(`${aws}/instance-local-nvme`, hasNvme ? one(store?.TotalSizeInGB) : absent),
    entry(`${aws}/instance-gpu-name`, one(kebab(gpu?.Name))),
    entry(`${aws}/instance-gpu-manufacturer`, one(kebab(gpu?.Manufacturer))),
    entry(`${aws}/instance-gpu-count`, one(gpu?.Count)),
    entry(`${aws}/instance-gpu-memory`, one(gpu?.MemoryInfo?.SizeInMiB)),
    entry(`${aws}/instance-accelerator-name`, one(kebab(accelerator?.name))),
    entry(`${aws}/instance-accelerator-manufacturer`, one(kebab(accelerator?.manufacturer))),
    entry(`${aws}/instance-accelerator-count`, one(accelerator?.count)),
  ];
}

function acceleratorOf(
  info: InstanceTypeInfo,
): { readonly name?: string; readonly manufacturer?: string; readonly count?: number } | undefined {
  const neuron = info.NeuronInfo?.NeuronDevices ?? [];
  if (neuron.length > 0) {
    const device = neuron.length === 1 ? neuron[0] : undefined;
    return device && { ...accelerator(device.Name, device.Count), manufacturer: 'aws' };
  }
  const inference = info.InferenceAcceleratorInfo?.Accelerators ?? [];
  const only = inference.length === 1 ? inference[0] : undefined;
  return (
    only && {
      ...accelerator(only.Name, only.Count),
      ...(only.Manufacturer === undefined ? {} : { manufacturer: only.Manufacturer }),
    }
  );
}

function accelerator(
  name: string | undefined,
  count: number | undefined,
): { readonly name?: string; readonly count?: number } {
  return { ...(name === undefined ? {} : { name }), ...(count === undefined ? {} : { count }) };
}

function networkLabels(info: InstanceTypeInfo): [string, ValueSet][] {
  const ebs = info.EbsInfo;
  const ebsMbps = ebs?.EbsOptimizedInfo?.MaximumBandwidthInMbps;
  return [
    entry(
      `${aws}/instance-ebs-bandwidth`,
      ebs?.EbsOptimizedSupport === 'default' ? one(ebsMbps) : absent,
    ),
    entry(`${aws}/instance-network-bandwidth`, one(networkMbps(info))),
    entry(
      `${aws}/instance-encryption-in-transit-supported`,
      flag(info.NetworkInfo?.EncryptionInTransitSupported === true),
    ),
  ];
}

/**
 * What the machine's network carries at all times, from the table. A type younger than the table
 * states it itself, unless several cards share one limit; then only the words ("4x 100 Gigabit") tell.
 */
function networkMbps(info: InstanceTypeInfo): number | undefined {
  const listed = fallbackData().networkMbps(info.InstanceType ?? '');
  if (listed !== undefined) return listed === 'none' ? undefined : listed;
  const cards = info.NetworkInfo?.NetworkCards ?? [];
  const stated = /^(?:(\d+)x )?([\d.]+) Gigabit$/.exec(info.NetworkInfo?.NetworkPerformance ?? '');
  if (cards.length > 1 && stated !== null)
    return Math.round(Number(stated[1] ?? 1) * Number(stated[2]) * 1_000);
  const baseline = cards[0]?.BaselineBandwidthInGbps;
  return baseline === undefined ? undefined : Math.round(baseline * 1_000);
}

function entry(key: string, set: ValueSet): [string, ValueSet] {
  return [key, set];
}

function values(list: readonly (string | undefined)[]): ValueSet {
  return only(list.filter((value) => value !== undefined));
}

function one(value: string | number | undefined): ValueSet {
  return value === undefined ? absent : only([String(value)]);
}

function flag(isSet: boolean): ValueSet {
  return only([String(isSet)]);
}

function kebab(text: string | undefined): string | undefined {
  return text?.toLowerCase().replaceAll(' ', '-');
}
