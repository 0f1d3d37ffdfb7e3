import type { InstanceTypeInfo } from '@aws-sdk/client-ec2';
import type {
  EC2NodeClass,
  ResolvedCapacityReservation,
} from '../../../api/karpenter/ec2-node-class.ts';
import type { InstanceType } from '../../../core/catalog/instance-type.ts';
import type { Resources } from '../../../core/quantity/resources.ts';
import { firstConflict, requirementsOf } from '../../../core/requirements/requirements.ts';
import { CloudError } from '../../../ports/cloud-provider.ts';
import type { AwsContext } from '../context.ts';
import { amiFamilyOf, type StatusImage } from '../node-class/image-alias.ts';
import type { PlacementGroup } from '../placement/placement-groups.ts';
import { incompatibility } from './compatibility.ts';
import { capacityOf, type MachineSettings } from './machine-capacity.ts';
import type { DiscoveredMachines } from './machine-discovery.ts';
import { capacityTypesOf } from './machine-labels.ts';
import { allocatableOf, overheadOf } from './machine-overhead.ts';
import type { SharedLabels } from './shared-labels.ts';

/** A type under one node class, without what changes from minute to minute. */
export interface ResolvedType {
  readonly name: string;
  readonly requirements: InstanceType['requirements'];
  /** By the formula; what a Node has reported of its memory comes later. */
  readonly capacity: Resources;
  readonly overhead: Resources;
  readonly allocatable: Resources;
  readonly zones: readonly Zone[];
  readonly capacityTypes: readonly ('on-demand' | 'spot')[];
  readonly reservations: readonly ResolvedCapacityReservation[];
  /** The image it boots; undefined where there is none for it, or where the class rules it out. */
  readonly imageId: string | undefined;
}

interface Zone {
  readonly name: string;
  readonly id: string | undefined;
}

/**
 * Every machine that the class has a zone for, by name. One that cannot serve the class is listed
 * too, without an image, so that it is known why it is not bought and what it would cost.
 */
export function resolveTypes(
  context: AwsContext,
  nodeClass: EC2NodeClass,
  found: {
    readonly machines: DiscoveredMachines;
    readonly placementGroup: PlacementGroup | undefined;
    readonly labels: SharedLabels;
  },
): readonly ResolvedType[] {
  const zones = zonesOf(nodeClass);
  const settings = machineSettings(context, nodeClass);
  const { family } = settings;
  const isReservable = context.settings.hasReservedCapacity !== false;
  return found.machines.types.flatMap((info) => {
    const name = info.InstanceType ?? '';
    const offered = found.machines.zonesOf.get(name);
    const places = zones.filter((zone) => offered?.has(zone.name) === true);
    if (places.length === 0) return [];
    const reservations = isReservable ? reservationsOf(nodeClass, name) : [];
    const requirements = found.labels.of(info, {
      ...{ region: context.settings.region, family, zones: places, reservations },
      placementGroup: found.placementGroup,
    });
    const demands = { family, spec: nodeClass.spec, placementGroup: found.placementGroup };
    const image =
      incompatibility(info, demands) === undefined
        ? imageFor({ requirements }, nodeClass.status?.amis)
        : undefined;
    return [
      {
        ...{ name, requirements, zones: places, reservations },
        ...amountsOf(info, settings),
        capacityTypes: capacityTypesOf(info),
        imageId: image?.id,
      },
    ];
  });
}

function amountsOf(
  info: InstanceTypeInfo,
  settings: MachineSettings,
): Pick<ResolvedType, 'capacity' | 'overhead' | 'allocatable'> {
  const capacity = capacityOf(info, settings);
  const overhead = overheadOf(info, settings);
  return { capacity, overhead, allocatable: allocatableOf(capacity, overhead) };
}

function zonesOf(nodeClass: EC2NodeClass): readonly Zone[] {
  const ids = new Map((nodeClass.status?.subnets ?? []).map((one) => [one.zone, one.zoneID]));
  if (ids.size === 0)
    throw new CloudError(
      'node-class-not-ready',
      'SubnetsNotFound',
      `listing instance types: node class ${nodeClass.metadata.name} has no subnets yet`,
    );
  return [...ids.keys()].sort().map((name) => ({ name, id: ids.get(name) }));
}

function reservationsOf(
  nodeClass: EC2NodeClass,
  instanceType: string,
): readonly ResolvedCapacityReservation[] {
  const all = nodeClass.status?.capacityReservations ?? [];
  return all.filter((reservation) => reservation.instanceType === instanceType);
}

function machineSettings({ settings }: AwsContext, nodeClass: EC2NodeClass): MachineSettings {
  const { kubelet, blockDeviceMappings, instanceStorePolicy, networkInterfaces } = nodeClass.spec;
  return {
    family: amiFamilyOf(nodeClass),
    ...{ kubelet, blockDeviceMappings, instanceStorePolicy, networkInterfaces },
    vmMemoryOverheadPercent: settings.vmMemoryOverheadPercent ?? 0.075,
    reservedEnis: settings.reservedEnis ?? 0,
  };
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
