import type { RequestLaunchTemplateData } from '@aws-sdk/client-ec2';
import type {
  BlockDeviceMapping,
  EC2NodeClass,
  Tags,
} from '../../../api/karpenter/ec2-node-class.ts';
import type { CapacityType, Reservation } from '../../../core/catalog/instance-type.ts';
import { parseQuantity } from '../../../core/quantity/quantity.ts';
import { familyFeatures } from '../node-class/ami-family.ts';
import { amiFamilyOf } from '../node-class/image-alias.ts';
import { tagList } from '../node-class/tags.ts';
import { gibibyte } from '../types/machine-capacity.ts';
import { type NetworkWish, networkInterfaces } from './network-interfaces.ts';
import { reservationKind } from './reserved-candidates.ts';

/** Everything a template is made of. Types, zones and selectors stay out: they belong to the fleet. */
interface TemplateContent extends NetworkWish {
  readonly nodeClass: EC2NodeClass;
  readonly imageId: string;
  readonly capacityType: CapacityType;
  /** What a reserved machine is launched into; nothing else may take it. */
  readonly reservation?: Reservation | undefined;
  readonly tenancy: 'default' | 'dedicated';
  readonly placement?: Placement | undefined;
  /** Whether the machine is to run Nitro enclaves. */
  readonly isEnclave?: boolean | undefined;
  /** Before base64. */
  readonly userData: string;
  readonly tags: Tags;
  readonly region: string;
}

/** The placement group of a machine, and its partition where the group has some. */
export interface Placement {
  readonly groupId: string;
  readonly partition?: number | undefined;
}

type BlockDevice = NonNullable<RequestLaunchTemplateData['BlockDeviceMappings']>[number];
type Ebs = NonNullable<BlockDevice['Ebs']>;
type Metadata = NonNullable<RequestLaunchTemplateData['MetadataOptions']>;

/** The launch template data of CreateLaunchTemplate. Equal content gives equal data. */
export function templateData(content: TemplateContent): RequestLaunchTemplateData {
  const { nodeClass } = content;
  const mappings = (
    nodeClass.spec.blockDeviceMappings ?? familyFeatures(amiFamilyOf(nodeClass)).defaultDevices
  ).map(blockDevice);
  const profile = nodeClass.status?.instanceProfile;
  return {
    ...(mappings.length > 0 ? { BlockDeviceMappings: mappings } : {}),
    ...(profile === undefined ? {} : { IamInstanceProfile: { Name: profile } }),
    Monitoring: { Enabled: nodeClass.spec.detailedMonitoring ?? false },
    UserData: Buffer.from(content.userData, 'utf8').toString('base64'),
    ImageId: content.imageId,
    MetadataOptions: metadataOptions(content),
    NetworkInterfaces: networkInterfaces(content),
    TagSpecifications: [
      { ResourceType: 'network-interface', Tags: tagList(content.tags) },
      ...(content.capacityType === 'spot'
        ? [{ ResourceType: 'spot-instances-request' as const, Tags: tagList(content.tags) }]
        : []),
    ],
    Placement: {
      Tenancy: content.tenancy,
      ...(content.placement === undefined ? {} : { GroupId: content.placement.groupId }),
      ...(content.placement?.partition === undefined
        ? {}
        : { PartitionNumber: content.placement.partition }),
    },
    ...(content.isEnclave === true ? { EnclaveOptions: { Enabled: true } } : {}),
    ...(nodeClass.spec.cpuOptions?.nestedVirtualization === undefined
      ? {}
      : { CpuOptions: { NestedVirtualization: nodeClass.spec.cpuOptions.nestedVirtualization } }),
    ...reservationOptions(content.reservation),
  };
}

type ReservationOptions = Pick<
  RequestLaunchTemplateData,
  'CapacityReservationSpecification' | 'InstanceMarketOptions'
>;

function reservationOptions(reservation: Reservation | undefined): ReservationOptions {
  // Reservations are bought on purpose; a machine must not slip into an open one by chance.
  if (reservation === undefined)
    return { CapacityReservationSpecification: { CapacityReservationPreference: 'none' } };
  const MarketType = marketTypes[reservationKind(reservation)];
  return {
    CapacityReservationSpecification: {
      CapacityReservationPreference: 'capacity-reservations-only',
      CapacityReservationTarget: { CapacityReservationId: reservation.id },
    },
    ...(MarketType === undefined ? {} : { InstanceMarketOptions: { MarketType } }),
  };
}

const marketTypes = {
  default: undefined,
  'capacity-block': 'capacity-block',
  interruptible: 'interruptible-capacity-reservation',
} as const;

function blockDevice(mapping: BlockDeviceMapping): BlockDevice {
  const { ebs } = mapping;
  return {
    ...(mapping.deviceName === undefined ? {} : { DeviceName: mapping.deviceName }),
    ...(ebs === undefined ? {} : { Ebs: ebsOf(ebs) }),
  };
}

function ebsOf(ebs: NonNullable<BlockDeviceMapping['ebs']>): Ebs {
  const bytes = parseQuantity(ebs.volumeSize ?? '0', 'units');
  const sizeGiB = typeof bytes === 'number' ? Math.ceil(bytes / gibibyte) : 0;
  const fields: { [K in keyof Ebs]: Ebs[K] | undefined } = {
    DeleteOnTermination: ebs.deleteOnTermination,
    Encrypted: ebs.encrypted,
    VolumeType: ebs.volumeType,
    VolumeSize: sizeGiB || undefined,
    Iops: ebs.iops || undefined,
    Throughput: ebs.throughput || undefined,
    KmsKeyId: ebs.kmsKeyID,
    SnapshotId: ebs.snapshotID,
    VolumeInitializationRate: ebs.volumeInitializationRate,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const withoutIpv6Metadata = /^us-(iso-(east|west)|isob-(east|west)|isof-(south|east))-1$/;

function metadataOptions({ nodeClass, region }: TemplateContent): Metadata {
  const options = nodeClass.spec.metadataOptions;
  return {
    HttpEndpoint: options?.httpEndpoint ?? 'enabled',
    ...(withoutIpv6Metadata.test(region)
      ? {}
      : { HttpProtocolIpv6: options?.httpProtocolIPv6 ?? 'disabled' }),
    HttpPutResponseHopLimit: options?.httpPutResponseHopLimit ?? 1,
    HttpTokens: options?.httpTokens ?? 'required',
    InstanceMetadataTags: 'disabled',
  };
}
