import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeNode } from '../../src/api/decode/node.ts';
import { decodePod } from '../../src/api/decode/pod.ts';
import type { VolumeLookups } from '../../src/api/decode/volumes.ts';
import { nodes, type PodObject, pods } from '../../src/api/kubernetes/core.ts';
import {
  storageClasses,
  type VolumeClaimObject,
  volumeClaims,
} from '../../src/api/kubernetes/volume.ts';
import { conditionOf, type KubeObject } from '../../src/api/resource.ts';
import { solve } from '../../src/core/scheduling/solve.ts';
import { sleep } from '../../src/ports/clock.ts';
import { aSnapshot } from '../validator/builders.ts';
import { type JudgingCluster, startJudgingCluster } from './judging-cluster.ts';

const namespace = 'default';
const storageClassName = 'late';

function claim(
  name: string,
  annotations: Readonly<Record<string, string>> = {},
  accessModes: readonly string[] = ['ReadWriteOnce'],
): VolumeClaimObject {
  const resources = { requests: { storage: '1Gi' } };
  const spec = { storageClassName, accessModes, resources };
  return { metadata: { name, namespace, annotations }, spec };
}

function podWith(name: string, volume: object, nodeName?: string): PodObject {
  return {
    metadata: { name, namespace },
    spec: {
      containers: [{ name: 'main', image: 'none' } as PodObject['spec']['containers'][number]],
      volumes: [{ name: 'data', ...volume }],
      ...(nodeName === undefined ? {} : { nodeName }),
    },
  };
}

const claimed = (claimName: string) => ({ persistentVolumeClaim: { claimName } });
const ephemeral = {
  ephemeral: {
    volumeClaimTemplate: {
      spec: {
        storageClassName,
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
      },
    },
  },
};
const onNode = (name: string) => ({ 'volume.kubernetes.io/selected-node': name });

describe('the real kube-scheduler, asked about claims,', () => {
  let cluster: JudgingCluster;

  beforeAll(async () => {
    cluster = await startJudgingCluster();
    const amounts = { cpu: '4', memory: '8Gi', pods: '10' };
    const conditions = [{ type: 'Ready', status: 'True', reason: 'Judged', message: '' }];
    const status = { capacity: amounts, allocatable: amounts, conditions };
    const labels = { 'kubernetes.io/hostname': 'n1' };
    await cluster.client.create(nodes, { metadata: { name: 'n1', labels }, status } as KubeObject);
    await cluster.client.create(storageClasses, {
      metadata: { name: storageClassName },
      provisioner: 'ebs.csi.aws.com',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
  });
  afterAll(() => cluster?.stop());

  async function lookups(): Promise<VolumeLookups> {
    const { items: claims } = await cluster.client.list(volumeClaims);
    const { items: classes } = await cluster.client.list(storageClasses);
    return {
      claim: (_, name) => claims.find(({ metadata }) => metadata.name === name),
      volume: () => undefined,
      storageClass: (name) => classes.find(({ metadata }) => metadata.name === name),
    };
  }

  async function wouldPlace(name: string): Promise<boolean> {
    const volumes = await lookups();
    const { items: objects } = await cluster.client.list(pods);
    const all = objects.map((object) => decodePod(object, { volumes }));
    const { items } = await cluster.client.list(nodes);
    const own = items.map((node) =>
      decodeNode({ node, pods: all.filter(({ nodeName }) => nodeName === node.metadata.name) }),
    );
    const waiting = all.filter((pod) => pod.name === name);
    return solve(aSnapshot({ nodes: own }), waiting).placements.length > 0;
  }

  /** Whether it finds a node; one that does will wait there for a volume that nobody makes. */
  async function isTaken(name: string): Promise<boolean> {
    for (let tries = 0; tries < 500; tries++) {
      const pod = await cluster.client.get(pods, { name, namespace });
      const own = await cluster.client.list(volumeClaims);
      const names = pod?.spec.volumes?.map((volume) => volume.persistentVolumeClaim?.claimName);
      const isChosen = own.items.some(
        ({ metadata }) =>
          (names?.includes(metadata.name) || metadata.name === `${name}-data`) &&
          metadata.annotations?.['volume.kubernetes.io/selected-node'] === 'n1',
      );
      if (pod !== undefined && conditionOf(pod, 'PodScheduled')?.reason === 'Unschedulable')
        return false;
      if (isChosen && tries > 100) return true;
      await sleep(cluster.clock, 10);
    }
    throw new Error(`no word on ${name}`);
  }

  const exclusive = ['ReadWriteOncePod'];
  test.each([
    { name: 'free', claims: [claim('free')], isPlaced: true },
    { name: 'here', claims: [claim('here', onNode('n1'))], isPlaced: true },
    { name: 'elsewhere', claims: [claim('elsewhere', onNode('gone'))], isPlaced: false },
    { name: 'alone', claims: [claim('alone', {}, exclusive)], isPlaced: true },
    {
      name: 'taken',
      claims: [claim('taken', onNode('n1'), exclusive)],
      others: [podWith('holder', claimed('taken'), 'n1')],
      isPlaced: false,
    },
    {
      name: 'foreign',
      claims: [claim('foreign-data')],
      volume: ephemeral,
      isPlaced: false,
    },
  ])('agrees with us on a claim that is $name', async (given) => {
    const { name, claims, others = [], volume = claimed(name), isPlaced } = given;
    for (const one of claims) await cluster.client.create(volumeClaims, one);
    for (const one of others) await cluster.client.create(pods, one);
    await cluster.client.create(pods, podWith(name, volume));
    expect({ ours: await wouldPlace(name), real: await isTaken(name) }).toEqual({
      ours: isPlaced,
      real: isPlaced,
    });
  });
});
