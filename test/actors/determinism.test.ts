import { expect, test } from 'vitest';
import { createKubeClient } from '../../src/adapters/kube/client.ts';
import { createSeededRandom } from '../../src/adapters/system/seeded-random.ts';
import { createVirtualClock } from '../../src/adapters/system/virtual-clock.ts';
import { deployments } from '../../src/api/kubernetes/workload.ts';
import { createSmallWorld } from './small-world.ts';
import { web } from './web-deployment.ts';

/** Every request of a story in which pods come, a machine goes, and pods come back. */
async function trace(seed: number): Promise<string> {
  const clock = createVirtualClock();
  const lines: string[] = [];
  const world = createSmallWorld({
    clock,
    random: createSeededRandom(seed),
    client: (send) =>
      createKubeClient({
        clock,
        send: (request) => {
          lines.push(`${clock.nowMs()} ${request.method} ${request.path} ${request.body ?? ''}`);
          return send(request);
        },
      }),
  });
  const lost = world.startMachine();
  for (let count = 0; count < 3; count++) world.startMachine();
  await world.create(deployments, web(12));
  await clock.runFor(60_000);
  world.stopMachine(lost);
  await clock.runFor(180_000);
  await world.stop();
  return lines.join('\n');
}

test('the same seed plays the same requests in the same order at the same times', async () => {
  const first = await trace(7);
  expect(await trace(7)).toBe(first);
  expect(await trace(8)).not.toBe(first);
});
