import { afterEach, expect, test } from 'vitest';
import { nodeClaims } from '../../src/api/karpenter/node-claim.ts';
import type { HttpRequest, HttpResponse } from '../../src/ports/http.ts';
import { createTestWorld, type TestWorld } from './harness.ts';
import { withPodSpec } from './pod-spec.ts';

let world: TestWorld;

afterEach(() => world.close());

/** One pod per machine. */
async function runningWorld(machines: number): Promise<void> {
  world = await createTestWorld({ isBare: true, hasFewTypes: true });
  await world.applyPoolOfOneType('pool');
  world.startKarpenter();
  const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu: '3' } } }];
  await world.applyDeployment('web', machines, withPodSpec({ containers }));
  await world.untilRunning(machines);
}

async function endAll(): Promise<void> {
  await world.deleteDeployment('web');
  for (const { metadata } of world.claims())
    await world.kube.delete(nodeClaims, { name: metadata.name });
}

function refusal(code: string): HttpResponse {
  const error = `<Error><Code>${code}</Code><Message>no ${world.clock.nowMs()}</Message></Error>`;
  const body = `<Response><Errors>${error}</Errors><RequestID>1</RequestID></Response>`;
  return { status: 403, headers: {}, body };
}

function isTermination({ body }: HttpRequest): boolean {
  return String(body).startsWith('Action=TerminateInstances&');
}

test('machines that may not be terminated do not fill the log', async () => {
  await runningWorld(3);
  world.meddleAws = async (request, handle) =>
    isTermination(request) ? refusal('UnauthorizedOperation') : handle(request);
  const before = world.errors.length;
  await endAll();
  await world.runFor(1_500_000);
  const lines = world.errors.slice(before);
  expect(lines.join()).toMatch(/controller=node.termination .*UnauthorizedOperation/);
  expect(lines.length).toBeLessThanOrEqual(3 * 6);
  world.meddleAws = (request, handle) => handle(request);
  await world.untilNothingIsLeft();
});

test('a machine that is protected from termination holds up no other', async () => {
  await runningWorld(3);
  const [held = ''] = await world.cloud.instances();
  world.meddleAws = async (request, handle) =>
    isTermination(request) && String(request.body).includes(held)
      ? refusal('OperationNotPermitted')
      : handle(request);
  await endAll();
  await world.runFor(20_000);
  expect(await world.cloud.instances()).toEqual([held]);
});
