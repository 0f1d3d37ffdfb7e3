import type { Cloud } from '../cloud.ts';
import type { Image } from '../images.ts';
import { AwsError } from '../wire/aws-error.ts';
import { flag, type Parameters, texts } from '../wire/parameters.ts';
import type { QueryAction } from '../wire/protocol.ts';
import { isoMillis } from '../wire/times.ts';
import type { XmlObject } from '../wire/xml.ts';
import { type Filterable, filtered } from './filter.ts';
import { paged } from './paging.ts';
import { chosen } from './selection.ts';
import { tagSet } from './tag-store.ts';

export function imageActions(cloud: Cloud): Readonly<Record<string, QueryAction>> {
  return { DescribeImages: (parameters) => describeImages(cloud, parameters) };
}

function describeImages(cloud: Cloud, parameters: Parameters): XmlObject {
  const ids = texts(parameters, 'ImageId');
  const malformed = ids.find((id) => !/^ami-[0-9a-f]+$/.test(id));
  if (malformed !== undefined) {
    throw new AwsError('InvalidAMIID.Malformed', `Invalid id: "${malformed}"`);
  }
  const asked = chosen(cloud.account().published.images, ids, {
    idOf: (image) => image.id,
    refuse: (id) => new AwsError('InvalidAMIID.NotFound', `The image id '[${id}]' does not exist`),
  });
  const owners = texts(parameters, 'Owner');
  const isDeprecatedShown = flag(parameters, 'IncludeDeprecated') ?? ids.length > 0;
  const shown = asked
    .filter((image) => owners.length === 0 || owners.some((owner) => isOwner(image, owner)))
    .filter((image) => isDeprecatedShown || image.deprecatedAtMs > cloud.time.nowMs());
  const found = filtered(shown, parameters, imageFilters(cloud));
  const page = paged(
    found.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    parameters,
    { keyOf: (image) => image.id, maximum: 1000 },
  );
  return {
    imagesSet: page.items.map((image) => imageXml(cloud, image)),
    nextToken: page.nextToken,
  };
}

function isOwner(image: Image, owner: string): boolean {
  return owner === image.ownerAlias || owner === image.ownerId;
}

function imageFilters(cloud: Cloud): Filterable<Image> {
  return {
    attributes: {
      architecture: (image) => image.architecture,
      'creation-date': (image) => isoMillis(image.createdAtMs),
      description: (image) => image.description,
      'image-id': (image) => image.id,
      'image-type': () => 'machine',
      'is-public': () => 'true',
      name: (image) => image.name,
      platform: (image) => image.platform ?? [],
      'owner-alias': (image) => image.ownerAlias,
      'owner-id': (image) => image.ownerId,
      'root-device-name': (image) => image.rootDeviceName,
      'root-device-type': () => 'ebs',
      state: () => 'available',
      'virtualization-type': () => 'hvm',
    },
    tagsOf: (image) => cloud.tags.of(image.id),
  };
}

function imageXml(cloud: Cloud, image: Image): XmlObject {
  return {
    imageId: image.id,
    imageLocation: `amazon/${image.name}`,
    imageState: 'available',
    imageOwnerId: image.ownerId,
    imageOwnerAlias: image.ownerAlias,
    creationDate: isoMillis(image.createdAtMs),
    deprecationTime: isoMillis(image.deprecatedAtMs),
    isPublic: true,
    architecture: image.architecture,
    imageType: 'machine',
    name: image.name,
    description: image.description,
    rootDeviceType: 'ebs',
    rootDeviceName: image.rootDeviceName,
    blockDeviceMapping: image.volumes.map((volume) => ({
      deviceName: volume.deviceName,
      ebs: {
        deleteOnTermination: true,
        volumeSize: volume.sizeGiB,
        volumeType: 'gp3',
        encrypted: false,
      },
    })),
    virtualizationType: 'hvm',
    hypervisor: 'xen',
    enaSupport: true,
    platform: image.platform,
    platformDetails: image.platform === undefined ? 'Linux/UNIX' : 'Windows',
    usageOperation: image.platform === undefined ? 'RunInstances' : 'RunInstances:0002',
    tagSet: tagSet(cloud.tags.of(image.id)),
  };
}
