import type { Cloud } from '../cloud.ts';
import { AwsError } from '../wire/aws-error.ts';
import { type Parameters, texts } from '../wire/parameters.ts';
import type { QueryAction } from '../wire/protocol.ts';
import { isoMillis } from '../wire/times.ts';
import type { XmlObject } from '../wire/xml.ts';
import { filtered } from './filter.ts';
import { type Instance, isAlive, type Volume } from './instance.ts';
import { paged } from './paging.ts';
import { chosen } from './selection.ts';
import { tagSet } from './tag-store.ts';

/** Volumes live and die with their instances: none is made alone. */
export function volumeActions(cloud: Cloud): Readonly<Record<string, QueryAction>> {
  return { DescribeVolumes: (parameters) => describeVolumes(cloud, parameters) };
}

interface Attached {
  readonly volume: Volume;
  readonly instance: Instance;
}

function describeVolumes(cloud: Cloud, parameters: Parameters): XmlObject {
  const all = cloud.instances
    .all()
    .filter(isAlive)
    .flatMap((instance) => instance.volumes.map((volume) => ({ volume, instance })));
  const asked = chosen(all, texts(parameters, 'VolumeId'), {
    idOf: ({ volume }) => volume.id,
    refuse: (id) => new AwsError('InvalidVolume.NotFound', `The volume '${id}' does not exist.`),
  });
  const found = filtered(asked, parameters, {
    attributes: {
      'attachment.device': ({ volume }) => volume.device.deviceName,
      'attachment.instance-id': ({ instance }) => instance.id,
      'attachment.status': () => 'attached',
      'availability-zone': ({ instance }) => instance.order.subnet.zone.name,
      encrypted: ({ volume }) => String(volume.device.isEncrypted),
      size: ({ volume }) => String(volume.sizeGiB),
      status: () => 'in-use',
      'volume-id': ({ volume }) => volume.id,
      'volume-type': ({ volume }) => volume.device.volumeType,
    },
    tagsOf: ({ volume }) => cloud.tags.of(volume.id),
  });
  const page = paged(
    found.toSorted((a, b) => (a.volume.id < b.volume.id ? -1 : 1)),
    parameters,
    { keyOf: ({ volume }) => volume.id, minimum: 5, maximum: 1000 },
  );
  return {
    volumeSet: page.items.map((attached) => volumeXml(cloud, attached)),
    nextToken: page.nextToken,
  };
}

function volumeXml(cloud: Cloud, { volume, instance }: Attached): XmlObject {
  const attachTime = isoMillis(instance.launchedAtMs);
  return {
    volumeId: volume.id,
    size: volume.sizeGiB,
    availabilityZone: instance.order.subnet.zone.name,
    status: 'in-use',
    createTime: attachTime,
    attachmentSet: [
      {
        volumeId: volume.id,
        instanceId: instance.id,
        device: volume.device.deviceName,
        status: 'attached',
        attachTime,
        deleteOnTermination: volume.device.isDeletedOnTermination,
      },
    ],
    tagSet: tagSet(cloud.tags.of(volume.id)),
    volumeType: volume.device.volumeType,
    iops: volume.device.iops,
    throughput: volume.device.throughput,
    encrypted: volume.device.isEncrypted,
    multiAttachEnabled: false,
  };
}
