import type { Cloud } from '../cloud.ts';
import { isoMillis } from '../wire/times.ts';
import type { XmlObject } from '../wire/xml.ts';
import { type CapacityReservation, stateOf } from './capacity-reservation-store.ts';
import { type Instance, isAlive, type NetworkInterface, stateCodes } from './instance.ts';
import { tagSet } from './tag-store.ts';

/** A reservation around instances that were launched together. */
export function reservationXml(cloud: Cloud, instances: readonly Instance[]): XmlObject {
  return {
    reservationId: instances[0]?.reservationId,
    ownerId: cloud.accountId,
    groupSet: [],
    instancesSet: instances.map((instance) => instanceXml(cloud, instance)),
  };
}

export function stateXml(instance: Pick<Instance, 'state'>): XmlObject {
  return { code: stateCodes[instance.state], name: instance.state };
}

function instanceXml(cloud: Cloud, instance: Instance): XmlObject {
  const { order } = instance;
  const { specification } = order;
  return {
    instanceId: instance.id,
    imageId: order.image.id,
    instanceState: stateXml(instance),
    privateDnsName: isAlive(instance) ? instance.privateDnsName : '',
    dnsName: '',
    reason: transitionReason(instance),
    keyName: specification.keyName,
    amiLaunchIndex: instance.launchIndex,
    productCodes: [],
    instanceType: order.type.name,
    launchTime: isoMillis(instance.launchedAtMs),
    placement: {
      availabilityZone: order.subnet.zone.name,
      availabilityZoneId: order.subnet.zone.id,
      groupName: order.placement?.groupName ?? '',
      groupId: order.placement?.groupId,
      partitionNumber: order.placement?.partition || undefined,
      tenancy: specification.tenancy,
    },
    monitoring: { state: specification.isMonitored ? 'enabled' : 'disabled' },
    ...(isAlive(instance) ? networkXml(cloud, instance) : {}),
    stateReason: instance.stateReason,
    architecture: order.image.architecture,
    rootDeviceType: 'ebs',
    rootDeviceName: order.image.rootDeviceName,
    blockDeviceMapping: isAlive(instance) ? volumesXml(instance) : [],
    virtualizationType: 'hvm',
    clientToken: order.clientToken,
    tagSet: tagSet(cloud.tags.of(instance.id)),
    hypervisor: 'xen',
    iamInstanceProfile: order.instanceProfile,
    instanceLifecycle: lifecycleOf(cloud, instance),
    capacityReservationId: reservationOf(cloud, instance)?.id,
    spotInstanceRequestId: instance.spotRequestId,
    ebsOptimized: false,
    enaSupport: true,
    cpuOptions: { coreCount: order.type.cores, threadsPerCore: order.type.threadsPerCore },
    capacityReservationSpecification: {
      capacityReservationPreference: specification.reservationPreference,
      capacityReservationTarget:
        specification.reservationId === undefined
          ? undefined
          : { capacityReservationId: specification.reservationId },
    },
    metadataOptions: {
      state: instance.state === 'pending' ? 'pending' : 'applied',
      httpTokens: specification.metadata.tokens,
      httpPutResponseHopLimit: specification.metadata.hopLimit,
      httpEndpoint: specification.metadata.endpoint,
      httpProtocolIpv6: specification.metadata.ipv6,
      instanceMetadataTags: specification.metadata.tags,
    },
    platformDetails: 'Linux/UNIX',
    usageOperation: 'RunInstances',
  };
}

/** Machines outlive their reservation, and are ordinary ones from then on. */
function reservationOf(cloud: Cloud, { order }: Instance): CapacityReservation | undefined {
  const reservation = cloud.reservations.get(order.capacityReservationId ?? '');
  if (reservation === undefined) return undefined;
  return stateOf(reservation, cloud.time.nowMs()) === 'active' ? reservation : undefined;
}

function lifecycleOf(cloud: Cloud, { order }: Instance): string | undefined {
  if (order.capacityType === 'spot') return 'spot';
  const reservation = cloud.reservations.get(order.capacityReservationId ?? '');
  if (reservation?.kind === 'capacity-block') return 'capacity-block';
  return reservation?.isInterruptible === true ? 'interruptible-capacity-reservation' : undefined;
}

function transitionReason(instance: Instance): string {
  if (instance.stoppedAtMs === undefined) return '';
  const moment = isoMillis(instance.stoppedAtMs).slice(0, 19).replace('T', ' ');
  return instance.isMarked ? `Service initiated (${moment} GMT)` : `User initiated (${moment} GMT)`;
}

function networkXml(cloud: Cloud, instance: Instance): XmlObject {
  const { subnet } = instance.order;
  return {
    subnetId: subnet.id,
    vpcId: cloud.account().vpc.id,
    privateIpAddress: instance.privateIp,
    sourceDestCheck: true,
    groupSet: groupsXml(instance),
    networkInterfaceSet: instance.interfaces.map((entry) => interfaceXml(cloud, instance, entry)),
  };
}

function groupsXml(instance: Instance): readonly XmlObject[] {
  return instance.order.securityGroups.map(({ id, name }) => ({ groupId: id, groupName: name }));
}

function interfaceXml(cloud: Cloud, instance: Instance, entry: NetworkInterface): XmlObject {
  const address = entry.privateIp;
  return {
    networkInterfaceId: entry.id,
    subnetId: instance.order.subnet.id,
    vpcId: cloud.account().vpc.id,
    description: '',
    ownerId: cloud.accountId,
    status: 'in-use',
    macAddress: entry.macAddress,
    privateIpAddress: address,
    privateDnsName: address === undefined ? undefined : instance.privateDnsName,
    sourceDestCheck: true,
    interfaceType: entry.type,
    groupSet: groupsXml(instance),
    attachment: {
      attachmentId: entry.attachmentId,
      deviceIndex: entry.deviceIndex,
      networkCardIndex: entry.cardIndex,
      status: 'attached',
      attachTime: isoMillis(instance.launchedAtMs),
      deleteOnTermination: true,
    },
    privateIpAddressesSet:
      address === undefined
        ? []
        : [
            {
              privateIpAddress: address,
              privateDnsName: instance.privateDnsName,
              primary: true,
            },
          ],
  };
}

function volumesXml(instance: Instance): readonly XmlObject[] {
  return instance.volumes.map((volume) => ({
    deviceName: volume.device.deviceName,
    ebs: {
      volumeId: volume.id,
      status: 'attached',
      attachTime: isoMillis(instance.launchedAtMs),
      deleteOnTermination: volume.device.isDeletedOnTermination,
    },
  }));
}
