import {
  CreatePlacementGroupCommand,
  DeletePlacementGroupCommand,
  DescribeImagesCommand,
  DescribePlacementGroupsCommand,
  RunInstancesCommand,
} from '@aws-sdk/client-ec2';
import { expect, test } from 'vitest';
import { embeddedAws, refusalOf } from '../../../../test/aws-cli/embedded-aws.ts';

const zone = 'us-east-1a';

async function setUp(Strategy: 'cluster' | 'partition' | 'spread', PartitionCount?: number) {
  const aws = embeddedAws();
  await aws.ec2.send(
    new CreatePlacementGroupCommand({ GroupName: 'near', Strategy, PartitionCount }),
  );
  const { Images = [] } = await aws.ec2.send(
    new DescribeImagesCommand({ Filters: [{ Name: 'architecture', Values: ['x86_64'] }] }),
  );
  const run = async (more: {
    count?: number;
    type?: 'm5.large' | 't3.large';
    partition?: number;
  }) => {
    const count = more.count ?? 1;
    const { Instances = [] } = await aws.ec2.send(
      new RunInstancesCommand({
        ImageId: Images[0]?.ImageId,
        ...{ InstanceType: more.type ?? 'm5.large', MinCount: count, MaxCount: count },
        Placement: {
          ...{ AvailabilityZone: zone, GroupName: 'near', PartitionNumber: more.partition },
        },
      }),
    );
    return Instances.map(({ Placement }) => Placement?.PartitionNumber);
  };
  return { aws, run };
}

test('machines of a partitioned group go where fewest are, or where they are told', async () => {
  const { run } = await setUp('partition', 3);
  expect([...(await run({})), ...(await run({})), ...(await run({ partition: 2 }))]).toEqual([
    1, 2, 2,
  ]);
  expect(await run({})).toEqual([3]);
});

test('a spread group takes seven machines in a zone', async () => {
  const { run } = await setUp('spread');
  await run({ count: 7 });
  await expect(run({})).rejects.toThrow('limit of instances in this spread placement group');
});

test('a cluster group refuses types that cannot be placed so', async () => {
  const { run } = await setUp('cluster');
  expect(await refusalOf(run({ type: 't3.large' }))).toBe('InvalidParameterCombination');
  await run({});
});

test('a group is found by name and deleted once it is empty', async () => {
  const { aws, run } = await setUp('cluster');
  const { PlacementGroups = [] } = await aws.ec2.send(
    new DescribePlacementGroupsCommand({ GroupNames: ['near'] }),
  );
  expect(PlacementGroups).toMatchObject([{ GroupName: 'near', Strategy: 'cluster' }]);
  await run({});
  const remove = () => aws.ec2.send(new DeletePlacementGroupCommand({ GroupName: 'near' }));
  expect(await refusalOf(remove())).toBe('InvalidPlacementGroup.InUse');
  const twice = aws.ec2.send(new CreatePlacementGroupCommand({ GroupName: 'near' }));
  expect(await refusalOf(twice)).toBe('InvalidPlacementGroup.Duplicate');
  const unknown = aws.ec2.send(new DescribePlacementGroupsCommand({ GroupNames: ['far'] }));
  expect(await refusalOf(unknown)).toBe('InvalidPlacementGroup.Unknown');
});
