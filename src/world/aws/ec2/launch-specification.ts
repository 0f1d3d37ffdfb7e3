import type { Tags } from '../account.ts';
import { AwsError, invalidParameter } from '../wire/aws-error.ts';
import {
  child,
  children,
  decimal,
  flag,
  integer,
  type Parameters,
  text,
  texts,
} from '../wire/parameters.ts';

/**
 * What a machine shall be. RunInstances, launch template data and fleet overrides say it under
 * the same names, so that all three are read here after being laid over each other.
 */
export interface LaunchSpecification {
  readonly imageId: string | undefined;
  readonly instanceType: string | undefined;
  readonly subnetId: string | undefined;
  readonly zone: string | undefined;
  readonly keyName: string | undefined;
  /** Decoded. */
  readonly userData: string;
  readonly instanceProfile: string | undefined;
  readonly securityGroupIds: readonly string[];
  readonly blockDevices: readonly BlockDevice[];
  readonly interfaces: readonly InterfaceSpecification[];
  readonly isMonitored: boolean;
  readonly tenancy: string;
  readonly metadata: {
    readonly tokens: string;
    readonly hopLimit: number;
    readonly endpoint: string;
    readonly ipv6: string;
    readonly tags: string;
  };
  readonly marketType: string | undefined;
  readonly maxPriceUsdPerHour: number | undefined;
  readonly reservationPreference: string;
  /** The capacity reservation that is asked for by id. */
  readonly reservationId: string | undefined;
  readonly placement: {
    readonly groupId: string | undefined;
    readonly groupName: string | undefined;
    readonly partitionNumber: number | undefined;
  };
}

export interface BlockDevice {
  readonly deviceName: string;
  readonly sizeGiB: number | undefined;
  readonly volumeType: string;
  readonly isEncrypted: boolean;
  readonly iops: number | undefined;
  readonly throughput: number | undefined;
  readonly isDeletedOnTermination: boolean;
}

interface InterfaceSpecification {
  readonly deviceIndex: number;
  readonly cardIndex: number;
  readonly type: string;
}

export function readLaunchSpecification(parameters: Parameters): LaunchSpecification {
  const interfaces = children(parameters, 'NetworkInterface');
  const primary = interfaces.find((entry) => (integer(entry, 'DeviceIndex') ?? 0) === 0);
  const market = child(parameters, 'InstanceMarketOptions');
  const placement = child(parameters, 'Placement');
  const reservation = child(parameters, 'CapacityReservationSpecification');
  return {
    imageId: text(parameters, 'ImageId'),
    instanceType: text(parameters, 'InstanceType'),
    subnetId:
      text(parameters, 'SubnetId') ??
      (primary === undefined ? undefined : text(primary, 'SubnetId')),
    zone: text(parameters, 'AvailabilityZone') ?? text(placement, 'AvailabilityZone'),
    keyName: text(parameters, 'KeyName'),
    userData: decodeUserData(text(parameters, 'UserData')),
    instanceProfile: readInstanceProfile(child(parameters, 'IamInstanceProfile')),
    securityGroupIds: [
      ...texts(parameters, 'SecurityGroupId'),
      ...interfaces.flatMap((entry) => texts(entry, 'SecurityGroupId')),
    ].filter((id, index, ids) => ids.indexOf(id) === index),
    blockDevices: children(parameters, 'BlockDeviceMapping').map(readBlockDevice),
    interfaces: interfaces.map((entry) => ({
      deviceIndex: integer(entry, 'DeviceIndex') ?? 0,
      cardIndex: integer(entry, 'NetworkCardIndex') ?? 0,
      type: text(entry, 'InterfaceType') ?? 'interface',
    })),
    isMonitored: flag(child(parameters, 'Monitoring'), 'Enabled') ?? false,
    tenancy: text(placement, 'Tenancy') ?? 'default',
    metadata: readMetadataOptions(child(parameters, 'MetadataOptions')),
    marketType: text(market, 'MarketType'),
    maxPriceUsdPerHour:
      decimal(parameters, 'MaxPrice') ?? decimal(child(market, 'SpotOptions'), 'MaxPrice'),
    reservationPreference: text(reservation, 'CapacityReservationPreference') ?? 'open',
    reservationId: text(child(reservation, 'CapacityReservationTarget'), 'CapacityReservationId'),
    placement: {
      groupId: text(placement, 'GroupId'),
      groupName: text(placement, 'GroupName'),
      partitionNumber: integer(placement, 'PartitionNumber'),
    },
  };
}

function readMetadataOptions(options: Parameters): LaunchSpecification['metadata'] {
  return {
    tokens: text(options, 'HttpTokens') ?? 'optional',
    hopLimit: integer(options, 'HttpPutResponseHopLimit') ?? 1,
    endpoint: text(options, 'HttpEndpoint') ?? 'enabled',
    ipv6: text(options, 'HttpProtocolIpv6') ?? 'disabled',
    tags: text(options, 'InstanceMetadataTags') ?? 'disabled',
  };
}

function readInstanceProfile(profile: Parameters): string | undefined {
  return text(profile, 'Name') ?? text(profile, 'Arn')?.split('/').at(-1);
}

function readBlockDevice(mapping: Parameters): BlockDevice {
  const ebs = child(mapping, 'Ebs');
  return {
    deviceName: text(mapping, 'DeviceName') ?? '/dev/xvda',
    sizeGiB: integer(ebs, 'VolumeSize'),
    volumeType: text(ebs, 'VolumeType') ?? 'gp3',
    isEncrypted: flag(ebs, 'Encrypted') ?? false,
    iops: integer(ebs, 'Iops'),
    throughput: integer(ebs, 'Throughput'),
    isDeletedOnTermination: flag(ebs, 'DeleteOnTermination') ?? true,
  };
}

const userDataLimitBytes = 16_384;

function decodeUserData(encoded: string | undefined): string {
  if (encoded === undefined) return '';
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(encoded)) {
    throw new AwsError('InvalidUserData.Malformed', 'Invalid BASE64 encoding of user data.');
  }
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length > userDataLimitBytes) {
    throw invalidParameter(`User data is limited to ${userDataLimitBytes} bytes`);
  }
  return bytes.toString('utf8');
}

/** Tags by the kind of resource they are for: `instance`, `volume`, `launch-template`, … */
export function readTagSpecifications(parameters: Parameters): Readonly<Record<string, Tags>> {
  const byType: Record<string, Tags> = {};
  for (const specification of children(parameters, 'TagSpecification')) {
    const type = text(specification, 'ResourceType') ?? '';
    byType[type] = { ...byType[type], ...readTags(specification) };
  }
  return byType;
}

/** The `Tag` list of a request. Keys that AWS keeps for itself are refused. */
export function readTags(parameters: Parameters): Tags {
  const tags: Record<string, string> = {};
  for (const tag of children(parameters, 'Tag')) {
    const key = text(tag, 'Key') ?? '';
    if (key.toLowerCase().startsWith('aws:')) {
      throw invalidParameter(
        `Tag keys starting with 'aws:' are reserved for internal use (${key})`,
      );
    }
    tags[key] = text(tag, 'Value') ?? '';
  }
  return tags;
}

/** Two sets of tags by kind of resource; the second one wins. */
export function mergeTagSpecifications(
  lower: Readonly<Record<string, Tags>>,
  upper: Readonly<Record<string, Tags>>,
): Readonly<Record<string, Tags>> {
  const types = [...new Set([...Object.keys(lower), ...Object.keys(upper)])].sort();
  return Object.fromEntries(types.map((type) => [type, { ...lower[type], ...upper[type] }]));
}
