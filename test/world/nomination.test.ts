import { afterEach, describe, expect, test } from 'vitest';
import { nodeClaims } from '../../src/api/karpenter/node-claim.ts';
import { pods } from '../../src/api/kubernetes/core.ts';
import type { KarpenterSettings } from '../../src/controllers/karpenter.ts';
import type { HttpRequest } from '../../src/ports/http.ts';
import { createTestWorld, type TestWorld } from './harness.ts';
import { withPodSpec } from './pod-spec.ts';

let world: TestWorld;

afterEach(() => world.close());

const pairs = 8;

/**
 * Every machine holds a large and a small pod and is full. A scheduler left to itself puts two
 * small ones on the first machine that comes, and some of the large ones find no room.
 */
async function tightWorld(settings: Partial<KarpenterSettings> = {}): Promise<void> {
  world = await createTestWorld({ isBare: true, hasFewTypes: true });
  await world.applyPoolOfOneType('tight');
  world.startKarpenter(settings);
  await world.runFor(5_000);
  await applyPods('a-small', pairs, '1400m');
  await applyPods('b-large', pairs, '2400m');
}

async function applyPods(name: string, replicas: number, cpu: string): Promise<void> {
  const containers = [{ name: 'main', image: 'x', resources: { requests: { cpu } } }];
  await world.applyDeployment(name, replicas, withPodSpec({ containers }));
}

const nominations = (): readonly string[] =>
  world.workloadPods().flatMap(({ status }) => status?.nominatedNodeName ?? []);

function isNomination({ method, path }: HttpRequest): boolean {
  return method === 'PATCH' && /\/pods\/[^/]+\/status/.test(path);
}

async function expectOneMachinePerPair(): Promise<void> {
  await world.untilRunning(2 * pairs);
  await world.runFor(60_000);
  expect(await world.cloud.instancesEver()).toBe(pairs);
  expect(nominations()).toEqual([]);
}

describe('a plan that leaves no room to spare', () => {
  test('comes out as it was made, and no machine is bought again', async () => {
    await tightWorld();
    await world.until('some are told', () => nominations().length > 0);
    await expectOneMachinePerPair();
    expect(world.errors).toEqual([]);
  });

  test('comes out so though the controller dies when some pods have been told', async () => {
    await tightWorld();
    await world.until('some are told', () => nominations().length > 1);
    world.crash();
    world.startKarpenter();
    await expectOneMachinePerPair();
  });

  test('costs more machines where the scheduler is not told', async () => {
    await tightWorld({ isNominationDisabled: true });
    await world.untilRunning(2 * pairs);
    await world.runFor(60_000);
    expect(await world.cloud.instancesEver()).toBeGreaterThan(pairs);
    expect(nominations()).toEqual([]);
  });
});

test('without the permission everything goes on, and one line says which rule is missing', async () => {
  let refused = 0;
  await tightWorld();
  world.meddleKube = async (request, handle) => {
    if (!isNomination(request)) return handle(request);
    refused++;
    const body = { kind: 'Status', code: 403, reason: 'Forbidden', message: 'no' };
    return { status: 403, headers: {}, body: JSON.stringify(body) };
  };
  await world.untilRunning(2 * pairs);
  expect(refused).toBeGreaterThan(0);
  // As many as were on their way when the first was refused.
  expect(refused).toBeLessThanOrEqual(8);
  const complaints = world.errors.filter((line) => line.includes('nominating pods is forbidden'));
  expect(complaints).toHaveLength(1);
  expect(complaints[0]).toContain('allow patch on pods/status');
});

test('a node that the scheduler has nominated itself is never overwritten', async () => {
  let answer: number | undefined;
  await tightWorld();
  world.meddleKube = async (request, handle) => {
    if (!isNomination(request) || answer !== undefined) return handle(request);
    answer = 0;
    const name = /\/pods\/([^/]+)\//.exec(request.path)?.[1] ?? '';
    const key = { namespace: 'default', name };
    const body = { status: { nominatedNodeName: 'preempted' } };
    await world.kube.patch(pods, key, { type: 'merge', subresource: 'status', body });
    // As if we had not looked at the pod before: then only the owner of the field can stop us.
    const unaware = String(request.body).replace(/"resourceVersion":"\d+"/, '"labels":{}');
    const response = await handle({ ...request, body: unaware });
    answer = response.status;
    expect((await world.kube.get(pods, key))?.status?.nominatedNodeName).toBe('preempted');
    return response;
  };
  await world.untilRunning(2 * pairs);
  expect(answer).toBe(409);
  expect(nominations()).toEqual([]);
});

test('pods of a node that dies before it is ready are told of the next one', async () => {
  await tightWorld();
  await world.until('some are told', () => nominations().length > 1);
  const lost = nominations()[0] ?? '';
  const claim = world.claims().find(({ status }) => status?.nodeName === lost);
  await world.kube.delete(nodeClaims, { name: claim?.metadata.name ?? '' });
  await world.until('nobody waits for it', () => !nominations().includes(lost), 60_000);
  await world.untilRunning(2 * pairs);
  await world.runFor(60_000);
  expect(await world.cloud.instancesEver()).toBe(pairs + 1);
});
