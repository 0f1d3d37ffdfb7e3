import { afterEach, describe, expect, test } from 'vitest';
import { ec2NodeClasses } from '../../src/api/karpenter/ec2-node-class.ts';
import { nodeClaims } from '../../src/api/karpenter/node-claim.ts';
import { events } from '../../src/api/kubernetes/core.ts';
import { conditionOf } from '../../src/api/resource.ts';
import { createTestWorld, type TestWorld } from './harness.ts';

let world: TestWorld;
let calls: Map<string, number>;
let denied: string | undefined;

afterEach(() => world.close());

/** A world whose requests to AWS are counted, and one kind of them denied. */
async function worldThatDenies(action: string | undefined): Promise<void> {
  world = await createTestWorld({ isBare: true, hasFewTypes: true });
  denied = action;
  calls = new Map();
  world.meddleAws = async (request, handle) => {
    const action = /^Action=(\w+)/.exec(String(request.body))?.[1] ?? 'other';
    calls.set(action, (calls.get(action) ?? 0) + 1);
    return action === denied ? forbidden(action) : handle(request);
  };
  await world.applyStoryPools();
}

function forbidden(action: string) {
  const message = `You are not authorized to perform: ec2:${action}`;
  const error = `<Error><Code>UnauthorizedOperation</Code><Message>${message}</Message></Error>`;
  const body = `<Response><Errors>${error}</Errors><RequestID>r-1</RequestID></Response>`;
  return { status: 403, headers: { 'content-type': 'text/xml' }, body };
}

async function tenMinutesWithPods(): Promise<void> {
  world.startKarpenter();
  await world.applyDeployment('web', 3);
  await world.runFor(600_000);
}

async function warnings(kind: string): Promise<readonly string[]> {
  const { items } = await world.kube.list(events);
  return items
    .filter((event) => event.type === 'Warning' && event.involvedObject.kind === kind)
    .map((event) => `${event.reason}: ${event.message}`);
}

/** What the API server and EC2 hear in ten minutes in which nothing can be done. */
function expectCalm(): void {
  expect(calls.get('CreateFleet') ?? 0).toBeLessThan(30);
  expect(calls.get('DescribeInstances') ?? 0).toBeLessThan(120);
  expect(world.writes.length).toBeLessThan(80);
}

describe('a missing permission', () => {
  test('to buy machines is told on the node class before anything is ordered', async () => {
    await worldThatDenies('CreateFleet');
    await tenMinutesWithPods();
    const nodeClass = await world.kube.get(ec2NodeClasses, { name: 'default' });
    const validation = conditionOf(nodeClass ?? {}, 'ValidationSucceeded');
    expect(validation?.reason).toBe('CreateFleetAuthCheckFailed');
    expect(validation?.message).toMatch(/not authorized to perform: ec2:CreateFleet/);
    expect((await warnings('Pod')).join('\n')).toMatch(/ec2:CreateFleet/);
    expect(world.claims()).toEqual([]);
    expectCalm();
  });

  test('to buy machines that is taken away later is told on the claim, and tried ever more rarely', async () => {
    await worldThatDenies(undefined);
    world.startKarpenter();
    await world.runFor(60_000);
    denied = 'CreateFleet';
    await world.applyDeployment('web', 3);
    await world.runFor(600_000);
    const launched = conditionOf(world.claims()[0] ?? {}, 'Launched');
    expect(launched?.reason).toBe('Unauthorized');
    expect(launched?.message).toMatch(/not authorized to perform: ec2:CreateFleet/);
    expect((await warnings('NodeClaim')).join('\n')).toMatch(
      /^Unauthorized: No machine for claim \S+: .*not authorized to perform: ec2:CreateFleet; trying again\.$/m,
    );
    expectCalm();
  });

  test('to list instance types is told to the pods that wait', async () => {
    await worldThatDenies('DescribeInstanceTypes');
    await tenMinutesWithPods();
    expect((await warnings('Pod')).join('\n')).toMatch(
      /NodePool spot-pool: nothing can be ordered from it: its instance types are not known: .*not authorized to perform: ec2:DescribeInstanceTypes/,
    );
    expectCalm();
  });

  test('to end machines is told on the claim, which stays until the machine is gone', async () => {
    await worldThatDenies('TerminateInstances');
    world.startKarpenter();
    await world.applyDeployment('web', 3);
    await world.untilRunning(3);
    const name = world.claims()[0]?.metadata.name ?? '';
    await world.kube.delete(nodeClaims, { name });
    await world.runFor(600_000);
    expect((await warnings('NodeClaim')).join('\n')).toMatch(
      /Unauthorized: terminating i-\w+: .*not authorized to perform: ec2:TerminateInstances/,
    );
    expect(world.claims().map(({ metadata }) => metadata.name)).toContain(name);
    expectCalm();
  });
});

test('an exhausted quota is told in the words of EC2, and not asked for type by type', async () => {
  await worldThatDenies(undefined);
  world.aws.market.setQuota('spot', 0);
  world.aws.market.setQuota('on-demand', 0);
  await tenMinutesWithPods();
  expect((await warnings('NodeClaim')).join('\n')).toMatch(
    /^InsufficientCapacityError: No machine for claim \S+: .*LimitExceeded: .*vCPU.* for \d+ types in us-east-1a, us-east-1b, us-east-1c; its pods are planned again\.$/m,
  );
  expectCalm();
});

describe('a mistake in the EC2NodeClass', () => {
  test.each([
    {
      what: 'tags that no subnet carries',
      spec: { subnetSelectorTerms: [{ tags: { team: 'nobody' } }] },
      type: 'SubnetsReady',
      reason: 'SubnetsNotFound',
      why: 'no subnet matches tags team=nobody',
    },
    {
      what: 'a role that does not exist',
      spec: { role: 'nobody' },
      type: 'InstanceProfileReady',
      reason: 'InstanceProfileFailed',
      why: 'The role with name nobody cannot be found',
    },
  ])('$what, is told on the class, in an event, and to the pods', async (mistake) => {
    await worldThatDenies(undefined);
    const { spec, type, reason, why } = mistake;
    await world.kube.patch(ec2NodeClasses, { name: 'default' }, { type: 'merge', body: { spec } });
    await tenMinutesWithPods();
    const nodeClass = await world.kube.get(ec2NodeClasses, { name: 'default' });
    const condition = conditionOf(nodeClass ?? {}, type);
    expect(condition?.reason).toBe(reason);
    expect(condition?.message).toContain(why);
    expect((await warnings('EC2NodeClass')).join('\n')).toContain(why);
    expect((await warnings('Pod')).join('\n')).toContain(why);
    expectCalm();
  });
});
