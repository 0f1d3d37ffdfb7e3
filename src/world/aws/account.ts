import { type PublishedImages, publishedImages } from './images.ts';
import type { RegionCatalog, Zone } from './region-catalog.ts';
import { stableIamId, stableId } from './stable-id.ts';

/** What lies ready in the account before anybody asks: network, roles and images. Immutable. */
export interface Account {
  readonly id: string;
  readonly region: string;
  readonly clusterName: string;
  readonly vpc: Vpc;
  /** Private ones first, each kind in the order of the zones. */
  readonly subnets: readonly Subnet[];
  readonly securityGroups: readonly SecurityGroup[];
  readonly roles: readonly Role[];
  readonly systemInstanceProfile: { readonly name: string; readonly roleName: string };
  readonly published: PublishedImages;
}

export type Tags = Readonly<Record<string, string>>;

interface Vpc {
  readonly id: string;
  readonly cidr: string;
  readonly tags: Tags;
}

export interface Subnet {
  readonly id: string;
  readonly cidr: string;
  readonly zone: Zone;
  readonly isPublic: boolean;
  readonly tags: Tags;
}

export interface SecurityGroup {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tags: Tags;
}

export interface Role {
  readonly id: string;
  readonly name: string;
  readonly arn: string;
  readonly description: string;
  /** The service that may take the role: `ec2.amazonaws.com`. */
  readonly trustedService: string;
}

/** Seeds the account. Depends on its arguments alone: the same ids in every run. */
export function seedAccount(options: {
  readonly id: string;
  readonly clusterName: string;
  readonly offers: RegionCatalog;
}): Account {
  const { id, clusterName, offers } = options;
  const systemRole = `${clusterName}-system-node`;
  return {
    id,
    region: offers.name,
    clusterName,
    vpc: {
      id: stableId('vpc', clusterName),
      cidr: '10.0.0.0/16',
      tags: { Name: `${clusterName}-vpc`, [`kubernetes.io/cluster/${clusterName}`]: 'shared' },
    },
    subnets: seedSubnets(clusterName, offers),
    securityGroups: seedSecurityGroups(clusterName),
    roles: seedRoles(id, clusterName, systemRole),
    systemInstanceProfile: { name: systemRole, roleName: systemRole },
    published: publishedImages(offers.name),
  };
}

/** An ordinary type that every region has, to find the zones where ordinary machines can be had. */
const ordinaryType = 'm5.large';

function seedSubnets(clusterName: string, offers: RegionCatalog): readonly Subnet[] {
  const zones = offers.zones
    .filter((zone) => offers.isOffered(ordinaryType, zone.name))
    .slice(0, 3);
  return [false, true].flatMap((isPublic) =>
    zones.map((zone, index) => {
      const block = (isPublic ? zones.length + index : index) * 32;
      const name = `${clusterName}-${isPublic ? 'public' : 'private'}-${zone.name}`;
      return {
        id: stableId('subnet', name),
        cidr: `10.0.${block}.0/19`,
        zone,
        isPublic,
        tags: { Name: name, ...subnetRole(isPublic, clusterName) },
      };
    }),
  );
}

function subnetRole(isPublic: boolean, clusterName: string): Tags {
  return isPublic
    ? { 'kubernetes.io/role/elb': '1' }
    : { 'kubernetes.io/role/internal-elb': '1', 'karpenter.sh/discovery': clusterName };
}

function seedSecurityGroups(clusterName: string): readonly SecurityGroup[] {
  const group = (name: string, description: string, tags: Tags): SecurityGroup => ({
    id: stableId('sg', `${clusterName}/${name}`),
    name,
    description,
    tags,
  });
  return [
    group(`${clusterName}-node`, 'Nodes of the cluster', {
      Name: `${clusterName}-node`,
      'karpenter.sh/discovery': clusterName,
      [`kubernetes.io/cluster/${clusterName}`]: 'owned',
    }),
    group(`eks-cluster-sg-${clusterName}`, 'Control plane and nodes of the cluster', {
      Name: `eks-cluster-sg-${clusterName}`,
      'aws:eks:cluster-name': clusterName,
    }),
    group('default', 'default VPC security group', {}),
  ];
}

function seedRoles(accountId: string, clusterName: string, systemRole: string): readonly Role[] {
  const role = (name: string, description: string, trustedService: string): Role => ({
    id: stableIamId('AROA', name),
    name,
    arn: `arn:aws:iam::${accountId}:role/${name}`,
    description,
    trustedService,
  });
  return [
    role(`KarpenterNodeRole-${clusterName}`, 'Nodes that Karpenter launches', 'ec2.amazonaws.com'),
    role(systemRole, 'Nodes of the system node group', 'ec2.amazonaws.com'),
    role(`${clusterName}-cluster`, 'Control plane of the cluster', 'eks.amazonaws.com'),
  ];
}

/** The security group that nodes belong to when nobody names one. */
export function defaultSecurityGroup(account: Account): SecurityGroup {
  const group = account.securityGroups.find((candidate) => candidate.name === 'default');
  if (group === undefined) throw new Error('seeding the account: no default security group');
  return group;
}
