import { afterEach, expect, test } from 'vitest';
import { nodeOverlays } from '../../src/api/karpenter/node-overlay.ts';
import { daemonSets, type PodObject, pods } from '../../src/api/kubernetes/core.ts';
import { storageClasses, volumeClaims } from '../../src/api/kubernetes/volume.ts';
import type { NewObject } from '../../src/api/resource.ts';
import { createTestWorld, type TestWorld } from './harness.ts';

let world: TestWorld;

afterEach(() => world.close());

function aPod(spec: Partial<PodObject['spec']>): NewObject<PodObject> {
  const resources = { requests: { cpu: '2' } };
  return {
    metadata: { name: 'waiting', namespace: 'default' },
    spec: { containers: [{ name: 'c', image: 'i', resources }], ...spec },
  };
}

interface Circumstance {
  readonly name: string;
  /** What keeps the pod from a node. */
  readonly hinder: () => Promise<PodObject['spec'] | object>;
  readonly help: () => Promise<unknown>;
}

const greedy = { name: 'greedy', namespace: 'kube-system' };
const gpu = 'example.com/gpu';

const circumstances: readonly Circumstance[] = [
  {
    name: 'the storage class of its volume is created',
    hinder: async () => {
      await world.kube.create(volumeClaims, {
        metadata: { name: 'data', namespace: 'default' },
        spec: { storageClassName: 'late' },
      });
      return { volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }] };
    },
    help: () =>
      world.kube.create(storageClasses, {
        metadata: { name: 'late' },
        provisioner: 'ebs.csi.aws.com',
        volumeBindingMode: 'WaitForFirstConsumer',
      }),
  },
  {
    name: 'a daemon that took its room goes',
    hinder: async () => {
      const containers = [{ name: 'c', image: 'i', resources: { requests: { cpu: '3500m' } } }];
      await world.kube.create(daemonSets, {
        metadata: greedy,
        spec: {
          selector: { matchLabels: { app: 'greedy' } },
          template: { metadata: { labels: { app: 'greedy' } }, spec: { containers } },
        },
      });
      return {};
    },
    help: () => world.kube.delete(daemonSets, greedy),
  },
  {
    name: 'an overlay tells of a device that it wants',
    hinder: async () => ({
      containers: [
        { name: 'c', image: 'i', resources: { requests: { [gpu]: '1' }, limits: { [gpu]: '1' } } },
      ],
    }),
    help: () =>
      world.kube.create(nodeOverlays, {
        metadata: { name: 'with-gpu' },
        spec: {
          requirements: [
            { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.xlarge'] },
          ],
          capacity: { [gpu]: '1' },
        },
      }),
  },
];

test.each(circumstances)(
  'a pod without a place is planned again at once when $name',
  async ({ hinder, help }) => {
    world = await createTestWorld({ isBare: true });
    await world.applyPoolOfOneType('one');
    world.startKarpenter({ featureGates: { nodeOverlay: true } });
    await world.runFor(15_000);
    await world.kube.create(pods, aPod(await hinder()));
    const refused = () => world.decisions.filter(({ code }) => code === 'PodRefused').length;
    await world.until('it is refused', () => refused() > 0);
    // Well between two rounds of those that come by themselves, every ten seconds.
    await world.runFor(1_000);
    expect(world.claims()).toEqual([]);
    await help();
    await world.runFor(3_000);
    expect(world.claims()).toHaveLength(1);
  },
);
