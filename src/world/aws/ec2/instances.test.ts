import {
  DescribeInstanceStatusCommand,
  DescribeInstancesCommand,
  DescribeSubnetsCommand,
  DescribeVolumesCommand,
  type Filter,
  type Instance,
  paginateDescribeInstances,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { beforeEach, describe, expect, test } from 'vitest';
import { embeddedAws, refusalOf } from '../../../../test/aws-cli/embedded-aws.ts';
import {
  createFleet,
  createTemplate,
  type Ground,
  listInstances,
  prepareGround,
  type runInput,
  runInstances,
  userData,
} from '../../../../test/aws-cli/launching.ts';

let ground: Ground;

beforeEach(async () => {
  ground = await prepareGround(embeddedAws());
});

function listed(filters: readonly Filter[] = []): Promise<readonly Instance[]> {
  return listInstances(ground, filters);
}

function run(more: Parameters<typeof runInput>[1] = {}): Promise<readonly string[]> {
  return runInstances(ground, more);
}

async function freeAddresses(): Promise<number | undefined> {
  const SubnetIds = [ground.subnets['us-east-1a'] ?? ''];
  const answer = await ground.aws.ec2.send(new DescribeSubnetsCommand({ SubnetIds }));
  return answer.Subnets?.[0]?.AvailableIpAddressCount;
}

describe('the life of an instance', () => {
  test('pending, running, booted, shutting down, terminated, forgotten', async () => {
    const { ec2, clock, switched, machines } = ground.aws;
    const [id = ''] = await run();
    const state = async (): Promise<string | undefined> => (await listed())[0]?.State?.Name;
    expect(await state()).toBe('pending');
    await clock.runFor(7_000);
    expect(await state()).toBe('running');
    expect(switched).toEqual([]);
    await clock.runFor(50_000);
    expect(switched).toEqual([`+${id}`]);
    expect(machines()).toMatchObject([
      {
        instanceId: id,
        instanceType: 'm5.large',
        zone: 'us-east-1a',
        zoneId: 'use1-az2',
        privateDnsName: 'ip-10-0-0-4.ec2.internal',
        arch: 'amd64',
        cpuCount: 2,
        memoryMiB: 8192,
        rootVolumeGiB: 20,
        nvidiaGpuCount: 0,
        podsByNetwork: 29,
        userData,
      },
    ]);
    const answer = await ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
    expect(answer.TerminatingInstances).toMatchObject([
      {
        InstanceId: id,
        PreviousState: { Name: 'running' },
        CurrentState: { Name: 'shutting-down', Code: 32 },
      },
    ]);
    expect(switched).toEqual([`+${id}`, `-${id}`]);
    expect(machines()).toEqual([]);
    await clock.runFor(20_000);
    const [gone] = await listed();
    expect(gone).toMatchObject({
      State: { Name: 'terminated' },
      StateReason: { Code: 'Client.UserInitiatedShutdown' },
    });
    expect(gone?.PrivateIpAddress).toBeUndefined();
    await clock.runFor(3_600_000);
    expect(await listed()).toEqual([]);
  });

  test('at ten times the speed it takes a tenth of the time', async () => {
    ground = await prepareGround(embeddedAws({ speed: 10 }));
    await run();
    await ground.aws.clock.runFor(5_300);
    expect(ground.aws.switched).toHaveLength(1);
  });

  test('a machine that is terminated before it boots never comes on', async () => {
    const InstanceIds = [...(await run())];
    await ground.aws.ec2.send(new TerminateInstancesCommand({ InstanceIds }));
    await ground.aws.clock.runFor(120_000);
    expect(ground.aws.switched).toEqual([]);
    expect(ground.aws.endpoint.market.bill(ground.aws.clock.nowMs()).lines).toEqual([]);
  });

  test('the same seed boots at the same moments', async () => {
    const trace = async (): Promise<readonly string[]> => {
      ground = await prepareGround(embeddedAws({ seed: 11 }));
      const moments: string[] = [];
      ground.aws.endpoint.machines.subscribe({
        onStarted: (machine) => moments.push(`${ground.aws.clock.nowMs()} ${machine.instanceId}`),
        onStopped: () => undefined,
      });
      await run({ MinCount: 5, MaxCount: 5 });
      await ground.aws.clock.runFor(60_000);
      return moments;
    };
    const first = await trace();
    expect(first).toHaveLength(5);
    expect(new Set(first.map((line) => line.split(' ')[0])).size).toBeGreaterThan(1);
    expect(await trace()).toEqual(first);
  });

  test('addresses are taken from the subnet and given back at the end', async () => {
    expect(await freeAddresses()).toBe(8187);
    const InstanceIds = [...(await run({ MinCount: 3, MaxCount: 3 }))];
    expect(await freeAddresses()).toBe(8184);
    await ground.aws.ec2.send(new TerminateInstancesCommand({ InstanceIds }));
    expect(await freeAddresses()).toBe(8184);
    await ground.aws.clock.runFor(20_000);
    expect(await freeAddresses()).toBe(8187);
    await run();
    expect(
      (await listed([{ Name: 'instance-state-name', Values: ['pending'] }]))[0]?.PrivateIpAddress,
    ).toBe('10.0.0.7');
  });

  test('outside us-east-1 the DNS name carries the region', async () => {
    ground = await prepareGround(embeddedAws({ region: 'eu-west-1' }));
    await run({ SubnetId: ground.subnets['eu-west-1a'] });
    expect((await listed())[0]?.PrivateDnsName).toBe('ip-10-0-0-4.eu-west-1.compute.internal');
  });
});

describe('RunInstances', () => {
  test('repeats the answer for a repeated client token', async () => {
    const first = await run({ ClientToken: 'one' });
    expect(await run({ ClientToken: 'one' })).toEqual(first);
    expect(await refusalOf(run({ ClientToken: 'one', InstanceType: 'm5.xlarge' }))).toBe(
      'IdempotentParameterMismatch',
    );
    await ground.aws.ec2.send(new TerminateInstancesCommand({ InstanceIds: [...first] }));
    await ground.aws.clock.runFor(4_000_000);
    expect(await refusalOf(run({ ClientToken: 'one' }))).toBe('IdempotentInstanceTerminated');
  });

  test('takes a launch template and lets the request win', async () => {
    await createTemplate(ground);
    await run({
      ImageId: undefined,
      SecurityGroupIds: undefined,
      IamInstanceProfile: undefined,
      LaunchTemplate: { LaunchTemplateName: 'karpenter.k8s.aws/1', Version: '1' },
    });
    expect((await listed())[0]).toMatchObject({
      ImageId: ground.imageId,
      InstanceType: 'm5.large',
      IamInstanceProfile: { Arn: expect.stringContaining('instance-profile/nodes') },
      MetadataOptions: { HttpTokens: 'required' },
    });
  });

  test('launches what can be had between the minimum and the maximum', async () => {
    ground.aws.endpoint.market.setShortage({ instanceType: 'm5.large', remaining: 2 });
    expect(await refusalOf(run({ MinCount: 3, MaxCount: 5 }))).toBe('InsufficientInstanceCapacity');
    expect(await listed()).toEqual([]);
    expect(await run({ MinCount: 1, MaxCount: 5 })).toHaveLength(2);
  });

  test.each([
    { name: 'a dry run', more: { DryRun: true }, code: 'DryRunOperation' },
    {
      name: 'an unknown image',
      more: { ImageId: 'ami-0123456789abcdef0' },
      code: 'InvalidAMIID.NotFound',
    },
    { name: 'an unknown subnet', more: { SubnetId: 'subnet-1' }, code: 'InvalidSubnetID.NotFound' },
    {
      name: 'an unknown group',
      more: { SecurityGroupIds: ['sg-1'] },
      code: 'InvalidGroup.NotFound',
    },
    {
      name: 'an unknown profile',
      more: { IamInstanceProfile: { Name: 'x' } },
      code: 'InvalidParameterValue',
    },
    {
      name: 'user data over 16 KiB',
      more: { UserData: Buffer.alloc(16_385).toString('base64') },
      code: 'InvalidParameterValue',
    },
    {
      name: 'user data that is not base64',
      more: { UserData: '%%%' },
      code: 'InvalidUserData.Malformed',
    },
    {
      name: 'a tag that AWS keeps for itself',
      more: {
        TagSpecifications: [
          { ResourceType: 'instance' as const, Tags: [{ Key: 'aws:mine', Value: '' }] },
        ],
      },
      code: 'InvalidParameterValue',
    },
  ])('$name ends in $code', async ({ more, code }) => {
    expect(await refusalOf(run(more))).toBe(code);
    expect(await listed()).toEqual([]);
  });
});

describe('finding instances', () => {
  beforeEach(async () => {
    await createTemplate(ground);
    await createFleet(ground, { types: ['m5.large'], zones: ['us-east-1a'] });
    await createFleet(ground, {
      types: ['c5.xlarge'],
      zones: ['us-east-1b'],
      capacityType: 'on-demand',
    });
    await run({ InstanceType: 't3.medium' });
  });

  test.each([
    { name: 'tag:karpenter.sh/nodepool', values: ['spot-pool'], types: ['m5.large', 'c5.xlarge'] },
    { name: 'tag:karpenter.sh/nodepool', values: ['spot-*'], types: ['m5.large', 'c5.xlarge'] },
    { name: 'tag:karpenter.sh/nodepool', values: ['other'], types: [] },
    { name: 'tag-key', values: ['karpenter.sh/nodepool'], types: ['m5.large', 'c5.xlarge'] },
    { name: 'tag-value', values: ['spot-pool'], types: ['m5.large', 'c5.xlarge'] },
    { name: 'instance-type', values: ['c5.*', 't3.medium'], types: ['c5.xlarge', 't3.medium'] },
    { name: 'instance-lifecycle', values: ['spot'], types: ['m5.large'] },
    { name: 'availability-zone', values: ['us-east-1a'], types: ['m5.large', 't3.medium'] },
    { name: 'private-dns-name', values: ['ip-10-0-32-*'], types: ['c5.xlarge'] },
    {
      name: 'instance-state-name',
      values: ['pending', 'running'],
      types: ['m5.large', 'c5.xlarge', 't3.medium'],
    },
    { name: 'instance-state-name', values: ['terminated'], types: [] },
  ])('by $name = $values', async ({ name, values, types }) => {
    const found = await listed([{ Name: name, Values: values }]);
    expect(found.map((instance) => instance.InstanceType)).toEqual(types);
  });

  test('several filters must all hold', async () => {
    const found = await listed([
      { Name: 'tag-key', Values: ['karpenter.sh/nodepool'] },
      { Name: 'instance-lifecycle', Values: ['spot'] },
    ]);
    expect(found).toHaveLength(1);
  });

  test('pages lose and repeat nothing, even when instances are forgotten in between', async () => {
    const early = await run({ MinCount: 8, MaxCount: 8 });
    await ground.aws.ec2.send(
      new TerminateInstancesCommand({ InstanceIds: [...early].slice(0, 2) }),
    );
    await ground.aws.clock.runFor(3_590_000);
    const late = await run({ MinCount: 6, MaxCount: 6 });
    const seen: string[] = [];
    for await (const page of paginateDescribeInstances(
      { client: ground.aws.ec2, pageSize: 5 },
      {},
    )) {
      for (const reservation of page.Reservations ?? []) {
        seen.push(...(reservation.Instances ?? []).map((instance) => instance.InstanceId ?? ''));
      }
      await ground.aws.clock.runFor(15_000);
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining([...early.slice(2), ...late]));
  });

  test('ids that are unknown or malformed are refused, and ids do not go with pages', async () => {
    const { ec2 } = ground.aws;
    const [known = ''] = (await listed()).map((instance) => instance.InstanceId ?? '');
    const refusal = (input: object): Promise<string> =>
      refusalOf(ec2.send(new DescribeInstancesCommand(input)));
    expect(await refusal({ InstanceIds: ['i-0123456789abcdef0'] })).toBe(
      'InvalidInstanceID.NotFound',
    );
    expect(await refusal({ InstanceIds: ['banana'] })).toBe('InvalidInstanceID.Malformed');
    expect(await refusal({ InstanceIds: [known], MaxResults: 10 })).toBe(
      'InvalidParameterCombination',
    );
    expect(await refusal({ MaxResults: 4 })).toBe('InvalidParameterValue');
  });

  test('one unknown id and nothing is terminated', async () => {
    const ids = (await listed()).map((instance) => instance.InstanceId ?? '');
    const call = ground.aws.ec2.send(
      new TerminateInstancesCommand({ InstanceIds: [...ids, 'i-0123456789abcdef0'] }),
    );
    expect(await refusalOf(call)).toBe('InvalidInstanceID.NotFound');
    expect(await listed([{ Name: 'instance-state-name', Values: ['shutting-down'] }])).toEqual([]);
  });

  test('only running instances have a status unless all are asked for', async () => {
    const { ec2, clock } = ground.aws;
    const count = async (input: object): Promise<number | undefined> =>
      (await ec2.send(new DescribeInstanceStatusCommand(input))).InstanceStatuses?.length;
    expect(await count({})).toBe(0);
    expect(await count({ IncludeAllInstances: true })).toBe(3);
    await clock.runFor(10_000);
    expect(await count({})).toBe(3);
    expect(
      await count({ Filters: [{ Name: 'instance-status.status', Values: ['impaired'] }] }),
    ).toBe(0);
    expect(await count({ Filters: [{ Name: 'event.code', Values: ['instance-stop'] }] })).toBe(0);
  });

  test('volumes have the size of the template and the tags of the fleet', async () => {
    const { Volumes } = await ground.aws.ec2.send(
      new DescribeVolumesCommand({
        Filters: [{ Name: 'tag:karpenter.sh/nodepool', Values: ['spot-pool'] }],
      }),
    );
    expect(Volumes).toHaveLength(2);
    expect(Volumes?.[0]).toMatchObject({
      Size: 30,
      VolumeType: 'gp3',
      Encrypted: true,
      State: 'in-use',
    });
  });
});
