import type { SecurityGroup, Subnet } from '../account.ts';
import type { Cloud } from '../cloud.ts';
import { AwsError } from '../wire/aws-error.ts';
import { type Parameters, texts } from '../wire/parameters.ts';
import type { QueryAction } from '../wire/protocol.ts';
import type { XmlObject } from '../wire/xml.ts';
import { filtered } from './filter.ts';
import { paged } from './paging.ts';
import { chosen } from './selection.ts';
import { tagSet } from './tag-store.ts';

/** The network of the account: what launches refer to. */
export function networkActions(cloud: Cloud): Readonly<Record<string, QueryAction>> {
  return {
    DescribeVpcs: (parameters) => describeVpcs(cloud, parameters),
    DescribeSubnets: (parameters) => describeSubnets(cloud, parameters),
    DescribeSecurityGroups: (parameters) => describeSecurityGroups(cloud, parameters),
  };
}

function describeVpcs(cloud: Cloud, parameters: Parameters): XmlObject {
  const account = cloud.account();
  const asked = chosen([account.vpc], texts(parameters, 'VpcId'), {
    idOf: (vpc) => vpc.id,
    refuse: (id) => new AwsError('InvalidVpcID.NotFound', `The vpc ID '${id}' does not exist`),
  });
  const found = filtered(asked, parameters, {
    attributes: {
      cidr: (vpc) => vpc.cidr,
      'is-default': () => 'true',
      'owner-id': () => account.id,
      state: () => 'available',
      'vpc-id': (vpc) => vpc.id,
    },
    tagsOf: (vpc) => cloud.tags.of(vpc.id),
  });
  return {
    vpcSet: found.map((vpc) => ({
      ownerId: account.id,
      instanceTenancy: 'default',
      cidrBlockAssociationSet: [{ cidrBlock: vpc.cidr, cidrBlockState: { state: 'associated' } }],
      isDefault: true,
      tagSet: tagSet(cloud.tags.of(vpc.id)),
      vpcId: vpc.id,
      state: 'available',
      cidrBlock: vpc.cidr,
    })),
  };
}

function describeSubnets(cloud: Cloud, parameters: Parameters): XmlObject {
  const account = cloud.account();
  const asked = chosen(account.subnets, texts(parameters, 'SubnetId'), {
    idOf: (subnet) => subnet.id,
    refuse: (id) =>
      new AwsError('InvalidSubnetID.NotFound', `The subnet ID '${id}' does not exist`),
  });
  const found = filtered(asked, parameters, {
    attributes: {
      'availability-zone': (subnet) => subnet.zone.name,
      'availability-zone-id': (subnet) => subnet.zone.id,
      'available-ip-address-count': (subnet) => String(cloud.addresses.available(subnet)),
      'cidr-block': (subnet) => subnet.cidr,
      'default-for-az': (subnet) => String(!subnet.isPublic),
      'map-public-ip-on-launch': (subnet) => String(subnet.isPublic),
      'owner-id': () => account.id,
      state: () => 'available',
      'subnet-id': (subnet) => subnet.id,
      'vpc-id': () => account.vpc.id,
    },
    tagsOf: (subnet) => cloud.tags.of(subnet.id),
  });
  const sorted = found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const page = paged(sorted, parameters, {
    keyOf: (subnet) => subnet.id,
    minimum: 5,
    maximum: 1000,
  });
  return {
    subnetSet: page.items.map((subnet) => subnetXml(cloud, subnet)),
    nextToken: page.nextToken,
  };
}

function subnetXml(cloud: Cloud, subnet: Subnet): XmlObject {
  const account = cloud.account();
  return {
    subnetId: subnet.id,
    subnetArn: `arn:aws:ec2:${cloud.region}:${account.id}:subnet/${subnet.id}`,
    state: 'available',
    ownerId: account.id,
    vpcId: account.vpc.id,
    cidrBlock: subnet.cidr,
    availableIpAddressCount: cloud.addresses.available(subnet),
    availabilityZone: subnet.zone.name,
    availabilityZoneId: subnet.zone.id,
    defaultForAz: !subnet.isPublic,
    mapPublicIpOnLaunch: subnet.isPublic,
    assignIpv6AddressOnCreation: false,
    ipv6CidrBlockAssociationSet: [],
    tagSet: tagSet(cloud.tags.of(subnet.id)),
  };
}

function describeSecurityGroups(cloud: Cloud, parameters: Parameters): XmlObject {
  const account = cloud.account();
  const refuse = (id: string) =>
    new AwsError('InvalidGroup.NotFound', `The security group '${id}' does not exist`);
  const byId = chosen(account.securityGroups, texts(parameters, 'GroupId'), {
    idOf: (group) => group.id,
    refuse,
  });
  const asked = chosen(byId, texts(parameters, 'GroupName'), {
    idOf: (group) => group.name,
    refuse,
  });
  const found = filtered(asked, parameters, {
    attributes: {
      description: (group) => group.description,
      'group-id': (group) => group.id,
      'group-name': (group) => group.name,
      'owner-id': () => account.id,
      'vpc-id': () => account.vpc.id,
    },
    tagsOf: (group) => cloud.tags.of(group.id),
  });
  const sorted = found.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const page = paged(sorted, parameters, { keyOf: (group) => group.id, minimum: 5, maximum: 1000 });
  return {
    securityGroupInfo: page.items.map((group) => groupXml(cloud, group)),
    nextToken: page.nextToken,
  };
}

function groupXml(cloud: Cloud, group: SecurityGroup): XmlObject {
  const account = cloud.account();
  const anywhere = { ipProtocol: '-1', ipRanges: [{ cidrIp: '0.0.0.0/0' }] };
  const eachOther = {
    ipProtocol: '-1',
    groups: [{ userId: account.id, groupId: group.id }],
  };
  return {
    ownerId: account.id,
    groupId: group.id,
    groupName: group.name,
    groupDescription: group.description,
    vpcId: account.vpc.id,
    ipPermissions: [eachOther],
    ipPermissionsEgress: [anywhere],
    tagSet: tagSet(cloud.tags.of(group.id)),
  };
}
