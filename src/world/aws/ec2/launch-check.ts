import { defaultSecurityGroup, type Subnet } from '../account.ts';
import type { Cloud } from '../cloud.ts';
import type { Image } from '../images.ts';
import type { InstanceTypeFacts } from '../instance-type-facts.ts';
import type { Offer, PurchaseOption } from '../market/offer.ts';
import type { LaunchOrder } from './instance.ts';
import { addressCount } from './instance-parts.ts';
import { findPlacementGroup, placeInGroup, reservationFor } from './launch-places.ts';
import type { LaunchSpecification } from './launch-specification.ts';
import type { PlacementGroup } from './placement-group-store.ts';

/** Why EC2 does not launch this; the same codes stand in fleet errors and in refused requests. */
export interface Refusal {
  readonly kind: 'refused';
  readonly code: string;
  readonly message: string;
}

export type Resolved = { readonly kind: 'resolved' } & Omit<
  LaunchOrder,
  'tags' | 'clientToken' | 'priceUsdPerHour' | 'capacityReservationId' | 'placement'
> & { readonly placementGroup: PlacementGroup | undefined };

function refused(code: string, message: string): Refusal {
  return { kind: 'refused', code, message };
}

/** Looks up everything that a specification names. What does not depend on capacity is checked here. */
export function resolveLaunch(
  cloud: Cloud,
  specification: LaunchSpecification,
  capacityType: PurchaseOption,
): Resolved | Refusal {
  const type = cloud.catalog.type(specification.instanceType ?? '');
  if (type === undefined) {
    return refused(
      'InvalidParameterValue',
      `Invalid value '${specification.instanceType ?? ''}' for InstanceType.`,
    );
  }
  const image = findImage(cloud, specification.imageId);
  if ('kind' in image) return image;
  const subnet = findSubnet(cloud, specification, type);
  if ('kind' in subnet) return subnet;
  const groups = findGroups(cloud, specification);
  if ('kind' in groups) return groups;
  const profile = findProfile(cloud, specification.instanceProfile);
  if (profile !== undefined && 'kind' in profile) return profile;
  const placementGroup = findPlacementGroup(cloud, specification);
  if (placementGroup !== undefined && 'kind' in placementGroup) return placementGroup;
  const mismatch = checkFit(cloud, {
    ...{ type, image, subnet, capacityType, specification, placementGroup },
  });
  if (mismatch !== undefined) return mismatch;
  return {
    kind: 'resolved',
    type,
    image,
    subnet,
    capacityType,
    specification,
    securityGroups: groups.found,
    instanceProfile: profile,
    placementGroup,
  };
}

function findImage(cloud: Cloud, id: string | undefined): Image | Refusal {
  if (id === undefined)
    return refused('MissingParameter', 'The request must contain the parameter ImageId');
  if (!/^ami-[0-9a-f]+$/.test(id)) {
    return refused('InvalidAMIID.Malformed', `Invalid id: "${id}"`);
  }
  const image = cloud.account().published.images.find((candidate) => candidate.id === id);
  return image ?? refused('InvalidAMIID.NotFound', `The image id '[${id}]' does not exist`);
}

function findSubnet(
  cloud: Cloud,
  { subnetId, zone }: LaunchSpecification,
  type: InstanceTypeFacts,
): Subnet | Refusal {
  const { subnets } = cloud.account();
  if (subnetId !== undefined) {
    const subnet = subnets.find((candidate) => candidate.id === subnetId);
    if (subnet === undefined) {
      return refused('InvalidSubnetID.NotFound', `The subnet ID '${subnetId}' does not exist`);
    }
    return zone === undefined || zone === subnet.zone.name
      ? subnet
      : refused('InvalidParameterValue', `The subnet '${subnetId}' is not in zone '${zone}'.`);
  }
  const subnet = subnets.find((candidate) =>
    zone === undefined
      ? cloud.offers.isOffered(type.name, candidate.zone.name)
      : candidate.zone.name === zone,
  );
  return subnet ?? refused('InvalidParameterValue', `Invalid availability zone: [${zone ?? ''}]`);
}

function findGroups(
  cloud: Cloud,
  { securityGroupIds }: LaunchSpecification,
): { readonly found: LaunchOrder['securityGroups'] } | Refusal {
  const account = cloud.account();
  if (securityGroupIds.length === 0) return { found: [defaultSecurityGroup(account)] };
  const unknown = securityGroupIds.find(
    (id) => !account.securityGroups.some((group) => group.id === id),
  );
  if (unknown !== undefined) {
    return refused('InvalidGroup.NotFound', `The security group '${unknown}' does not exist`);
  }
  return {
    found: account.securityGroups.filter((group) => securityGroupIds.includes(group.id)),
  };
}

function findProfile(
  cloud: Cloud,
  name: string | undefined,
): { readonly arn: string; readonly id: string } | Refusal | undefined {
  if (name === undefined) return undefined;
  const profile = cloud.profiles().find(name);
  if (profile?.role !== undefined) return { arn: profile.arn, id: profile.id };
  return refused(
    'InvalidParameterValue',
    profile === undefined
      ? `Value (${name}) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name`
      : `IAM Instance Profile '${profile.arn}' has no associated IAM Roles`,
  );
}

function checkFit(
  cloud: Cloud,
  fit: Pick<
    Resolved,
    'type' | 'image' | 'subnet' | 'capacityType' | 'specification' | 'placementGroup'
  >,
): Refusal | undefined {
  const { type, image, subnet, capacityType, placementGroup } = fit;
  if (!type.architectures.includes(image.architecture)) {
    return refused(
      'InvalidParameterValue',
      `The architecture '${type.architectures.join(',')}' of the specified instance type does not match the architecture '${image.architecture}' of the specified AMI.`,
    );
  }
  if (!cloud.offers.isOffered(type.name, subnet.zone.name)) {
    return refused(
      'Unsupported',
      `Your requested instance type (${type.name}) is not supported in your requested Availability Zone (${subnet.zone.name}).`,
    );
  }
  if (placementGroup !== undefined && !type.placementStrategies.includes(placementGroup.strategy)) {
    return refused(
      'InvalidParameterCombination',
      `The instance type ${type.name} is not supported for placement groups of strategy ${placementGroup.strategy}.`,
    );
  }
  const isBlock = fit.specification.marketType === 'capacity-block';
  if (!type.usageClasses.includes(isBlock ? 'capacity-block' : capacityType)) {
    return refused(
      'Unsupported',
      `The instance type ${type.name} cannot be bought as ${capacityType}.`,
    );
  }
  return undefined;
}

/** The pool that a resolved launch would draw from. */
export function offerOfLaunch(launch: Resolved): Offer {
  return {
    instanceType: launch.type.name,
    zone: launch.subnet.zone.name,
    capacityType: launch.capacityType,
  };
}

/** What the order for each machine says beside what was asked for. */
interface Available {
  readonly kind: 'available';
  readonly terms: Pick<LaunchOrder, 'priceUsdPerHour' | 'capacityReservationId' | 'placement'>;
}

/** Whether that many machines more can be had right now, and on what terms each. */
export function capacityFor(cloud: Cloud, launch: Resolved, count: number): Available | Refusal {
  const offer = offerOfLaunch(launch);
  const place = placeInGroup(cloud, launch, count);
  if (place !== undefined && 'kind' in place) return place;
  const reservation = reservationFor(cloud, launch, count);
  if (reservation?.kind === 'refused') return reservation;
  const isReserved = reservation !== undefined;
  // A block is paid for in advance, and its types may have no other price.
  const priceUsdPerHour =
    cloud.prices.at(offer, cloud.time.nowMs()) ?? (isReserved ? 0 : undefined);
  // Without a price (sold by host or by block only) the bill could not be exact.
  if (priceUsdPerHour === undefined || (!isReserved && cloud.shortages.isShort(offer, count))) {
    return outOfStock(offer);
  }
  const maximum = launch.specification.maxPriceUsdPerHour;
  if (launch.capacityType === 'spot' && maximum !== undefined && maximum < priceUsdPerHour) {
    return refused(
      'UnfulfillableCapacity',
      `Unable to fulfill capacity: the maximum price of ${maximum} is lower than the Spot price of ${priceUsdPerHour}.`,
    );
  }
  const overQuota = checkQuota(cloud, launch, count);
  if (overQuota !== undefined) return overQuota;
  if (cloud.addresses.available(launch.subnet) < count * addressCount(launch.specification)) {
    return refused(
      'InsufficientFreeAddressesInSubnet',
      `There are not enough free addresses in subnet '${launch.subnet.id}' to satisfy the requested number of instances.`,
    );
  }
  return {
    kind: 'available',
    terms: { priceUsdPerHour, capacityReservationId: reservation?.id, placement: place },
  };
}

function outOfStock(offer: Offer): Refusal {
  return refused(
    'InsufficientInstanceCapacity',
    offer.capacityType === 'spot'
      ? 'There is no Spot capacity available that matches your request.'
      : `We currently do not have sufficient ${offer.instanceType} capacity in the Availability Zone you requested (${offer.zone}). Our system will be working on provisioning additional capacity.`,
  );
}

function checkQuota(cloud: Cloud, launch: Resolved, count: number): Refusal | undefined {
  const quota = cloud.quotas[launch.capacityType];
  if (quota === undefined) return undefined;
  const used = cloud.instances.vcpusInUse(launch.capacityType);
  if (used + count * launch.type.vcpus <= quota) return undefined;
  return launch.capacityType === 'spot'
    ? refused('MaxSpotInstanceCountExceeded', 'Max spot instance count exceeded')
    : refused(
        'VcpuLimitExceeded',
        `You have requested more vCPU capacity than your current vCPU limit of ${quota} allows for the instance bucket that the specified instance type belongs to.`,
      );
}
