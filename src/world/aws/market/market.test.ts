import {
  DescribeInstancesCommand,
  DescribeSpotInstanceRequestsCommand,
  DescribeSpotPriceHistoryCommand,
  paginateDescribeSpotPriceHistory,
  RunInstancesCommand,
  TerminateInstancesCommand,
} from '@aws-sdk/client-ec2';
import { GetQueueUrlCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, test } from 'vitest';
import { embeddedAws } from '../../../../test/aws-cli/embedded-aws.ts';
import {
  createFleet,
  createTemplate,
  type Ground,
  instanceIds,
  prepareGround,
  runInput,
} from '../../../../test/aws-cli/launching.ts';

let ground: Ground;

beforeEach(async () => {
  ground = await prepareGround(embeddedAws());
  await createTemplate(ground);
});

async function spotMachine(): Promise<string> {
  const fleet = await createFleet(ground, { types: ['m5.large'], zones: ['us-east-1a'] });
  return instanceIds(fleet)[0] ?? '';
}

async function events(): Promise<readonly string[]> {
  const { sqs } = ground.aws;
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: 'demo' }));
  const { Messages } = await sqs.send(
    new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }),
  );
  return (Messages ?? []).map((message) => {
    const event = JSON.parse(message.Body ?? '{}');
    expect(event).toMatchObject({
      version: '0',
      source: 'aws.ec2',
      account: '123456789012',
      region: 'us-east-1',
    });
    return `${event['detail-type']} ${event.detail.state ?? ''}`.trim();
  });
}

describe('the bill', () => {
  test('runs from running to shutting-down, by the second', async () => {
    const { clock, ec2, endpoint } = ground.aws;
    const id = await spotMachine();
    await clock.runFor(600_000);
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
    await clock.runFor(600_000);
    const bill = endpoint.market.bill(clock.nowMs());
    expect(bill.lines).toHaveLength(1);
    const [line] = bill.lines;
    expect(line).toMatchObject({
      instanceId: id,
      owner: 'karpenter',
      instanceType: 'm5.large',
      zone: 'us-east-1a',
      capacityType: 'spot',
      usdPerHour: 0.043,
    });
    const ran = Math.ceil(((line?.toMs ?? 0) - (line?.fromMs ?? 0)) / 1000);
    expect(line?.seconds).toBe(ran);
    expect(ran).toBeGreaterThan(590);
    expect(ran).toBeLessThanOrEqual(597);
    expect(bill.totalUsd).toBeCloseTo((0.043 * ran) / 3600, 12);
  });

  test('has a minimum of one minute, and grows while a machine runs', async () => {
    const { clock, endpoint } = ground.aws;
    await ground.aws.ec2.send(new RunInstancesCommand(runInput(ground)));
    await clock.runFor(10_000);
    expect(endpoint.market.bill(clock.nowMs()).totalUsd).toBeCloseTo((0.096 * 60) / 3600, 12);
    await clock.runFor(3_600_000);
    const bill = endpoint.market.bill(clock.nowMs());
    expect(bill.lines[0]?.owner).toBe('account');
    expect(bill.totalUsd).toBeGreaterThan(0.096);
  });

  test('counts simulated seconds', async () => {
    ground = await prepareGround(embeddedAws({ speed: 60 }));
    await ground.aws.ec2.send(new RunInstancesCommand(runInput(ground)));
    await ground.aws.clock.runFor(60_100);
    const [line] = ground.aws.endpoint.market.bill(ground.aws.clock.nowMs()).lines;
    expect(line?.seconds).toBeGreaterThanOrEqual(3600);
    expect(line?.seconds).toBeLessThan(3606);
  });

  test('says nothing for a spot machine that AWS takes back in its first hour', async () => {
    const { clock, endpoint } = ground.aws;
    const id = await spotMachine();
    await clock.runFor(60_000);
    endpoint.market.interrupt(id);
    await clock.runFor(200_000);
    expect(endpoint.market.bill(clock.nowMs())).toMatchObject({
      totalUsd: 0,
      lines: [{ instanceId: id, usd: 0 }],
    });
  });
});

describe('an interruption', () => {
  test('is announced two minutes ahead, and then carried out', async () => {
    const { clock, ec2, endpoint, switched } = ground.aws;
    const id = await spotMachine();
    await clock.runFor(60_000);
    expect(await events()).toEqual([
      'EC2 Instance State-change Notification pending',
      'EC2 Instance State-change Notification running',
    ]);
    expect(endpoint.market.interrupt(id, { isRebalanceAnnounced: true })).toBe('reclaiming');
    expect(endpoint.market.interrupt(id)).toBe('reclaiming');
    expect(await events()).toEqual([
      'EC2 Instance Rebalance Recommendation',
      'EC2 Spot Instance Interruption Warning',
    ]);
    await clock.runFor(119_000);
    expect(switched).toEqual([`+${id}`]);
    await clock.runFor(20_000);
    expect(switched).toEqual([`+${id}`, `-${id}`]);
    expect(await events()).toContain('EC2 Instance State-change Notification terminated');
    const { Reservations } = await ec2.send(new DescribeInstancesCommand({ InstanceIds: [id] }));
    expect(Reservations?.[0]?.Instances?.[0]?.StateReason?.Code).toBe(
      'Server.SpotInstanceTermination',
    );
  });

  test('does not come when the owner was faster', async () => {
    const { clock, ec2, endpoint, switched } = ground.aws;
    const id = await spotMachine();
    await clock.runFor(60_000);
    endpoint.market.interrupt(id);
    await ec2.send(new TerminateInstancesCommand({ InstanceIds: [id] }));
    expect(endpoint.market.interrupt(id)).toBe('already-leaving');
    await clock.runFor(300_000);
    expect(switched).toEqual([`+${id}`, `-${id}`]);
  });

  test('is for spot machines alone', async () => {
    const { endpoint, ec2 } = ground.aws;
    const answer = await ec2.send(new RunInstancesCommand(runInput(ground)));
    expect(endpoint.market.interrupt(answer.Instances?.[0]?.InstanceId ?? '')).toBe('not-spot');
    expect(endpoint.market.interrupt('i-0')).toBe('not-found');
  });

  test('shows in the spot request', async () => {
    const { clock, ec2, endpoint } = ground.aws;
    const id = await spotMachine();
    await clock.runFor(60_000);
    const status = async (): Promise<unknown> => {
      const { SpotInstanceRequests } = await ec2.send(
        new DescribeSpotInstanceRequestsCommand({
          Filters: [{ Name: 'instance-id', Values: [id] }],
        }),
      );
      return SpotInstanceRequests?.map((request) => [request.State, request.Status?.Code]);
    };
    expect(await status()).toEqual([['active', 'fulfilled']]);
    endpoint.market.interrupt(id);
    expect(await status()).toEqual([['active', 'marked-for-termination']]);
    await clock.runFor(140_000);
    expect(await status()).toEqual([['closed', 'instance-terminated-no-capacity']]);
  });
});

describe('spot prices', () => {
  test('the history of now is one price per pool, page by page', async () => {
    const { ec2, clock } = ground.aws;
    const pages = paginateDescribeSpotPriceHistory(
      { client: ec2, pageSize: 1000 },
      {
        StartTime: new Date(clock.nowMs()),
        ProductDescriptions: ['Linux/UNIX', 'Linux/UNIX (Amazon VPC)'],
      },
    );
    const pools = new Map<string, string>();
    let rows = 0;
    for await (const page of pages) {
      for (const price of page.SpotPriceHistory ?? []) {
        rows++;
        pools.set(`${price.InstanceType} ${price.AvailabilityZone}`, price.SpotPrice ?? '');
      }
    }
    expect(pools.size).toBe(rows);
    expect(rows).toBeGreaterThan(6_000);
    expect(pools.get('m5.large us-east-1a')).toBe('0.043000');
  });

  test('can be narrowed to a type, a zone and a product', async () => {
    const { ec2, clock } = ground.aws;
    const rows = async (more: object): Promise<unknown> => {
      const answer = await ec2.send(
        new DescribeSpotPriceHistoryCommand({
          StartTime: new Date(clock.nowMs()),
          InstanceTypes: ['m5.large'],
          ...more,
        }),
      );
      return answer.SpotPriceHistory?.map(
        (price) => `${price.AvailabilityZone} ${price.SpotPrice}`,
      );
    };
    expect(await rows({ AvailabilityZone: 'us-east-1b' })).toEqual(['us-east-1b 0.044200']);
    expect(await rows({})).toHaveLength(5);
    expect(await rows({ ProductDescriptions: ['Windows'] })).toEqual([]);
  });

  test('drift when told to, stay below on-demand, and are billed as they were', async () => {
    const { clock, ec2, endpoint } = ground.aws;
    endpoint.market.setSpotDrift(0.3);
    await spotMachine();
    await clock.runFor(24 * 3_600_000);
    const { SpotPriceHistory = [] } = await ec2.send(
      new DescribeSpotPriceHistoryCommand({
        InstanceTypes: ['m5.large'],
        AvailabilityZone: 'us-east-1a',
      }),
    );
    const prices = SpotPriceHistory.map((entry) => Number(entry.SpotPrice));
    expect(prices.length).toBeGreaterThan(20);
    expect(new Set(prices).size).toBeGreaterThan(5);
    for (const price of prices) expect(Math.abs(price / 0.043 - 1)).toBeLessThanOrEqual(0.302);
    const bill = endpoint.market.bill(clock.nowMs());
    expect(new Set(bill.lines.map((line) => line.usdPerHour)).size).toBeGreaterThan(5);
    const seconds = bill.lines.reduce((sum, line) => sum + line.seconds, 0);
    expect(seconds).toBeGreaterThan(86_390);
    expect(seconds).toBeLessThanOrEqual(86_400);
    endpoint.market.setSpotDrift(0);
    await clock.runFor(1_000);
    const pool = { instanceType: 'm5.large', zone: 'us-east-1a', capacityType: 'spot' } as const;
    expect(endpoint.market.priceUsdPerHour(pool)).toBe(0.043);
    expect(endpoint.market.bill(clock.nowMs()).totalUsd).toBeCloseTo(bill.totalUsd, 3);
  });
});
