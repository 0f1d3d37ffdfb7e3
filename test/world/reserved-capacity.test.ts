import { afterEach, expect, test } from 'vitest';
import { ec2NodeClasses } from '../../src/api/karpenter/ec2-node-class.ts';
import { labels } from '../../src/core/requirements/well-known.ts';
import { createTestWorld, type TestWorld } from './harness.ts';

let world: TestWorld;

afterEach(() => world.close());

const minuteMs = 60_000;

/** A pool of one type, and a reservation of it that the class selects. */
async function setUp(
  wish: Partial<Parameters<TestWorld['aws']['market']['reserve']>[0]>,
): Promise<string> {
  const { instanceType = 'm5.large' } = wish;
  world = await createTestWorld();
  const id = world.aws.market.reserve({
    ...{ instanceType, zone: 'us-east-1a', total: 1 },
    ...wish,
  });
  await world.kube.patch(
    ec2NodeClasses,
    { name: 'default' },
    { type: 'merge', body: { spec: { capacityReservationSelectorTerms: [{ id }] } } },
  );
  await world.applyPool('one-type', (spec) => ({
    ...spec,
    template: {
      ...spec.template,
      spec: {
        ...spec.template.spec,
        requirements: [{ key: labels.instanceType, operator: 'In', values: [instanceType] }],
      },
    },
  }));
  world.startKarpenter();
  await world.applyDeployment('first', 20);
  await world.untilRunning(20);
  return id;
}

/** How the claims and the nodes were bought, as their labels say. */
function bought(): readonly string[] {
  return [...world.claims(), ...world.nodes()].map(({ metadata }) =>
    [metadata.labels?.[labels.capacityType], metadata.labels?.[labels.reservationId]].join(' '),
  );
}

test('reserved capacity is used first, and what does not fit is bought', async () => {
  const id = await setUp({});
  expect(bought()).toEqual([`reserved ${id}`, `reserved ${id}`]);
  await world.applyDeployment('second', 20);
  await world.untilRunning(40);
  expect(bought().filter((text) => text === `reserved ${id}`)).toHaveLength(2);
  expect(bought()).toContain('spot ');
});

test('a capacity block is left before EC2 takes it back, and its pods run on', async () => {
  const lifeMs = 60 * minuteMs;
  const model = await createTestWorld();
  const start = model.clock.nowMs();
  await model.close();
  const id = await setUp({
    ...{ kind: 'capacity-block', instanceType: 'p5.4xlarge', endsAtMs: start + lifeMs },
  });
  expect(bought()).toContain(`reserved ${id}`);
  await world.until('the block is left', () => !bought().includes(`reserved ${id}`), lifeMs);
  // Half an hour before the end EC2 begins to take machines away.
  expect(world.clock.nowMs()).toBeLessThan(start + lifeMs - 30 * minuteMs);
  await world.untilRunning(20);
  expect(world.sentences('NodeExpired')).toEqual([expect.stringContaining(id)]);
});

test('a machine that outlives its reservation is called on-demand', async () => {
  const id = await setUp({});
  const { CancelCapacityReservationCommand } = await import('@aws-sdk/client-ec2');
  await world.ec2.send(new CancelCapacityReservationCommand({ CapacityReservationId: id }));
  await world.runFor(3 * minuteMs);
  expect(bought()).toEqual(['on-demand ', 'on-demand ']);
  expect(world.runningPods()).toBe(20);
});
