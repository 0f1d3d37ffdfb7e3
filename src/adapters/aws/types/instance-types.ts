import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';
import type { InstanceType, Offering } from '../../../core/catalog/instance-type.ts';
import { firstConflict, requirementsOf } from '../../../core/requirements/requirements.ts';
import { CloudError } from '../../../ports/cloud-provider.ts';
import type { AwsContext } from '../context.ts';
import { canonicalJson } from '../launch/content-hash.ts';
import { amiFamilyOf, type StatusImage } from '../node-class/image-alias.ts';
import { capacityOf, type MachineSettings } from './machine-capacity.ts';
import { createMachineDiscovery, type DiscoveredMachines } from './machine-discovery.ts';
import { capacityTypesOf, machineRequirements } from './machine-labels.ts';
import { allocatableOf } from './machine-overhead.ts';
import { createPricing, type Prices } from './pricing.ts';
import type { UnavailableOfferings } from './unavailable-offerings.ts';

export interface InstanceTypes {
  /**
   * What the node class can launch, by name. While nothing changed (machines, prices,
   * availability, the class) the answer is the same object, so that callers can compile it once.
   */
  list(nodeClass: EC2NodeClass): Promise<readonly InstanceType[]>;
}

/** A type without its offerings, which change far more often than the rest. */
interface ResolvedType {
  readonly shell: Omit<InstanceType, 'offerings'>;
  readonly zones: readonly string[];
  readonly capacityTypes: readonly ('on-demand' | 'spot')[];
  readonly canBoot: boolean;
}

interface Entry {
  readonly machines: DiscoveredMachines;
  readonly resolved: readonly ResolvedType[];
  offered?: { readonly prices: Prices; readonly version: number; readonly types: InstanceType[] };
}

const maxEntries = 50;

export function createInstanceTypes(
  context: AwsContext,
  unavailable: UnavailableOfferings,
): InstanceTypes {
  const machinesNow = createMachineDiscovery(context);
  const pricesNow = createPricing(context);
  const entries = new Map<string, Entry>();
  const keys = new WeakMap<EC2NodeClass, string>();

  function keyOf(nodeClass: EC2NodeClass): string {
    const known = keys.get(nodeClass) ?? contentKey(nodeClass);
    keys.set(nodeClass, known);
    return known;
  }

  function entryOf(nodeClass: EC2NodeClass, machines: DiscoveredMachines): Entry {
    const key = keyOf(nodeClass);
    const known = entries.get(key);
    if (known !== undefined && known.machines === machines) return known;
    const entry: Entry = { machines, resolved: resolveTypes(context, nodeClass, machines) };
    entries.delete(key);
    entries.set(key, entry);
    const oldest = entries.keys().next().value;
    if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
    return entry;
  }

  return {
    async list(nodeClass) {
      const [machines, prices] = await Promise.all([machinesNow(), pricesNow()]);
      const entry = entryOf(nodeClass, machines);
      const version = unavailable.version();
      if (entry.offered?.prices !== prices || entry.offered.version !== version) {
        const types = entry.resolved.map((type) => offer(type, prices, unavailable));
        entry.offered = { prices, version, types };
      }
      return entry.offered.types;
    },
  };
}

/** Everything of the class that decides what its machines look like. */
function contentKey({ spec, status }: EC2NodeClass): string {
  return canonicalJson([
    spec.kubelet,
    spec.blockDeviceMappings,
    spec.instanceStorePolicy,
    spec.amiFamily,
    spec.amiSelectorTerms.map((term) => term.alias),
    status?.amis,
    (status?.subnets ?? []).map((subnet) => `${subnet.zone}/${subnet.zoneID}`).sort(),
  ]);
}

function resolveTypes(
  context: AwsContext,
  nodeClass: EC2NodeClass,
  machines: DiscoveredMachines,
): readonly ResolvedType[] {
  const zoneIds = new Map((nodeClass.status?.subnets ?? []).map((one) => [one.zone, one.zoneID]));
  if (zoneIds.size === 0)
    throw new CloudError(
      'node-class-not-ready',
      'SubnetsNotFound',
      `listing instance types: node class ${nodeClass.metadata.name} has no subnets yet`,
    );
  const settings = machineSettings(context, nodeClass);
  return machines.types.flatMap((info) => {
    const offered = machines.zonesOf.get(info.InstanceType ?? '') ?? new Set();
    const zones = [...zoneIds.keys()].filter((zone) => offered.has(zone)).sort();
    if (zones.length === 0) return [];
    const places = zones.map((name) => ({ name, id: zoneIds.get(name) }));
    const requirements = machineRequirements(info, {
      region: context.settings.region,
      zones: places,
    });
    const capacity = capacityOf(info, settings);
    const shell = {
      name: info.InstanceType ?? '',
      requirements,
      capacity,
      allocatable: allocatableOf(info, settings, capacity),
    };
    const canBoot =
      !isForbidden(info, settings) && imageFor(shell, nodeClass.status?.amis) !== undefined;
    return [{ shell, zones, capacityTypes: capacityTypesOf(info), canBoot }];
  });
}

function machineSettings(context: AwsContext, nodeClass: EC2NodeClass): MachineSettings {
  return {
    family: amiFamilyOf(nodeClass),
    kubelet: nodeClass.spec.kubelet,
    blockDeviceMappings: nodeClass.spec.blockDeviceMappings,
    instanceStorePolicy: nodeClass.spec.instanceStorePolicy,
    vmMemoryOverheadPercent: context.settings.vmMemoryOverheadPercent ?? 0.075,
    reservedEnis: context.settings.reservedEnis ?? 0,
  };
}

/** AL2023 needs instructions that the first Arm processors lack. */
function isForbidden(info: InstanceTypeInfo, settings: MachineSettings): boolean {
  return settings.family === 'AL2023' && (info.InstanceType ?? '').startsWith('a1.');
}

/** The first image, in the order of the status, that boots on the type. */
export function imageFor(
  type: Pick<InstanceType, 'requirements'>,
  images: readonly StatusImage[] | undefined,
): StatusImage | undefined {
  return images?.find(
    (image) => firstConflict(type.requirements, requirementsOf(image.requirements)) === undefined,
  );
}

function offer(
  type: ResolvedType,
  prices: Prices,
  unavailable: UnavailableOfferings,
): InstanceType {
  const instanceType = type.shell.name;
  const cpuMillis = type.shell.capacity.cpu ?? 0;
  const offerings = type.zones.flatMap((zone) =>
    type.capacityTypes.flatMap((capacityType): Offering[] => {
      const exact =
        capacityType === 'spot' ? prices.spot(instanceType, zone) : prices.onDemand(instanceType);
      // Without a price of its own it is not for sale; the on-demand price still values old nodes.
      const priceUsdPerHour = exact ?? prices.onDemand(instanceType);
      if (priceUsdPerHour === undefined) return [];
      const isAvailable =
        type.canBoot &&
        exact !== undefined &&
        !unavailable.has({ capacityType, instanceType, zone, cpuMillis });
      return [{ zone, capacityType, priceUsdPerHour, isAvailable }];
    }),
  );
  return { ...type.shell, offerings };
}
