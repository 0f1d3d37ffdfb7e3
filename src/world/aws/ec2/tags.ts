import type { Cloud } from '../cloud.ts';
import { AwsError, dryRunPassed, missingParameter } from '../wire/aws-error.ts';
import { children, flag, type Parameters, text, texts } from '../wire/parameters.ts';
import type { QueryAction } from '../wire/protocol.ts';
import type { XmlObject } from '../wire/xml.ts';
import { filtered } from './filter.ts';
import { readTags } from './launch-specification.ts';
import { paged } from './paging.ts';

export function tagActions(cloud: Cloud): Readonly<Record<string, QueryAction>> {
  return {
    CreateTags: (parameters) => createTags(cloud, parameters),
    DeleteTags: (parameters) => deleteTags(cloud, parameters),
    DescribeTags: (parameters) => describeTags(cloud, parameters),
  };
}

function createTags(cloud: Cloud, parameters: Parameters): XmlObject {
  const resources = requireResources(cloud, parameters);
  const tags = readTags(parameters);
  if (Object.keys(tags).length === 0) throw missingParameter('Tag');
  if (flag(parameters, 'DryRun') === true) throw dryRunPassed();
  for (const resource of resources) {
    const count = new Set([...cloud.tags.of(resource).keys(), ...Object.keys(tags)]).size;
    if (count > 50) {
      throw new AwsError('TagLimitExceeded', `The maximum number of Tags for a resource is 50.`);
    }
  }
  for (const resource of resources) cloud.tags.put(resource, tags);
  return { return: true };
}

function deleteTags(cloud: Cloud, parameters: Parameters): XmlObject {
  const resources = requireResources(cloud, parameters);
  if (flag(parameters, 'DryRun') === true) throw dryRunPassed();
  const tags = children(parameters, 'Tag');
  for (const resource of resources) {
    const keys =
      tags.length > 0
        ? tags.map((tag) => ({ key: text(tag, 'Key') ?? '', value: text(tag, 'Value') }))
        : [...cloud.tags.of(resource).keys()].map((key) => ({ key, value: undefined }));
    // EC2 leaves its own tags alone when all are to go.
    for (const { key, value } of keys.filter(({ key }) => !key.startsWith('aws:'))) {
      cloud.tags.remove(resource, key, value);
    }
  }
  return { return: true };
}

/** What an id is, by its prefix, with the error that EC2 has for an id that is not there. */
const kinds: readonly (readonly [prefix: string, type: string, notFound: string])[] = [
  ['i-', 'instance', 'InvalidInstanceID.NotFound'],
  ['vol-', 'volume', 'InvalidVolume.NotFound'],
  ['eni-', 'network-interface', 'InvalidNetworkInterfaceID.NotFound'],
  ['sir-', 'spot-instances-request', 'InvalidSpotInstanceRequestID.NotFound'],
  ['lt-', 'launch-template', 'InvalidLaunchTemplateId.NotFound'],
  ['fleet-', 'fleet', 'InvalidFleetId.NotFound'],
  ['subnet-', 'subnet', 'InvalidSubnetID.NotFound'],
  ['sg-', 'security-group', 'InvalidGroup.NotFound'],
  ['vpc-', 'vpc', 'InvalidVpcID.NotFound'],
  ['ami-', 'image', 'InvalidAMIID.NotFound'],
  ['cr-', 'capacity-reservation', 'InvalidCapacityReservationId.NotFound'],
  ['pg-', 'placement-group', 'InvalidPlacementGroupId.NotFound'],
];

function requireResources(cloud: Cloud, parameters: Parameters): readonly string[] {
  const ids = texts(parameters, 'ResourceId');
  if (ids.length === 0) throw missingParameter('ResourceId');
  for (const id of ids) {
    const kind = kinds.find(([prefix]) => id.startsWith(prefix));
    if (kind === undefined) throw new AwsError('InvalidID', `The ID '${id}' is not valid`);
    if (!exists(cloud, id)) throw new AwsError(kind[2], `The ${kind[1]} ID '${id}' does not exist`);
  }
  return ids;
}

function exists(cloud: Cloud, id: string): boolean {
  const { published } = cloud.account();
  cloud.instances.all();
  // Every other kind of resource has an entry with its tags, if only an empty one.
  return cloud.tags.has(id) || published.images.some((image) => image.id === id);
}

interface TagRow {
  readonly resourceId: string;
  readonly resourceType: string;
  readonly key: string;
  readonly value: string;
}

function describeTags(cloud: Cloud, parameters: Parameters): XmlObject {
  cloud.account();
  cloud.instances.all();
  const rows: readonly TagRow[] = cloud.tags
    .all()
    .flatMap(([resourceId, tags]) =>
      [...tags]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, value]) => ({ resourceId, resourceType: typeOf(resourceId), key, value })),
    );
  const page = paged(
    filtered(rows, parameters, {
      attributes: {
        key: (row) => row.key,
        value: (row) => row.value,
        'resource-id': (row) => row.resourceId,
        'resource-type': (row) => row.resourceType,
      },
    }),
    parameters,
    { keyOf: (row) => `${row.resourceId}\n${row.key}`, minimum: 5, maximum: 1000, usual: 1000 },
  );
  return { tagSet: page.items.map((row) => ({ ...row })), nextToken: page.nextToken };
}

function typeOf(id: string): string {
  return kinds.find(([prefix]) => id.startsWith(prefix))?.[1] ?? 'unknown';
}
