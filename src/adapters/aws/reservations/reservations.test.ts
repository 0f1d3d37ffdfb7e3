import {
  CancelCapacityReservationCommand,
  CreateCapacityReservationCommand,
} from '@aws-sdk/client-ec2';
import { describe, expect, test } from 'vitest';
import { aResolvedClass, typesUnderTest } from '../../../../test/aws-cli/types-under-test.ts';

const zone = 'ap-east-1a';

function setUp() {
  const under = typesUnderTest();
  const create = async (more: {
    readonly criteria?: 'open' | 'targeted';
    readonly tags?: Readonly<Record<string, string>>;
  }): Promise<string> => {
    const made = await under.aws.ec2.send(
      new CreateCapacityReservationCommand({
        InstanceType: 'm5.large',
        InstancePlatform: 'Linux/UNIX',
        AvailabilityZone: zone,
        InstanceCount: 3,
        InstanceMatchCriteria: more.criteria ?? 'open',
        TagSpecifications: [
          {
            ResourceType: 'capacity-reservation',
            Tags: Object.entries(more.tags ?? {}).map(([Key, Value]) => ({ Key, Value })),
          },
        ],
      }),
    );
    return made.CapacityReservation?.CapacityReservationId ?? '';
  };
  const find = async (
    ...terms: NonNullable<
      ReturnType<typeof aResolvedClass>['spec']['capacityReservationSelectorTerms']
    >
  ) =>
    (
      await under.settle(
        under.reservations.find(
          aResolvedClass({ spec: { capacityReservationSelectorTerms: [...terms] } }),
        ),
      )
    ).map((one) => one.id);
  return { ...under, create, find };
}

describe('a class finds capacity reservations', () => {
  test('by id, by tags, by owner and by how they match, each once', async () => {
    const { create, find } = setUp();
    const open = await create({ tags: { team: 'shop' } });
    const targeted = await create({ criteria: 'targeted', tags: { team: 'shop', env: 'prod' } });
    const both = [open, targeted].sort();
    expect(await find()).toEqual([]);
    expect(await find({ id: open })).toEqual([open]);
    expect(await find({ tags: { team: 'shop' } })).toEqual(both);
    expect(await find({ tags: { env: '*' } })).toEqual([targeted]);
    expect(await find({ instanceMatchCriteria: 'open' })).toEqual([open]);
    expect(await find({ tags: { team: 'shop' }, ownerID: '999999999999' })).toEqual([]);
    expect(await find({ id: open }, { tags: { team: 'shop' } })).toEqual(both);
  });

  test('and one that does not exist, or is cancelled, is none', async () => {
    const { create, find, aws } = setUp();
    const id = await create({});
    expect(await find({ id: 'cr-0123456789abcdef0' }, { id })).toEqual([id]);
    await aws.ec2.send(new CancelCapacityReservationCommand({ CapacityReservationId: id }));
    expect(await find({ id })).toEqual([id]);
    await aws.clock.runFor(60_000);
    expect(await find({ id })).toEqual([]);
  });
});

test('what stands in the status of the class', async () => {
  const { aws, settle, reservations } = setUp();
  const id = aws.endpoint.market.reserve({
    ...{ instanceType: 'p5.48xlarge', zone, total: 1, kind: 'capacity-block' },
    ...{ isInterruptible: true, endsAtMs: Date.UTC(2026, 10, 17) },
  });
  const spec = { capacityReservationSelectorTerms: [{ id }] };
  expect(await settle(reservations.find(aResolvedClass({ spec })))).toEqual([
    {
      id,
      ownerID: '123456789012',
      availabilityZone: zone,
      instanceType: 'p5.48xlarge',
      instanceMatchCriteria: 'targeted',
      reservationType: 'capacity-block',
      interruptible: true,
      endTime: '2026-11-17T00:00:00Z',
      state: 'active',
    },
  ]);
});
