import {
  CreateFleetCommand,
  DescribeFleetsCommand,
  DescribeInstancesCommand,
} from '@aws-sdk/client-ec2';
import { beforeEach, describe, expect, test } from 'vitest';
import { embeddedAws, refusalOf } from '../../../../test/aws-cli/embedded-aws.ts';
import {
  createFleet,
  createTemplate,
  fleetInput,
  type Ground,
  instanceIds,
  prepareGround,
  type Wish,
} from '../../../../test/aws-cli/launching.ts';

let ground: Ground;

beforeEach(async () => {
  ground = await prepareGround(embeddedAws());
  await createTemplate(ground);
});

async function chosen(wish: Wish): Promise<string> {
  const fleet = await createFleet(ground, wish);
  const overrides = fleet.Instances?.[0]?.LaunchTemplateAndOverrides?.Overrides;
  return `${overrides?.InstanceType} ${overrides?.AvailabilityZone}`;
}

describe('what a fleet chooses', () => {
  test.each([
    {
      name: 'on-demand, the cheapest',
      wish: { types: ['m5.xlarge', 'm5.large', 'c5.4xlarge'], capacityType: 'on-demand' as const },
      expected: 'm5.large us-east-1a',
    },
    {
      name: 'spot, the cheapest pool',
      wish: { types: ['m5.large'], strategy: 'lowest-price' },
      expected: 'm5.large us-east-1a',
    },
    {
      name: 'by priority, the lowest number',
      wish: {
        types: ['m5.large', 'm5.xlarge'],
        capacityType: 'on-demand' as const,
        strategy: 'prioritized',
        priorities: [2, 1],
      },
      expected: 'm5.xlarge us-east-1a',
    },
    {
      name: 'in one zone only',
      wish: { types: ['m5.large'], zones: ['us-east-1c'], strategy: 'lowest-price' },
      expected: 'm5.large us-east-1c',
    },
  ])('$name', async ({ wish, expected }) => {
    expect(await chosen(wish)).toBe(expected);
  });

  test('a pool that has run out is reported and the next one taken', async () => {
    ground.aws.endpoint.market.setShortage({ instanceType: 'm5.large', zone: 'us-east-1a' });
    const fleet = await createFleet(ground, { types: ['m5.large'], strategy: 'lowest-price' });
    expect(fleet.Errors).toMatchObject([
      {
        ErrorCode: 'InsufficientInstanceCapacity',
        Lifecycle: 'spot',
        LaunchTemplateAndOverrides: {
          Overrides: { InstanceType: 'm5.large', AvailabilityZone: 'us-east-1a' },
        },
      },
    ]);
    expect(fleet.Instances?.[0]?.LaunchTemplateAndOverrides?.Overrides?.AvailabilityZone).toBe(
      'us-east-1b',
    );
  });

  test('when everything has run out the answer holds errors and no instance', async () => {
    const { market } = ground.aws.endpoint;
    market.setShortage({ instanceType: 'm5.*', capacityType: 'spot' });
    const wish = { types: ['m5.large', 'm5.xlarge'] };
    const fleet = await createFleet(ground, wish);
    expect(instanceIds(fleet)).toEqual([]);
    expect(fleet.Errors).toHaveLength(6);
    market.clearShortage({ instanceType: 'm5.*', capacityType: 'spot' });
    expect(instanceIds(await createFleet(ground, wish))).toHaveLength(1);
  });

  test('a shortage may leave some, and the rest comes from the next pool', async () => {
    ground.aws.endpoint.market.setShortage({ zone: 'us-east-1a', remaining: 2 });
    const fleet = await createFleet(ground, {
      types: ['m5.large'],
      count: 3,
      strategy: 'lowest-price',
    });
    const got = fleet.Instances?.map((entry) => [
      entry.LaunchTemplateAndOverrides?.Overrides?.AvailabilityZone,
      entry.InstanceIds?.length,
    ]);
    expect(got).toEqual([
      ['us-east-1a', 2],
      ['us-east-1b', 1],
    ]);
  });

  test('quotas count vCPUs per purchase option', async () => {
    const { market } = ground.aws.endpoint;
    market.setQuota('spot', 4);
    market.setQuota('on-demand', 2);
    const spot = await createFleet(ground, {
      types: ['m5.large'],
      zones: ['us-east-1a'],
      count: 3,
    });
    expect(instanceIds(spot)).toHaveLength(2);
    expect(spot.Errors?.[0]?.ErrorCode).toBe('MaxSpotInstanceCountExceeded');
    const onDemand = await createFleet(ground, {
      types: ['m5.xlarge'],
      zones: ['us-east-1a'],
      capacityType: 'on-demand',
    });
    expect(onDemand.Errors?.[0]?.ErrorCode).toBe('VcpuLimitExceeded');
    market.setQuota('on-demand', undefined);
    expect(
      instanceIds(await createFleet(ground, { types: ['m5.xlarge'], capacityType: 'on-demand' })),
    ).toHaveLength(1);
  });

  test('a maximum price below the market cannot be met', async () => {
    const input = fleetInput(ground, { types: ['m5.large'], zones: ['us-east-1a'] });
    for (const override of input.LaunchTemplateConfigs?.[0]?.Overrides ?? [])
      override.MaxPrice = '0.01';
    const fleet = await ground.aws.ec2.send(new CreateFleetCommand(input));
    expect(fleet.Errors?.[0]?.ErrorCode).toBe('UnfulfillableCapacity');
  });
});

describe('what a fleet gets', () => {
  test('spot instances carry tags, profile, groups, lifecycle and the template’s settings', async () => {
    const fleet = await createFleet(ground, { types: ['m5.large'], zones: ['us-east-1b'] });
    expect(fleet.FleetId).toMatch(/^fleet-/);
    const [id] = instanceIds(fleet);
    const answer = await ground.aws.ec2.send(
      new DescribeInstancesCommand({ InstanceIds: [id ?? ''] }),
    );
    const instance = answer.Reservations?.[0]?.Instances?.[0];
    expect(instance).toMatchObject({
      InstanceId: id,
      InstanceType: 'm5.large',
      InstanceLifecycle: 'spot',
      SpotInstanceRequestId: expect.stringMatching(/^sir-/),
      ImageId: ground.imageId,
      State: { Name: 'pending', Code: 0 },
      SubnetId: ground.subnets['us-east-1b'],
      PrivateIpAddress: '10.0.32.4',
      PrivateDnsName: 'ip-10-0-32-4.ec2.internal',
      SecurityGroups: [{ GroupId: ground.groupId, GroupName: 'demo-node' }],
      IamInstanceProfile: { Arn: 'arn:aws:iam::123456789012:instance-profile/nodes' },
      Placement: { AvailabilityZone: 'us-east-1b', Tenancy: 'default' },
      MetadataOptions: { HttpTokens: 'required', HttpPutResponseHopLimit: 1 },
      NetworkInterfaces: [{ PrivateIpAddress: '10.0.32.4', InterfaceType: 'interface' }],
    });
    expect(instance?.LaunchTime?.getTime()).toBe(ground.aws.clock.nowMs());
    expect(instance?.Tags).toEqual(
      expect.arrayContaining([
        { Key: 'karpenter.sh/nodepool', Value: 'spot-pool' },
        { Key: 'aws:ec2:fleet-id', Value: fleet.FleetId },
      ]),
    );
  });

  test('the image of an override wins over the template’s', async () => {
    const fleet = await createFleet(ground, { types: ['m6g.large'], imageId: ground.armImageId });
    expect(instanceIds(fleet)).toHaveLength(1);
  });

  test('an instant fleet can be looked up by its id', async () => {
    const { FleetId = '' } = await createFleet(ground, { types: ['m5.large'], count: 2 });
    const { Fleets } = await ground.aws.ec2.send(
      new DescribeFleetsCommand({ FleetIds: [FleetId] }),
    );
    expect(Fleets).toMatchObject([
      { FleetId, Type: 'instant', FulfilledCapacity: 2, Tags: [{ Value: 'spot-pool' }] },
    ]);
    const unknown = ground.aws.ec2.send(new DescribeFleetsCommand({ FleetIds: ['fleet-0'] }));
    expect(await refusalOf(unknown)).toBe('InvalidFleetId.NotFound');
  });
});

describe('client tokens of fleets', () => {
  test('the same token and parameters give the same instances, once', async () => {
    const wish = { types: ['m5.large'], token: 'claim-1' };
    const first = await createFleet(ground, wish);
    await ground.aws.clock.runFor(600_000);
    const second = await createFleet(ground, wish);
    expect(instanceIds(second)).toEqual(instanceIds(first));
    expect(second.FleetId).toBe(first.FleetId);
    const { Reservations } = await ground.aws.ec2.send(new DescribeInstancesCommand({}));
    expect(Reservations).toHaveLength(1);
  });

  test('the same token with other parameters is refused', async () => {
    await createFleet(ground, { types: ['m5.large'], token: 'claim-1' });
    const other = createFleet(ground, { types: ['m5.xlarge'], token: 'claim-1' });
    expect(await refusalOf(other)).toBe('IdempotentParameterMismatch');
  });

  test('a refused request leaves its token free', async () => {
    const input = fleetInput(ground, { types: ['m5.large'], token: 'claim-1' });
    const dryRun = ground.aws.ec2.send(new CreateFleetCommand({ ...input, DryRun: true }));
    expect(await refusalOf(dryRun)).toBe('DryRunOperation');
    expect(
      instanceIds(await createFleet(ground, { types: ['m5.xlarge'], token: 'claim-1' })),
    ).toHaveLength(1);
  });
});

describe('mistakes in a fleet request', () => {
  test.each([
    { name: 'unknown type', wish: { types: ['m5.gigantic'] }, code: 'InvalidParameterValue' },
    {
      name: 'type not offered in the zone',
      wish: {
        types: ['p3dn.24xlarge'],
        capacityType: 'on-demand' as const,
        zones: ['us-east-1a'],
      },
      code: 'Unsupported',
    },
    {
      name: 'unknown image',
      wish: { types: ['m5.large'], imageId: 'ami-0123456789abcdef0' },
      code: 'InvalidAMIID.NotFound',
    },
    {
      name: 'image of another architecture',
      wish: { types: ['m6g.large'] },
      code: 'InvalidParameterValue',
    },
    {
      name: 'spot where there is none',
      wish: { types: ['u-3tb1.56xlarge'], zones: ['us-east-1a'] },
      code: 'Unsupported',
    },
  ])('$name is an error of the override', async ({ wish, code }) => {
    const fleet = await createFleet(ground, wish);
    expect(instanceIds(fleet)).toEqual([]);
    expect(fleet.Errors?.[0]?.ErrorCode).toBe(code);
  });

  test('an unknown subnet is an error of the override', async () => {
    const lost = { ...ground, subnets: { 'us-east-1a': 'subnet-0123' } };
    const fleet = await createFleet(lost, { types: ['m5.large'] });
    expect(fleet.Errors?.[0]?.ErrorCode).toBe('InvalidSubnetID.NotFound');
  });

  test('a missing profile is named as EC2 names it', async () => {
    await createTemplate(ground, 'bad', { IamInstanceProfile: { Name: 'gone' } });
    const input = fleetInput(ground, { types: ['m5.large'] });
    const specification = input.LaunchTemplateConfigs?.[0]?.LaunchTemplateSpecification;
    if (specification !== undefined) specification.LaunchTemplateName = 'bad';
    const fleet = await ground.aws.ec2.send(new CreateFleetCommand(input));
    expect(fleet.Errors?.[0]?.ErrorMessage).toMatch(
      /iamInstanceProfile\.name is invalid.*Invalid IAM Instance Profile name/,
    );
  });

  test('a missing template refuses the whole request', async () => {
    const input = fleetInput(ground, { types: ['m5.large'] });
    const config = input.LaunchTemplateConfigs?.[0];
    const refusal = (specification: object): Promise<string> =>
      refusalOf(
        ground.aws.ec2.send(
          new CreateFleetCommand({
            ...input,
            LaunchTemplateConfigs: [
              { ...config, LaunchTemplateSpecification: { Version: '$Latest', ...specification } },
            ],
          }),
        ),
      );
    expect(await refusal({ LaunchTemplateName: 'none' })).toBe(
      'InvalidLaunchTemplateName.NotFoundException',
    );
    expect(await refusal({ LaunchTemplateId: 'lt-0' })).toBe('InvalidLaunchTemplateId.NotFound');
  });

  test.each([
    {
      name: 'fleets that keep themselves up',
      change: { Type: 'maintain' as const },
      code: 'UnsupportedOperation',
    },
    {
      name: 'options that would be ignored',
      change: { SpotOptions: { MinTargetCapacity: 1 } },
      code: 'UnsupportedOperation',
    },
    {
      name: 'unknown strategies',
      change: { SpotOptions: { AllocationStrategy: 'luck' as 'lowest-price' } },
      code: 'InvalidParameterValue',
    },
  ])('$name are refused', async ({ change, code }) => {
    const input = { ...fleetInput(ground, { types: ['m5.large'] }), ...change };
    expect(await refusalOf(ground.aws.ec2.send(new CreateFleetCommand(input)))).toBe(code);
  });
});
