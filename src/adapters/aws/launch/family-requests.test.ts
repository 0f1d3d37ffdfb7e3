import type { RequestLaunchTemplateData } from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { anOffering, aType } from '../../../../test/validator/builders.ts';
import type { AmiFamily, EC2NodeClass } from '../../../api/karpenter/ec2-node-class.ts';
import type { NodeClaim } from '../../../api/karpenter/node-claim.ts';
import type { AwsContext } from '../context.ts';
import type { ClusterFacts } from '../node-class/cluster.ts';
import type { PlacementGroup } from '../placement/placement-groups.ts';
import { planGroups } from './launch-plan.ts';

const cluster: ClusterFacts = {
  name: 'shop',
  endpoint: 'https://shop.eks',
  caBundle: 'Q0E=',
  version: '1.36',
  serviceCidr: '10.100.0.0/16',
};
const settings = { clusterName: 'shop', region: 'us-east-1', clusterDns: '10.100.0.10' };
const claim: NodeClaim = {
  metadata: { name: 'web-1', uid: 'uid-1', labels: { 'karpenter.sh/nodepool': 'web' } },
  spec: {
    requirements: [],
    taints: [{ key: 'dedicated', value: 'web', effect: 'NoSchedule' }],
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
  },
};
const type = {
  ...aType({ name: 'm5.large', cpu: 2, memoryGi: 8, pods: 29 }),
  offerings: [anOffering()],
};

interface Wish {
  readonly spec?: Partial<EC2NodeClass['spec']>;
  readonly claim?: Partial<NodeClaim['spec']>;
  readonly machine?: typeof type;
  readonly placementGroup?: PlacementGroup;
  readonly capacityType?: 'on-demand' | 'spot';
}

/** The one template that a launch of this family makes, and its user data as text. */
function requestOf(family: AmiFamily, wish: Wish = {}) {
  const nodeClass: EC2NodeClass = {
    metadata: { name: 'default', uid: 'class-1', generation: 1 },
    spec: {
      subnetSelectorTerms: [{ id: 'subnet-1' }],
      securityGroupSelectorTerms: [{ id: 'sg-1' }],
      amiSelectorTerms: [{ id: 'ami-1' }],
      amiFamily: family,
      role: 'node-role',
      ...wish.spec,
    },
    status: {
      amis: [{ id: 'ami-1', requirements: [] }],
      securityGroups: [{ id: 'sg-1' }, { id: 'sg-2' }],
      instanceProfile: 'shop_42',
    },
  };
  const machine = wish.machine ?? type;
  const groups = planGroups({
    // Of the context a plan reads the settings alone.
    context: { settings } as AwsContext,
    cluster,
    claim: { ...claim, spec: { ...claim.spec, ...wish.claim } },
    nodeClass,
    choice: {
      capacityType: wish.capacityType ?? 'on-demand',
      tenancy: 'default',
      candidates: [{ type: machine, offerings: machine.offerings }],
    },
    tags: { team: 'shop' },
    placementGroup: wish.placementGroup,
  });
  expect(groups).toHaveLength(1);
  const data = groups[0]?.template.data ?? {};
  return { data, userData: Buffer.from(data.UserData ?? '', 'base64').toString('utf8') };
}

const disk = (DeviceName: string, VolumeSize: number) => ({
  DeviceName,
  Ebs: { VolumeSize, VolumeType: 'gp3', Encrypted: true },
});

/** What every family asks for alike. */
const common: RequestLaunchTemplateData = {
  IamInstanceProfile: { Name: 'shop_42' },
  Monitoring: { Enabled: false },
  ImageId: 'ami-1',
  MetadataOptions: {
    HttpEndpoint: 'enabled',
    HttpProtocolIpv6: 'disabled',
    HttpPutResponseHopLimit: 1,
    HttpTokens: 'required',
    InstanceMetadataTags: 'disabled',
  },
  NetworkInterfaces: [{ DeviceIndex: 0, Groups: ['sg-1', 'sg-2'] }],
  TagSpecifications: [
    { ResourceType: 'network-interface', Tags: [{ Key: 'team', Value: 'shop' }] },
  ],
  Placement: { Tenancy: 'default' },
  CapacityReservationSpecification: { CapacityReservationPreference: 'none' },
};

const kubeletFlags =
  '--node-labels="karpenter.sh/capacity-type=on-demand,karpenter.sh/do-not-sync-taints=true,karpenter.sh/nodepool=web" ' +
  '--register-with-taints="dedicated=web:NoSchedule,karpenter.sh/unregistered=:NoExecute" --max-pods=29';

const windows = [
  '<powershell>',
  'echo mine',
  '[string]$EKSBootstrapScriptFile = "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1"',
  `& $EKSBootstrapScriptFile -EKSClusterName 'shop' -APIServerEndpoint 'https://shop.eks' -Base64ClusterCA 'Q0E=' -KubeletExtraArgs '${kubeletFlags}' -DNSClusterIP '10.100.0.10'`,
  '</powershell>',
].join('\n');

const families: readonly {
  readonly family: AmiFamily;
  readonly mappings?: readonly ReturnType<typeof disk>[];
  readonly text: string;
  readonly own?: string;
}[] = [
  {
    family: 'AL2',
    mappings: [disk('/dev/xvda', 20)],
    text: `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="//"

--//
Content-Type: text/x-shellscript; charset="us-ascii"

echo mine

--//
Content-Type: text/x-shellscript; charset="us-ascii"

#!/bin/bash -xe
exec > >(tee /var/log/user-data.log|logger -t user-data -s 2>/dev/console) 2>&1
/etc/eks/bootstrap.sh 'shop' --apiserver-endpoint 'https://shop.eks' \\
--b64-cluster-ca 'Q0E=' \\
--dns-cluster-ip '10.100.0.10' \\
--use-max-pods false \\
--kubelet-extra-args '${kubeletFlags}'

--//--
`,
  },
  {
    family: 'AL2023',
    mappings: [disk('/dev/xvda', 20)],
    text: `MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="//"

--//
Content-Type: text/x-shellscript; charset="us-ascii"

echo mine

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
      maxPods: 29
      clusterDNS:
        - 10.100.0.10
      registerWithTaints:
        - key: dedicated
          value: web
          effect: NoSchedule
        - key: karpenter.sh/unregistered
          effect: NoExecute
    flags:
      - --node-labels="karpenter.sh/capacity-type=on-demand,karpenter.sh/do-not-sync-taints=true,karpenter.sh/nodepool=web"

--//--
`,
  },
  {
    family: 'Bottlerocket',
    mappings: [disk('/dev/xvda', 4), disk('/dev/xvdb', 20)],
    own: '[settings.ntp]\ntime-servers = ["10.0.0.1"]\n[settings.kubernetes]\nlog-level = 3\nunheard-of = true\n',
    text: '',
  },
  { family: 'Windows2019', mappings: [disk('/dev/sda1', 50)], text: windows },
  { family: 'Windows2022', mappings: [disk('/dev/sda1', 50)], text: windows },
  { family: 'Windows2025', mappings: [disk('/dev/sda1', 50)], text: windows },
  { family: 'Custom', text: 'echo mine' },
];

describe('every field that is asked for', () => {
  test.each(families.filter(({ text }) => text !== ''))('$family', ({ family, mappings, text }) => {
    const { data, userData } = requestOf(family, { spec: { userData: 'echo mine' } });
    expect(data).toEqual({
      ...common,
      ...(mappings === undefined ? {} : { BlockDeviceMappings: mappings }),
      UserData: data.UserData,
    });
    expect(userData).toBe(text);
  });

  test('Bottlerocket keeps the tables of the user and drops what the image would refuse', () => {
    const wish = families.find(({ family }) => family === 'Bottlerocket');
    const { data, userData } = requestOf('Bottlerocket', { spec: { userData: wish?.own ?? '' } });
    expect(data).toEqual({
      ...common,
      BlockDeviceMappings: wish?.mappings,
      UserData: data.UserData,
    });
    const lines = userData.split('\n').filter((line) => line.trim() !== '');
    expect(lines.sort()).toEqual(
      [
        '[settings.kubernetes]',
        'api-server = "https://shop.eks"',
        'cluster-certificate = "Q0E="',
        'cluster-dns-ip = "10.100.0.10"',
        'cluster-name = "shop"',
        'log-level = 3',
        'max-pods = 29',
        '[settings.kubernetes.node-labels]',
        '"karpenter.sh/capacity-type" = "on-demand"',
        '"karpenter.sh/do-not-sync-taints" = "true"',
        '"karpenter.sh/nodepool" = "web"',
        '[settings.kubernetes.node-taints]',
        'dedicated = ["web:NoSchedule"]',
        '"karpenter.sh/unregistered" = [":NoExecute"]',
        '[settings.ntp]',
        'time-servers = ["10.0.0.1"]',
      ].sort(),
    );
  });
});

test('local disks of Bottlerocket are bound to folders by name only where the image needs it', () => {
  const of = (version: string) =>
    requestOf('Bottlerocket', {
      spec: {
        instanceStorePolicy: 'RAID0',
        amiSelectorTerms: [{ alias: `bottlerocket@${version}` }],
      },
    }).userData;
  expect(of('v1.45.0')).toContain('"bind", "--dirs", "/var/lib/containerd"');
  expect(of('v1.46.0')).not.toContain('--dirs');
  expect(of('latest')).not.toContain('--dirs');
});

describe('what a class or a claim asks for beyond that', () => {
  test('a spot machine has its request tagged too', () => {
    const { data } = requestOf('AL2023', { capacityType: 'spot' });
    expect(data.TagSpecifications?.map(({ ResourceType }) => ResourceType)).toEqual([
      'network-interface',
      'spot-instances-request',
    ]);
  });

  test('interfaces as the class lists them; a fabric-only one has no addresses', () => {
    const spec = {
      networkInterfaces: [
        { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' },
        { networkCardIndex: 1, deviceIndex: 1, interfaceType: 'efa-only' },
      ],
      associatePublicIPAddress: false,
      ipPrefixCount: 2,
      connectionTracking: { tcpEstablishedTimeout: 300 },
    } as const;
    const Groups = ['sg-1', 'sg-2'];
    expect(requestOf('AL2023', { spec }).data.NetworkInterfaces).toEqual([
      {
        ...{ NetworkCardIndex: 0, DeviceIndex: 0, InterfaceType: 'interface', Groups },
        AssociatePublicIpAddress: false,
        Ipv4PrefixCount: 2,
        ConnectionTrackingSpecification: {
          TcpEstablishedTimeout: 300,
          UdpStreamTimeout: undefined,
          UdpTimeout: undefined,
        },
      },
      { NetworkCardIndex: 1, DeviceIndex: 1, InterfaceType: 'efa-only', Groups },
    ]);
  });

  test('a claim for fabric adapters gets all that the machine has', () => {
    const efa = 'vpc.amazonaws.com/efa';
    const machine = { ...type, capacity: { ...type.capacity, [efa]: 2 } };
    const { data } = requestOf('AL2023', {
      machine,
      claim: { resources: { requests: { [efa]: '1' } } },
    });
    const Groups = ['sg-1', 'sg-2'];
    expect(data.NetworkInterfaces).toEqual([
      { NetworkCardIndex: 0, DeviceIndex: 0, InterfaceType: 'efa', Groups },
      { NetworkCardIndex: 1, DeviceIndex: 1, InterfaceType: 'efa', Groups },
    ]);
    expect(requestOf('AL2023', { machine }).data.NetworkInterfaces).toHaveLength(1);
  });

  test('a placement group, its partition, nested virtualization and enclaves', () => {
    const partition = 'karpenter.k8s.aws/placement-group-partition';
    const { data } = requestOf('AL2023', {
      placementGroup: { id: 'pg-1', name: 'near', strategy: 'partition', partitionCount: 3 },
      spec: { cpuOptions: { nestedVirtualization: 'enabled' } },
      claim: {
        requirements: [{ key: partition, operator: 'In', values: ['3', '2'] }],
        resources: { requests: { 'eks.amazonaws.com/nip-slots': '1' } },
      },
    });
    expect(data.Placement).toEqual({ Tenancy: 'default', GroupId: 'pg-1', PartitionNumber: 2 });
    expect(data.CpuOptions).toEqual({ NestedVirtualization: 'enabled' });
    expect(data.EnclaveOptions).toEqual({ Enabled: true });
  });
});
