import { hexDigits, type Random } from '../../../ports/random.ts';
import type { Image } from '../images.ts';
import type { Instance, LaunchOrder, NetworkInterface, Volume } from './instance.ts';
import type { BlockDevice, LaunchSpecification } from './launch-specification.ts';

/** `i-0c31…`: the prefix and seventeen digits, as EC2 makes ids. */
export function newId(random: Random, prefix: string): string {
  return `${prefix}-0${hexDigits(random, 16)}`;
}

/** Size of a volume that neither the image nor the order gives one. */
const usualSizeGiB = 8;

/** The image's volumes with the order's wishes laid over them, and the order's further ones. */
export function makeVolumes(random: Random, order: LaunchOrder): readonly Volume[] {
  const wished = order.specification.blockDevices;
  const fromImage = order.image.volumes.filter(
    (volume) => !wished.some((device) => device.deviceName === volume.deviceName),
  );
  const devices = [...wished, ...fromImage.map((volume) => imageDevice(volume.deviceName))];
  return devices.map((device) => ({
    id: newId(random, 'vol'),
    device,
    sizeGiB: device.sizeGiB ?? imageSize(order.image, device.deviceName) ?? usualSizeGiB,
  }));
}

function imageDevice(deviceName: string): BlockDevice {
  return {
    deviceName,
    sizeGiB: undefined,
    volumeType: 'gp3',
    isEncrypted: false,
    iops: undefined,
    throughput: undefined,
    isDeletedOnTermination: true,
  };
}

function imageSize(image: Image, deviceName: string): number | undefined {
  return image.volumes.find((volume) => volume.deviceName === deviceName)?.sizeGiB;
}

/** The interfaces of the order; at least the primary one. `takeIp` gives each an address. */
export function makeInterfaces(
  random: Random,
  specification: LaunchSpecification,
  takeIp: () => string | undefined,
): readonly NetworkInterface[] {
  const wished = addressed(specification);
  return wished.map((entry) => ({
    ...entry,
    id: newId(random, 'eni'),
    attachmentId: newId(random, 'eni-attach'),
    macAddress: `02:${(hexDigits(random, 10).match(/../g) ?? []).join(':')}`,
    privateIp: entry.type === 'efa-only' ? undefined : takeIp(),
  }));
}

function addressed(specification: LaunchSpecification): LaunchSpecification['interfaces'] {
  if (specification.interfaces.length === 0) {
    return [{ deviceIndex: 0, cardIndex: 0, type: 'interface' }];
  }
  return specification.interfaces.toSorted(
    (a, b) => a.cardIndex - b.cardIndex || a.deviceIndex - b.deviceIndex,
  );
}

/** How many addresses of the subnet one such machine takes. */
export function addressCount(specification: LaunchSpecification): number {
  return addressed(specification).filter((entry) => entry.type !== 'efa-only').length;
}

/** Size of the volume that kubelet keeps images and empty directories on. */
export function dataVolumeGiB(instance: Instance): number {
  const device = instance.order.image.dataDeviceName;
  const volume =
    instance.volumes.find((candidate) => candidate.device.deviceName === device) ??
    instance.volumes[0];
  return volume?.sizeGiB ?? usualSizeGiB;
}
