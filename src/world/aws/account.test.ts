import {
  DescribeAvailabilityZonesCommand,
  DescribeCapacityReservationsCommand,
  DescribeImagesCommand,
  DescribeKeyPairsCommand,
  DescribePlacementGroupsCommand,
  DescribeRegionsCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeTagsCommand,
  DescribeVpcsCommand,
} from '@aws-sdk/client-ec2';
import {
  GetParameterCommand,
  GetParametersByPathCommand,
  GetParametersCommand,
} from '@aws-sdk/client-ssm';
import { describe, expect, test } from 'vitest';
import { embeddedAws, refusalOf } from '../../../test/aws-cli/embedded-aws.ts';

const discovery = [{ Name: 'tag:karpenter.sh/discovery', Values: ['demo'] }];

describe('the seeded network', () => {
  test('has a private subnet for Karpenter in three zones', async () => {
    const { ec2 } = embeddedAws();
    const { Subnets } = await ec2.send(new DescribeSubnetsCommand({ Filters: discovery }));
    const shown = Subnets?.map((subnet) => [
      subnet.AvailabilityZone,
      subnet.CidrBlock,
      subnet.AvailableIpAddressCount,
      subnet.MapPublicIpOnLaunch,
    ]).toSorted();
    expect(shown).toEqual([
      ['us-east-1a', '10.0.0.0/19', 8187, false],
      ['us-east-1b', '10.0.32.0/19', 8187, false],
      ['us-east-1c', '10.0.64.0/19', 8187, false],
    ]);
    const everything = await ec2.send(new DescribeSubnetsCommand({}));
    expect(everything.Subnets).toHaveLength(6);
    const { Vpcs } = await ec2.send(new DescribeVpcsCommand({}));
    expect(Vpcs?.map((vpc) => vpc.CidrBlock)).toEqual(['10.0.0.0/16']);
  });

  test('skips zones that do not offer ordinary machines', async () => {
    const { ec2 } = embeddedAws({ region: 'us-west-2' });
    const { Subnets } = await ec2.send(new DescribeSubnetsCommand({ Filters: discovery }));
    expect(Subnets).toHaveLength(3);
  });

  test('has one security group to discover', async () => {
    const { ec2 } = embeddedAws();
    const found = await ec2.send(new DescribeSecurityGroupsCommand({ Filters: discovery }));
    expect(found.SecurityGroups?.map((group) => group.GroupName)).toEqual(['demo-node']);
    const byName = await ec2.send(
      new DescribeSecurityGroupsCommand({ Filters: [{ Name: 'group-name', Values: ['d?mo-*'] }] }),
    );
    expect(byName.SecurityGroups).toHaveLength(1);
  });

  test('has the same ids in every run', async () => {
    const ids = async (seed: number): Promise<unknown> => {
      const { Subnets } = await embeddedAws({ seed }).ec2.send(new DescribeSubnetsCommand({}));
      return Subnets?.map((subnet) => subnet.SubnetId);
    };
    expect(await ids(1)).toEqual(await ids(2));
  });

  test('unknown ids have their own errors', async () => {
    const { ec2 } = embeddedAws();
    const subnet = ec2.send(new DescribeSubnetsCommand({ SubnetIds: ['subnet-0'] }));
    expect(await refusalOf(subnet)).toBe('InvalidSubnetID.NotFound');
    const group = ec2.send(new DescribeSecurityGroupsCommand({ GroupIds: ['sg-0'] }));
    expect(await refusalOf(group)).toBe('InvalidGroup.NotFound');
    const vpc = ec2.send(new DescribeVpcsCommand({ VpcIds: ['vpc-0'] }));
    expect(await refusalOf(vpc)).toBe('InvalidVpcID.NotFound');
  });

  test('zones and regions are the catalogue’s', async () => {
    const { ec2 } = embeddedAws();
    const zones = await ec2.send(new DescribeAvailabilityZonesCommand({}));
    expect(zones.AvailabilityZones).toHaveLength(6);
    expect(zones.AvailabilityZones?.[0]).toMatchObject({
      ZoneName: 'us-east-1a',
      ZoneId: 'use1-az2',
      State: 'available',
    });
    const regions = await ec2.send(new DescribeRegionsCommand({ RegionNames: ['eu-west-1'] }));
    expect(regions.Regions?.[0]?.Endpoint).toBe('ec2.eu-west-1.amazonaws.com');
  });

  test('tags can be listed by resource type', async () => {
    const { ec2 } = embeddedAws();
    const { Tags } = await ec2.send(
      new DescribeTagsCommand({
        Filters: [
          { Name: 'resource-type', Values: ['subnet'] },
          { Name: 'key', Values: ['karpenter.sh/discovery'] },
        ],
      }),
    );
    expect(Tags).toHaveLength(3);
  });

  test('what the account has none of is an empty list', async () => {
    const { ec2 } = embeddedAws();
    const reservations = await ec2.send(new DescribeCapacityReservationsCommand({}));
    expect(reservations.CapacityReservations).toEqual([]);
    const groups = await ec2.send(new DescribePlacementGroupsCommand({}));
    expect(groups.PlacementGroups).toEqual([]);
    const keys = await ec2.send(new DescribeKeyPairsCommand({}));
    expect(keys.KeyPairs).toEqual([]);
    const named = ec2.send(new DescribePlacementGroupsCommand({ GroupNames: ['mine'] }));
    expect(await refusalOf(named)).toBe('InvalidPlacementGroup.Unknown');
  });
});

const al2023 = (version: string, arch: string, variant: string): string =>
  `/aws/service/eks/optimized-ami/${version}/amazon-linux-2023/${arch}/${variant}/recommended/image_id`;

describe('the published images', () => {
  test.each([
    {
      name: al2023('1.36', 'x86_64', 'standard'),
      image: /^amazon-eks-node-al2023-x86_64-standard-1\.36-v\d{8}$/,
      arch: 'x86_64',
    },
    {
      name: al2023('1.28', 'arm64', 'nvidia'),
      image: /^amazon-eks-node-al2023-arm64-nvidia-1\.28-/,
      arch: 'arm64',
    },
    { name: al2023('1.31', 'x86_64', 'neuron'), image: /-neuron-1\.31-/, arch: 'x86_64' },
    {
      name: '/aws/service/eks/optimized-ami/1.32/amazon-linux-2-gpu/recommended/image_id',
      image: /^amazon-eks-gpu-node-1\.32-/,
      arch: 'x86_64',
    },
    {
      name: '/aws/service/bottlerocket/aws-k8s-1.36/arm64/latest/image_id',
      image: /^bottlerocket-aws-k8s-1\.36-aarch64-v/,
      arch: 'arm64',
    },
    {
      name: '/aws/service/bottlerocket/aws-k8s-1.36-nvidia/x86_64/latest/image_id',
      image: /^bottlerocket-aws-k8s-1\.36-nvidia-x86_64-/,
      arch: 'x86_64',
    },
  ])('$name names an image', async ({ name, image, arch }) => {
    const aws = embeddedAws();
    const { Parameter } = await aws.ssm.send(new GetParameterCommand({ Name: name }));
    const { Images } = await aws.ec2.send(
      new DescribeImagesCommand({ ImageIds: [Parameter?.Value ?? ''] }),
    );
    expect(Images?.[0]).toMatchObject({
      Architecture: arch,
      State: 'available',
      ImageOwnerAlias: 'amazon',
    });
    expect(Images?.[0]?.Name).toMatch(image);
  });

  test('Amazon Linux 2 ended with Kubernetes 1.32', async () => {
    const { ssm } = embeddedAws();
    const Name = '/aws/service/eks/optimized-ami/1.33/amazon-linux-2/recommended/image_id';
    expect(await refusalOf(ssm.send(new GetParameterCommand({ Name })))).toBe('ParameterNotFound');
  });

  test('an older release can be pinned', async () => {
    const { ssm } = embeddedAws();
    const folder = '/aws/service/eks/optimized-ami/1.36/amazon-linux-2023/x86_64/standard';
    const pinned = `${folder}/amazon-eks-node-al2023-x86_64-standard-1.36-v20261009/image_id`;
    const answer = await ssm.send(
      new GetParametersCommand({ Names: [pinned, `${folder}/recommended/image_id`, '/no/such'] }),
    );
    const values = answer.Parameters?.map((parameter) => parameter.Value);
    expect(new Set(values).size).toBe(2);
    expect(answer.InvalidParameters).toEqual(['/no/such']);
  });

  test('parameters can be listed by path, page by page', async () => {
    const { ssm } = embeddedAws();
    const names: string[] = [];
    let NextToken: string | undefined;
    do {
      const answer = await ssm.send(
        new GetParametersByPathCommand({
          Path: '/aws/service/eks/optimized-ami/1.36',
          Recursive: true,
          MaxResults: 4,
          NextToken,
        }),
      );
      names.push(...(answer.Parameters ?? []).map((parameter) => parameter.Name ?? ''));
      NextToken = answer.NextToken;
    } while (NextToken !== undefined);
    expect(names).toHaveLength(15);
    expect(names).toEqual([...new Set(names)].toSorted());
  });

  test('images are found by owner and name, and unknown ones are refused', async () => {
    const { ec2 } = embeddedAws();
    const { Images } = await ec2.send(
      new DescribeImagesCommand({
        Owners: ['amazon'],
        Filters: [{ Name: 'name', Values: ['amazon-eks-node-al2023-x86_64-standard-1.36-*'] }],
      }),
    );
    expect(Images).toHaveLength(2);
    const mine = await ec2.send(new DescribeImagesCommand({ Owners: ['self'] }));
    expect(mine.Images).toEqual([]);
    const unknown = ec2.send(new DescribeImagesCommand({ ImageIds: ['ami-0123456789abcdef0'] }));
    expect(await refusalOf(unknown)).toBe('InvalidAMIID.NotFound');
    const malformed = ec2.send(new DescribeImagesCommand({ ImageIds: ['banana'] }));
    expect(await refusalOf(malformed)).toBe('InvalidAMIID.Malformed');
  });
});
