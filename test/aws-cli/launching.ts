import {
  CreateFleetCommand,
  type CreateFleetCommandInput,
  type CreateFleetCommandOutput,
  CreateLaunchTemplateCommand,
  DescribeInstancesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  type Filter,
  type FleetLaunchTemplateOverridesRequest,
  type Instance,
  type RequestLaunchTemplateData,
  RunInstancesCommand,
  type RunInstancesCommandInput,
} from '@aws-sdk/client-ec2';
import { AddRoleToInstanceProfileCommand, CreateInstanceProfileCommand } from '@aws-sdk/client-iam';
import { GetParameterCommand } from '@aws-sdk/client-ssm';
import type { EmbeddedAws } from './embedded-aws.ts';

/** What a launch refers to, found through the API as Karpenter finds it. */
export interface Ground {
  readonly aws: EmbeddedAws;
  readonly imageId: string;
  readonly armImageId: string;
  readonly groupId: string;
  /** Private subnet by zone. */
  readonly subnets: Readonly<Record<string, string>>;
}

export const userData = 'MIME-Version: 1.0\n\nhello';

/** Looks up image, subnets and security group, and creates instance profile `nodes`. */
export async function prepareGround(aws: EmbeddedAws): Promise<Ground> {
  const image = async (arch: string): Promise<string> => {
    const Name = `/aws/service/eks/optimized-ami/1.36/amazon-linux-2023/${arch}/standard/recommended/image_id`;
    return (await aws.ssm.send(new GetParameterCommand({ Name }))).Parameter?.Value ?? '';
  };
  const Filters = [{ Name: 'tag:karpenter.sh/discovery', Values: ['demo'] }];
  const { Subnets = [] } = await aws.ec2.send(new DescribeSubnetsCommand({ Filters }));
  const groups = await aws.ec2.send(new DescribeSecurityGroupsCommand({ Filters }));
  await aws.iam.send(new CreateInstanceProfileCommand({ InstanceProfileName: 'nodes' }));
  await aws.iam.send(
    new AddRoleToInstanceProfileCommand({
      InstanceProfileName: 'nodes',
      RoleName: 'KarpenterNodeRole-demo',
    }),
  );
  return {
    aws,
    imageId: await image('x86_64'),
    armImageId: await image('arm64'),
    groupId: groups.SecurityGroups?.[0]?.GroupId ?? '',
    subnets: Object.fromEntries(
      Subnets.map((subnet) => [subnet.AvailabilityZone ?? '', subnet.SubnetId ?? '']),
    ),
  };
}

/** A launch template like Karpenter's. */
export async function createTemplate(
  ground: Ground,
  name = 'karpenter.k8s.aws/1',
  data: RequestLaunchTemplateData = {},
): Promise<string> {
  const answer = await ground.aws.ec2.send(
    new CreateLaunchTemplateCommand({
      LaunchTemplateName: name,
      LaunchTemplateData: {
        ImageId: ground.imageId,
        IamInstanceProfile: { Name: 'nodes' },
        UserData: Buffer.from(userData).toString('base64'),
        NetworkInterfaces: [{ DeviceIndex: 0, Groups: [ground.groupId] }],
        BlockDeviceMappings: [
          { DeviceName: '/dev/xvda', Ebs: { VolumeSize: 30, VolumeType: 'gp3', Encrypted: true } },
        ],
        MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
        Placement: { Tenancy: 'default' },
        TagSpecifications: [
          { ResourceType: 'network-interface', Tags: [{ Key: 'eni', Value: 'yes' }] },
        ],
        ...data,
      },
      TagSpecifications: [
        {
          ResourceType: 'launch-template',
          Tags: [{ Key: 'eks:eks-cluster-name', Value: 'demo' }],
        },
      ],
    }),
  );
  return answer.LaunchTemplate?.LaunchTemplateId ?? '';
}

export interface Wish {
  readonly types: readonly string[];
  readonly zones?: readonly string[];
  readonly capacityType?: 'spot' | 'on-demand';
  readonly strategy?: string;
  readonly count?: number;
  readonly token?: string;
  readonly imageId?: string;
  /** Priority of each type, in the order of the types. */
  readonly priorities?: readonly number[];
}

/** CreateFleet in the shape that Karpenter gives it. */
export function fleetInput(ground: Ground, wish: Wish): CreateFleetCommandInput {
  const spot = (wish.capacityType ?? 'spot') === 'spot';
  const strategy = wish.strategy ?? (spot ? 'price-capacity-optimized' : 'lowest-price');
  const overrides = wish.types.flatMap((type, index) =>
    (wish.zones ?? Object.keys(ground.subnets).toSorted()).map(
      (zone): FleetLaunchTemplateOverridesRequest => ({
        InstanceType: type as 'm5.large',
        SubnetId: ground.subnets[zone],
        AvailabilityZone: zone,
        ImageId: wish.imageId,
        ...(wish.priorities === undefined ? {} : { Priority: wish.priorities[index] ?? 0 }),
      }),
    ),
  );
  return {
    Type: 'instant',
    ClientToken: wish.token,
    TargetCapacitySpecification: {
      TotalTargetCapacity: wish.count ?? 1,
      DefaultTargetCapacityType: wish.capacityType ?? 'spot',
    },
    ...(spot
      ? { SpotOptions: { AllocationStrategy: strategy as 'lowest-price' } }
      : { OnDemandOptions: { AllocationStrategy: strategy as 'lowest-price' } }),
    LaunchTemplateConfigs: [
      {
        LaunchTemplateSpecification: {
          LaunchTemplateName: 'karpenter.k8s.aws/1',
          Version: '$Latest',
        },
        Overrides: overrides,
      },
    ],
    TagSpecifications: [
      { ResourceType: 'instance', Tags: [{ Key: 'karpenter.sh/nodepool', Value: 'spot-pool' }] },
      { ResourceType: 'volume', Tags: [{ Key: 'karpenter.sh/nodepool', Value: 'spot-pool' }] },
      { ResourceType: 'fleet', Tags: [{ Key: 'karpenter.sh/nodepool', Value: 'spot-pool' }] },
    ],
  };
}

export function createFleet(ground: Ground, wish: Wish): Promise<CreateFleetCommandOutput> {
  return ground.aws.ec2.send(new CreateFleetCommand(fleetInput(ground, wish)));
}

/** The ids of everything that a fleet got. */
export function instanceIds(fleet: CreateFleetCommandOutput): readonly string[] {
  return (fleet.Instances ?? []).flatMap((entry) => entry.InstanceIds ?? []);
}

/** RunInstances in the shape of a system node group. */
export function runInput(
  ground: Ground,
  more: Partial<RunInstancesCommandInput> = {},
): RunInstancesCommandInput {
  return {
    ImageId: ground.imageId,
    InstanceType: 'm5.large',
    MinCount: 1,
    MaxCount: 1,
    SubnetId: ground.subnets['us-east-1a'],
    SecurityGroupIds: [ground.groupId],
    IamInstanceProfile: { Name: 'demo-system-node' },
    UserData: Buffer.from(userData).toString('base64'),
    ...more,
  };
}

/** Runs instances and answers their ids. */
export async function runInstances(
  ground: Ground,
  more: Parameters<typeof runInput>[1] = {},
): Promise<readonly string[]> {
  const answer = await ground.aws.ec2.send(new RunInstancesCommand(runInput(ground, more)));
  return (answer.Instances ?? []).map((instance) => instance.InstanceId ?? '');
}

/** The instances that pass the filters, those of all reservations. */
export async function listInstances(
  ground: Ground,
  filters: readonly Filter[] = [],
): Promise<readonly Instance[]> {
  const answer = await ground.aws.ec2.send(new DescribeInstancesCommand({ Filters: [...filters] }));
  return (answer.Reservations ?? []).flatMap((reservation) => reservation.Instances ?? []);
}
