import {
  CancelCapacityReservationCommand,
  CreateCapacityReservationCommand,
  DescribeCapacityReservationsCommand,
  DescribeInstancesCommand,
  RunInstancesCommand,
  type RunInstancesCommandInput,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { embeddedAws, refusalOf } from '../../../../test/aws-cli/embedded-aws.ts';

const zone = 'us-east-1a';

function setUp() {
  const aws = embeddedAws();
  const image = async (): Promise<string> => {
    const { DescribeImagesCommand } = await import('@aws-sdk/client-ec2');
    const { Images = [] } = await aws.ec2.send(
      new DescribeImagesCommand({ Filters: [{ Name: 'architecture', Values: ['x86_64'] }] }),
    );
    return Images[0]?.ImageId ?? '';
  };
  const reserve = async (
    InstanceCount: number,
    InstanceMatchCriteria: 'open' | 'targeted' = 'open',
  ): Promise<string> => {
    const { CapacityReservation } = await aws.ec2.send(
      new CreateCapacityReservationCommand({
        ...{ InstanceType: 'm5.large', InstancePlatform: 'Linux/UNIX', AvailabilityZone: zone },
        ...{ InstanceCount, InstanceMatchCriteria },
      }),
    );
    return CapacityReservation?.CapacityReservationId ?? '';
  };
  const run = async (
    wish: RunInstancesCommandInput['CapacityReservationSpecification'],
    more: Partial<RunInstancesCommandInput> = {},
  ) =>
    aws.ec2.send(
      new RunInstancesCommand({
        ...{ ImageId: await image(), InstanceType: 'm5.large', MinCount: 1, MaxCount: 1 },
        Placement: { AvailabilityZone: zone },
        ...(wish === undefined ? {} : { CapacityReservationSpecification: wish }),
        ...more,
      }),
    );
  const left = async (id: string) => {
    const { CapacityReservations = [] } = await aws.ec2.send(
      new DescribeCapacityReservationsCommand({ CapacityReservationIds: [id] }),
    );
    return CapacityReservations[0]?.AvailableInstanceCount;
  };
  return { aws, reserve, run, left };
}

describe('a machine uses a capacity reservation', () => {
  test('that is open, unasked', async () => {
    const { aws, reserve, run, left } = setUp();
    const id = await reserve(2);
    const { Instances = [] } = await run(undefined);
    expect(Instances[0]).toMatchObject({ CapacityReservationId: id });
    expect(await left(id)).toBe(1);
    await aws.ec2.send(
      new TerminateInstancesCommand({ InstanceIds: [Instances[0]?.InstanceId ?? ''] }),
    );
    await aws.clock.runFor(60_000);
    expect(await left(id)).toBe(2);
  });

  test('not unless asked if it is targeted, and never if it wants none', async () => {
    const { reserve, run, left } = setUp();
    const id = await reserve(2, 'targeted');
    const open = await reserve(1);
    await run({ CapacityReservationPreference: 'none' });
    expect([await left(id), await left(open)]).toEqual([2, 1]);
    await run({
      CapacityReservationPreference: 'capacity-reservations-only',
      CapacityReservationTarget: { CapacityReservationId: id },
    });
    expect([await left(id), await left(open)]).toEqual([1, 1]);
  });

  test('and is refused when it is full, of another type, or unknown', async () => {
    const { reserve, run } = setUp();
    const CapacityReservationTarget = { CapacityReservationId: await reserve(1, 'targeted') };
    expect(await refusalOf(run({ CapacityReservationTarget }, { InstanceType: 'm5.xlarge' }))).toBe(
      'ReservationCapacityExceeded',
    );
    await run({ CapacityReservationTarget });
    expect(await refusalOf(run({ CapacityReservationTarget }))).toBe('ReservationCapacityExceeded');
    const unknown = { CapacityReservationId: 'cr-0123456789abcdef0' };
    expect(await refusalOf(run({ CapacityReservationTarget: unknown }))).toBe(
      'InvalidCapacityReservationId.NotFound',
    );
  });

  test('even while the pool has run out', async () => {
    const { aws, reserve, run } = setUp();
    await reserve(1);
    aws.endpoint.market.setShortage({ instanceType: 'm5.large' });
    await run(undefined);
    expect(await refusalOf(run(undefined))).toBe('InsufficientInstanceCapacity');
  });
});

test('a capacity block is taken back half an hour before it ends', async () => {
  const { aws, run } = setUp();
  const startMs = aws.clock.nowMs();
  const id = aws.endpoint.market.reserve({
    ...{ instanceType: 'p5.48xlarge', zone, total: 1, kind: 'capacity-block' },
    endsAtMs: startMs + 3_600_000,
  });
  await run(
    { CapacityReservationTarget: { CapacityReservationId: id } },
    { InstanceType: 'p5.48xlarge', InstanceMarketOptions: { MarketType: 'capacity-block' } },
  );
  const state = async () => {
    const { Reservations = [] } = await aws.ec2.send(new DescribeInstancesCommand({}));
    const instance = Reservations[0]?.Instances?.[0];
    return `${instance?.InstanceLifecycle} ${instance?.State?.Name}`;
  };
  await aws.clock.runFor(29 * 60_000);
  expect(await state()).toBe('capacity-block running');
  await aws.clock.runFor(60_000);
  expect(await state()).toBe('capacity-block shutting-down');
});

test('reservations end by cancellation or at their time', async () => {
  const { aws, reserve } = setUp();
  const id = await reserve(1);
  await aws.ec2.send(new CancelCapacityReservationCommand({ CapacityReservationId: id }));
  aws.endpoint.market.reserve({
    ...{ instanceType: 'm5.large', zone, total: 1, endsAtMs: aws.clock.nowMs() + 60_000 },
  });
  await aws.clock.runFor(60_000);
  const { CapacityReservations = [] } = await aws.ec2.send(
    new DescribeCapacityReservationsCommand({ MaxResults: 10 }),
  );
  expect(CapacityReservations.map(({ State }) => State).sort()).toEqual(['cancelled', 'expired']);
});

test('what cannot be reserved is refused', async () => {
  const { aws } = setUp();
  const create = (more: {
    InstanceType?: string;
    AvailabilityZone?: string;
    InstanceCount?: number;
  }) =>
    aws.ec2.send(
      new CreateCapacityReservationCommand({
        InstanceType: 'm5.large',
        ...{ InstancePlatform: 'Linux/UNIX', AvailabilityZone: zone, InstanceCount: 1 },
        ...more,
      } as never),
    );
  expect(await refusalOf(create({ InstanceType: 'x99.large' }))).toBe('Unsupported');
  expect(await refusalOf(create({ AvailabilityZone: 'us-east-1z' }))).toBe('InvalidParameterValue');
  expect(await refusalOf(create({ InstanceCount: 0 }))).toBe('InvalidParameterValue');
});
