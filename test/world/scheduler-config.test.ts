import { afterEach, describe, expect, test } from 'vitest';
import { pods, services } from '../../src/api/kubernetes/core.ts';
import {
  type ControllerFlags,
  controllerCommand,
  karpenterSettings,
} from '../../src/cli/controller.ts';
import { clusterName, createTestWorld, type TestWorld } from './harness.ts';

let world: TestWorld;

afterEach(() => world.close());

const byZone = `
podTopologySpread:
  defaultConstraints:
    - {maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule}
`;

/** A world with the controller that these flags start. */
async function aWorldWith(...args: readonly string[]): Promise<void> {
  world = await createTestWorld({ isBare: true, hasFewTypes: true });
  await world.applyStoryPools();
  const command = controllerCommand().action(() => {});
  command.parse(['--cluster-name', clusterName, ...args], { from: 'user' });
  const { leaderElection: _, ...settings } = karpenterSettings(
    command.opts<ControllerFlags>(),
    'test',
    'kube-system',
  );
  world.startKarpenter(settings);
  await world.runFor(5_000);
}

/** In how many zones machines were bought. */
function zonesBought(): number {
  return new Set(
    world.claims().map((claim) => claim.metadata.labels?.['topology.kubernetes.io/zone']),
  ).size;
}

/** Pods that nobody made but a person. */
async function applyBarePods(count: number): Promise<void> {
  for (let index = 0; index < count; index++)
    await world.kube.create(pods, {
      metadata: { name: `bare-${index}`, namespace: 'default', labels: { app: 'bare' } },
      spec: {
        containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '500m' } } }],
      },
    });
}

describe('with a default spread over zones in --scheduler-config', () => {
  test('the pods of a Deployment without a spread of its own are bought machines in every zone', async () => {
    await aWorldWith('--scheduler-config', byZone);
    await world.applyDeployment('web', 9);
    await world.untilRunning(9);
    expect(zonesBought()).toBe(3);
  });

  test('bare pods are spread if a Service selects them', async () => {
    await aWorldWith('--scheduler-config', byZone);
    await world.kube.create(services, {
      metadata: { name: 'bare', namespace: 'default' },
      spec: { selector: { app: 'bare' }, ports: [{ port: 80 }] },
    });
    await world.runFor(1_000);
    await applyBarePods(6);
    await world.untilRunning(6);
    expect(zonesBought()).toBe(3);
  });

  test('bare pods that no Service selects go where it is cheapest', async () => {
    await aWorldWith('--scheduler-config', byZone);
    await applyBarePods(6);
    await world.untilRunning(6);
    expect(zonesBought()).toBe(1);
  });
});

test('without the flag nobody asks for Services, and pods go where it is cheapest', async () => {
  const asked: string[] = [];
  world = await createTestWorld({ isBare: true, hasFewTypes: true });
  world.meddleKube = (request, handle) => {
    if (request.path.includes('/services')) asked.push(request.path);
    return handle(request);
  };
  await world.applyStoryPools();
  world.startKarpenter();
  await world.runFor(5_000);
  await world.applyDeployment('web', 9);
  await world.untilRunning(9);
  expect(zonesBought()).toBe(1);
  expect(asked).toEqual([]);
});

test('with more --caution the same pods are spread over more spot pools', async () => {
  const poolsBought: number[] = [];
  for (const caution of ['0', '10']) {
    await aWorldWith('--caution', caution);
    await world.applyDeployment('web', 100);
    await world.untilRunning(100);
    const bought = world
      .claims()
      .map(({ metadata: { labels } }) => [
        labels?.['node.kubernetes.io/instance-type'],
        labels?.['topology.kubernetes.io/zone'],
      ]);
    poolsBought.push(new Set(bought.map(String)).size);
    if (caution === '0') await world.close();
  }
  const [careless = 0, careful = 0] = poolsBought;
  expect(careful).toBeGreaterThan(careless);
});
