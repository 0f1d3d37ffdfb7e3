import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually, type Process } from '../processes.ts';
import { type RealCluster, startRealCluster } from './real-cluster.ts';

const machines = 20;
const podCount = 2 * machines;
const tries = 3;

describe('beside a real kube-scheduler', () => {
  let cluster: RealCluster;
  let controller: Process;

  beforeAll(async () => {
    // Machines that are ready a second after they have joined leave nobody the time to be told.
    cluster = await startRealCluster({ speed: 5 });
    await apply('karpenter');
  });
  afterAll(async () => {
    await controller?.end();
    await cluster?.stop();
  });

  async function apply(name: string): Promise<void> {
    const file = fileURLToPath(new URL(`manifests/${name}.yaml`, import.meta.url));
    await cluster.kubectl('apply', '--server-side', '-f', file);
  }
  async function listed(...args: string[]): Promise<readonly string[]> {
    const text = await cluster.kubectl('get', ...args, '-o', 'jsonpath={.items[*].metadata.name}');
    return text.split(' ').filter(Boolean);
  }
  const explain = () => controller.output().slice(-3000);

  /** How many machines were bought until so many pods run. */
  async function bringUp(name: string, pods: number): Promise<number> {
    await apply(name);
    const running = ['pods', '--field-selector=status.phase=Running'];
    await eventually(`${pods} pods run`, async () => (await listed(...running)).length === pods, {
      seconds: 180,
      explain,
    });
    return (await listed('nodeclaims')).length;
  }
  async function clearAway(name: string): Promise<void> {
    const file = fileURLToPath(new URL(`manifests/${name}.yaml`, import.meta.url));
    await cluster.kubectl('delete', '-f', file, '--wait=true');
    await cluster.kubectl('delete', 'nodeclaims', '--all', '--wait=true');
  }

  // The scheduler may wipe a nomination out, and on a busy machine the room is then open for a moment.
  test('a plan that leaves no room to spare comes out as it was made, and nothing is bought twice', async () => {
    // Long enough that all pods are one batch, however slowly they are made.
    controller = cluster.startController('--batch-idle-duration=5s');
    const bought = [await bringUp('tight', podCount)];
    while (bought.at(-1) !== machines && bought.length < tries) {
      await clearAway('tight');
      bought.push(await bringUp('tight', podCount));
    }
    expect(bought.at(-1), `bought in turn: ${bought.join(', ')}`).toBe(machines);
    expect(controller.output()).not.toMatch(/"level":"ERROR"/);
    await clearAway('tight');
  });

  // Nine pods for three machines: told all of it, each machine's pods would wait for each other.
  test('pods that are spread over zones do not keep each other out by what they are told', async () => {
    expect(await bringUp('evenly', 9)).toBe(3);
  });
});
