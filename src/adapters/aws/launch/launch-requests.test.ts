import { expect, test } from 'vitest';
import type { EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';
import type { NodeClaim } from '../../../api/karpenter/node-claim.ts';
import type { InstanceType } from '../../../core/catalog/instance-type.ts';
import { labelsAsRequirements } from '../../../core/requirements/requirements.ts';
import { claimTags, launchTags } from '../node-class/tags.ts';
import { nodeLabels, nodeTaints } from '../user-data/bootstrap.ts';
import { userData } from '../user-data/user-data.ts';
import { fleetRequest } from './fleet-request.ts';
import { templateData } from './launch-template-data.ts';

const nodeClass: EC2NodeClass = {
  metadata: { name: 'default', uid: 'class-1', generation: 1 },
  spec: {
    subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'shop' } }],
    securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'shop' } }],
    amiSelectorTerms: [{ alias: 'al2023@latest' }],
    role: 'KarpenterNodeRole-shop',
    tags: { cost: 'web' },
  },
  status: {
    subnets: [
      { id: 'subnet-a', zone: 'us-east-1a', zoneID: 'use1-az1' },
      { id: 'subnet-b', zone: 'us-east-1b', zoneID: 'use1-az2' },
    ],
    securityGroups: [{ id: 'sg-1', name: 'nodes' }],
    instanceProfile: 'shop_42',
  },
};
const claim: NodeClaim = {
  metadata: {
    name: 'web-7x2',
    uid: 'uid-1',
    labels: {
      'karpenter.sh/nodepool': 'web',
      team: 'shop',
      'topology.kubernetes.io/zone': 'us-east-1a',
      'kubernetes.io/arch': 'amd64',
    },
  },
  spec: {
    requirements: [],
    taints: [{ key: 'dedicated', value: 'web', effect: 'NoSchedule' }],
    startupTaints: [{ key: 'cilium', effect: 'NoExecute' }],
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
  },
};
const tags = launchTags({ clusterName: 'shop', nodeClass, nodePool: 'web' });
const sharedTags = [
  { Key: 'cost', Value: 'web' },
  { Key: 'eks:eks-cluster-name', Value: 'shop' },
  { Key: 'karpenter.k8s.aws/ec2nodeclass', Value: 'default' },
  { Key: 'karpenter.sh/nodepool', Value: 'web' },
  { Key: 'kubernetes.io/cluster/shop', Value: 'owned' },
];

const al2023 = userData({
  family: 'AL2023',
  cluster: {
    name: 'shop',
    endpoint: 'https://shop.eks',
    caBundle: 'Q0E=',
    version: '1.34',
    serviceCidr: '10.100.0.0/16',
  },
  labels: nodeLabels({ claim, capacityType: 'spot', family: 'AL2023' }),
  taints: nodeTaints(claim),
  maxPods: 29,
  kubelet: { evictionHard: { 'memory.available': '5%' } },
  clusterDns: ['10.100.0.10'],
  hasLocalRaid: false,
  userData: undefined,
});

test('AL2023 is told who it is by a nodeadm configuration', () => {
  expect(al2023).toBe(`MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="//"

--//
Content-Type: application/node.eks.aws

# Written by Karpenter
apiVersion: node.eks.aws/v1alpha1
kind: NodeConfig
spec:
  cluster:
    name: shop
    apiServerEndpoint: https://shop.eks
    certificateAuthority: Q0E=
    cidr: 10.100.0.0/16
  kubelet:
    config:
      evictionHard:
        memory.available: 5%
      maxPods: 29
      clusterDNS:
        - 10.100.0.10
      registerWithTaints:
        - key: dedicated
          value: web
          effect: NoSchedule
        - key: cilium
          effect: NoExecute
        - key: karpenter.sh/unregistered
          effect: NoExecute
    flags:
      - --node-labels="karpenter.sh/capacity-type=spot,karpenter.sh/do-not-sync-taints=true,karpenter.sh/nodepool=web,team=shop"

--//--
`);
});

test('a launch template holds everything but types and places', () => {
  const data = templateData({
    nodeClass,
    imageId: 'ami-1',
    capacityType: 'spot',
    tenancy: 'default',
    userData: al2023,
    tags,
    isIpv6: false,
    efaCount: 0,
    region: 'us-east-1',
  });
  expect(data).toEqual({
    BlockDeviceMappings: [
      { DeviceName: '/dev/xvda', Ebs: { VolumeSize: 20, VolumeType: 'gp3', Encrypted: true } },
    ],
    IamInstanceProfile: { Name: 'shop_42' },
    Monitoring: { Enabled: false },
    UserData: Buffer.from(al2023).toString('base64'),
    ImageId: 'ami-1',
    MetadataOptions: {
      HttpEndpoint: 'enabled',
      HttpProtocolIpv6: 'disabled',
      HttpPutResponseHopLimit: 1,
      HttpTokens: 'required',
      InstanceMetadataTags: 'disabled',
    },
    NetworkInterfaces: [{ DeviceIndex: 0, Groups: ['sg-1'] }],
    TagSpecifications: [
      { ResourceType: 'network-interface', Tags: sharedTags },
      { ResourceType: 'spot-instances-request', Tags: sharedTags },
    ],
    Placement: { Tenancy: 'default' },
    CapacityReservationSpecification: { CapacityReservationPreference: 'none' },
  });
});

test('disks are asked for as the class says, sizes rounded up to whole GiB', () => {
  const data = templateData({
    nodeClass: {
      ...nodeClass,
      spec: {
        ...nodeClass.spec,
        associatePublicIPAddress: false,
        detailedMonitoring: true,
        blockDeviceMappings: [
          {
            deviceName: '/dev/xvda',
            ebs: { volumeSize: '100G', volumeType: 'io2', iops: 5000, throughput: 0 },
          },
        ],
      },
    },
    imageId: 'ami-1',
    capacityType: 'on-demand',
    tenancy: 'dedicated',
    userData: '',
    tags,
    isIpv6: true,
    efaCount: 0,
    region: 'us-iso-east-1',
  });
  expect(data).toMatchObject({
    BlockDeviceMappings: [
      { DeviceName: '/dev/xvda', Ebs: { VolumeSize: 94, VolumeType: 'io2', Iops: 5000 } },
    ],
    Monitoring: { Enabled: true },
    NetworkInterfaces: [
      { AssociatePublicIpAddress: false, PrimaryIpv6: true, Ipv6AddressCount: 1 },
    ],
    Placement: { Tenancy: 'dedicated' },
  });
  expect(data.BlockDeviceMappings?.[0]?.Ebs).not.toHaveProperty('Throughput');
  expect(data.MetadataOptions).not.toHaveProperty('HttpProtocolIpv6');
  expect(data.TagSpecifications).toHaveLength(1);
});

const m5Large: InstanceType = {
  name: 'm5.large',
  requirements: labelsAsRequirements({}),
  capacity: {},
  allocatable: {},
  offerings: [],
};

test.each([
  ['spot', { SpotOptions: { AllocationStrategy: 'price-capacity-optimized' } }],
  ['on-demand', { OnDemandOptions: { AllocationStrategy: 'lowest-price' } }],
] as const)(
  'a fleet asks for one %s machine, from wherever it can be had',
  (capacityType, strategy) => {
    const offering = (zone: string, priceUsdPerHour: number) => ({
      zone,
      capacityType,
      priceUsdPerHour,
      isAvailable: true,
    });
    const request = fleetRequest({
      claim,
      nodeClass,
      capacityType,
      groups: [
        {
          templateName: 'karpenter.k8s.aws/7',
          imageId: 'ami-1',
          candidates: [
            {
              type: m5Large,
              offerings: [
                offering('us-east-1a', 0.04),
                offering('us-east-1b', 0.05),
                offering('us-east-1f', 0.01),
              ],
            },
          ],
        },
      ],
      subnetByZone: new Map([
        ['us-east-1a', { id: 'subnet-a' }],
        ['us-east-1b', { id: 'subnet-b' }],
      ]),
      tags,
      capacity: 1,
      findingTags: claimTags(claim),
      clientToken: 'token-1',
    });
    const override = (zone: string, SubnetId: string, Priority: number) => ({
      InstanceType: 'm5.large',
      SubnetId,
      ImageId: 'ami-1',
      AvailabilityZone: zone,
      Priority,
    });
    expect(request).toEqual({
      Type: 'instant',
      ClientToken: 'token-1',
      TargetCapacitySpecification: {
        DefaultTargetCapacityType: capacityType,
        TotalTargetCapacity: 1,
      },
      ...strategy,
      LaunchTemplateConfigs: [
        {
          LaunchTemplateSpecification: {
            LaunchTemplateName: 'karpenter.k8s.aws/7',
            Version: '$Latest',
          },
          Overrides: [
            override('us-east-1a', 'subnet-a', 0.04),
            override('us-east-1b', 'subnet-b', 0.05),
          ],
        },
      ],
      TagSpecifications: [
        {
          ResourceType: 'instance',
          Tags: [
            ...sharedTags.slice(0, 3),
            { Key: 'karpenter.sh/nodeclaim', Value: 'web-7x2' },
            { Key: 'karpenter.sh/nodeclaim-uid', Value: 'uid-1' },
            ...sharedTags.slice(3),
          ],
        },
        { ResourceType: 'volume', Tags: sharedTags },
        { ResourceType: 'fleet', Tags: sharedTags },
      ],
    });
  },
);
