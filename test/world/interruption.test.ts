import { afterEach, describe, expect, test } from 'vitest';
import { events, type NodeObject, nodes } from '../../src/api/kubernetes/core.ts';
import type { KarpenterSettings } from '../../src/controllers/karpenter.ts';
import type { HttpRequest, HttpResponse } from '../../src/ports/http.ts';
import { createTestWorld, type TestWorld } from './harness.ts';

let world: TestWorld;

afterEach(() => world.close());

const replicas = 5;

async function runningWorld(settings: Partial<KarpenterSettings> = {}): Promise<string> {
  world = await createTestWorld({ isBare: true, hasFewTypes: true });
  await world.applyStoryPools();
  world.startKarpenter(settings);
  await world.applyDeployment('web', replicas);
  await world.untilRunning(replicas);
  const [instanceId = ''] = await world.cloud.instances();
  return instanceId;
}

function isDisrupted({ spec }: NodeObject): boolean {
  return (spec?.taints ?? []).some(({ key }) => key === 'karpenter.sh/disrupted');
}

async function reasons(): Promise<ReadonlySet<string | undefined>> {
  await world.runFor(2_000);
  const { items } = await world.kube.list(events);
  return new Set(items.map(({ reason }) => reason));
}

test('a spot notice closes the node within a second, and its pods run elsewhere before it is gone', async () => {
  const instanceId = await runningWorld();
  const noticedMs = world.clock.nowMs();
  world.aws.market.interrupt(instanceId);
  await world.until('the node is closed', () => world.nodes().some(isDisrupted), 1_000);
  await world.until('another is ordered', () => world.claims().length === 2, 3_000);
  await world.until(
    'the pods run elsewhere',
    () =>
      world.runningPods() === replicas &&
      world.workloadPods().every((pod) => pod.spec.nodeName !== undefined) &&
      world.nodes().length === 1,
  );
  expect(world.clock.nowMs() - noticedMs).toBeLessThan(30_000);
  expect(await world.cloud.instancesEver()).toBe(2);
  expect(await reasons()).toEqual(
    expect.objectContaining(new Set(['SpotInterrupted', 'TerminatingOnInterruption'])),
  );
});

test('the offering that was taken back is avoided for three minutes', async () => {
  const instanceId = await runningWorld();
  const before = kindOf(world.nodes()[0]);
  world.aws.market.interrupt(instanceId);
  await world.until('it was replaced', () => world.nodes().some((node) => !isDisrupted(node)));
  const after = world.nodes().find((node) => !isDisrupted(node));
  expect(kindOf(after)).not.toBe(before);
});

function kindOf(node: NodeObject | undefined): string {
  const labels = node?.metadata.labels ?? {};
  return `${labels['node.kubernetes.io/instance-type']} in ${labels['topology.kubernetes.io/zone']}`;
}

/** Sends an event as EventBridge would, whoever it is about. */
async function send(detailType: string, detail: object, source = 'aws.ec2'): Promise<void> {
  await sendBody(JSON.stringify({ version: '0', source, 'detail-type': detailType, detail }));
}

async function sendBody(MessageBody: string): Promise<void> {
  const QueueUrl = 'http://aws.internal/123456789012/test';
  const request: HttpRequest = {
    method: 'POST',
    path: '/',
    headers: {
      'x-amz-target': 'AmazonSQS.SendMessage',
      'content-type': 'application/x-amz-json-1.0',
      authorization: 'AWS4-HMAC-SHA256 Credential=A/20260105/us-east-1/sqs/aws4_request, x',
    },
    body: JSON.stringify({ QueueUrl, MessageBody }),
  };
  expect((await world.aws.handle(request)).status).toBe(200);
}

const rebalance = 'EC2 Instance Rebalance Recommendation';
const stateChange = 'EC2 Instance State-change Notification';

describe('a message about one of our machines', () => {
  test.each([
    {
      what: 'a reservation that is taken back',
      type: 'EC2 Capacity Reservation Instance Interruption Warning',
      reason: 'CapacityReservationInstanceInterrupted',
    },
    { what: 'a stop', type: stateChange, more: { state: 'stopping' }, reason: 'InstanceStopping' },
    {
      what: 'an end',
      type: stateChange,
      more: { state: 'terminated' },
      reason: 'InstanceTerminating',
    },
  ])('$what replaces it', async ({ type, more, reason }) => {
    const instanceId = await runningWorld();
    await send(type, { 'instance-id': instanceId, ...more });
    await world.until('it is gone', () =>
      world.nodes().every((node) => node.spec?.providerID?.includes(instanceId) === false),
    );
    await world.untilRunning(replicas);
    expect(await reasons()).toContain(reason);
  });

  test('planned maintenance replaces it', async () => {
    const instanceId = await runningWorld();
    await send(
      'AWS Health Event',
      {
        service: 'EC2',
        eventTypeCategory: 'scheduledChange',
        affectedEntities: [{ entityValue: instanceId }, { entityValue: 'i-of-somebody-else' }],
      },
      'aws.health',
    );
    await world.until('it is closed', () => world.nodes().some(isDisrupted), 3_000);
    expect(await reasons()).toContain('InstanceUnhealthy');
  });

  test('a recommendation to leave is told, and nothing else', async () => {
    const instanceId = await runningWorld();
    await send(rebalance, { 'instance-id': instanceId });
    await world.runFor(10_000);
    expect(world.nodes().some(isDisrupted)).toBe(false);
    expect(await reasons()).toContain('SpotRebalanceRecommendation');
  });

  test('a recommendation to leave is followed where that is wished', async () => {
    const instanceId = await runningWorld({ rebalance: 'replace' });
    await send(rebalance, { 'instance-id': instanceId });
    await world.until('it is closed', () => world.nodes().some(isDisrupted), 3_000);
  });
});

test('messages that come twice, concern others or cannot be read do no harm and are deleted', async () => {
  const instanceId = await runningWorld();
  const warning = { 'instance-id': instanceId, 'instance-action': 'terminate' };
  for (const body of ['', 'no json', '[]', '{"version":"7"}', '{"detail":{"instance-id":3}}'])
    await sendBody(body === '' ? ' ' : body);
  await send('EC2 Spot Instance Interruption Warning', { 'instance-id': 'i-0000000000000000a' });
  for (let copy = 0; copy < 3; copy++)
    await send('EC2 Spot Instance Interruption Warning', warning);
  await world.until(
    'it is replaced',
    () => world.nodes().some((node) => !isDisrupted(node)) && world.claims().length === 1,
  );
  await world.untilRunning(replicas);
  expect(await world.cloud.instancesEver()).toBe(2);
  expect(world.sentences('NodeInterrupted')).toHaveLength(1);
  // Whatever was left in the queue would be visible again after twenty seconds.
  let messages = 0;
  world.meddleAws = async (request, handle) => {
    const answer = await handle(request);
    if (request.headers['x-amz-target'] === 'AmazonSQS.ReceiveMessage')
      messages += (JSON.parse(String(answer.body)).Messages ?? []).length;
    return answer;
  };
  await world.runFor(60_000);
  expect(messages).toBe(0);
});

/** EC2's answer to DescribeInstanceStatus for one machine whose checks have failed since then. */
function impaired(instanceId: string, sinceMs: number): HttpResponse {
  const details = `<details><item><name>reachability</name><status>failed</status><impairedSince>${new Date(sinceMs).toISOString()}</impairedSince></item></details>`;
  const body = `<DescribeInstanceStatusResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><instanceStatusSet><item><instanceId>${instanceId}</instanceId><systemStatus><status>impaired</status>${details}</systemStatus></item></instanceStatusSet></DescribeInstanceStatusResponse>`;
  return { status: 200, headers: { 'content-type': 'text/xml' }, body };
}

test('a machine whose host fails its checks for two minutes is ended at once, budgets or not', async () => {
  const instanceId = await runningWorld();
  await world.applyBudget('web', { maxUnavailable: 0, selector: { matchLabels: { app: 'web' } } });
  const sinceMs = world.clock.nowMs();
  world.meddleAws = async (request, handle) =>
    /Action=DescribeInstanceStatus&.*system-status/.test(String(request.body))
      ? impaired(instanceId, sinceMs)
      : handle(request);
  await world.runFor(110_000);
  expect(world.nodes().some(isDisrupted)).toBe(false);
  await world.until(
    'it is gone',
    () => world.nodes().every((node) => node.spec?.providerID?.includes(instanceId) === false),
    240_000,
  );
  await world.untilRunning(replicas);
  expect(await reasons()).toContain('InstanceUnhealthy');
});

describe('node repair', () => {
  async function breakNode(name: string): Promise<void> {
    const now = new Date(world.clock.nowMs()).toISOString().replace(/\.\d+Z/, 'Z');
    const conditions = [
      { type: 'NetworkingReady', status: 'False', lastTransitionTime: now, reason: 'Broken' },
    ];
    const patch = { type: 'strategic', body: { status: { conditions } }, subresource: 'status' };
    await world.kube.patch(nodes, { name }, patch as never);
  }

  test('a node that reports a broken network for half an hour is replaced, if that is switched on', async () => {
    await runningWorld({ featureGates: { nodeRepair: true } });
    const [node] = world.nodes();
    await breakNode(node?.metadata.name ?? '');
    await world.runFor(29 * 60_000);
    expect(world.nodes().map(({ metadata }) => metadata.uid)).toEqual([node?.metadata.uid]);
    await world.until('it is replaced', () =>
      world.nodes().every(({ metadata }) => metadata.uid !== node?.metadata.uid),
    );
    await world.untilRunning(replicas);
    expect(await reasons()).toContain('NodeRepair');
  });
});
