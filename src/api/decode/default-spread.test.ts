import { expect, test } from 'vitest';
import type { PodObject } from '../kubernetes/core.ts';
import { decodePod } from './pod.ts';

const defaultSpread = [
  { topologyKey: 'topology.kubernetes.io/zone', maxSkew: 5, whenUnsatisfiable: 'ScheduleAnyway' },
] as const;

function pod(kind: string, spec: Partial<PodObject['spec']> = {}): PodObject {
  const ownerReferences = [
    { apiVersion: 'apps/v1', kind, name: 'web', uid: 'x', controller: true },
  ];
  const labels = { app: 'web', 'statefulset.kubernetes.io/pod-name': 'web-0' };
  return {
    metadata: { name: 'web-0', namespace: 'shop', labels, ownerReferences },
    spec: { containers: [], ...spec },
  };
}

test('a pod without constraints of its own gets those of the cluster, among its companions', () => {
  expect(decodePod(pod('StatefulSet'), { defaultSpread }).spread).toEqual([
    {
      topologyKey: 'topology.kubernetes.io/zone',
      maxSkew: 5,
      isHard: false,
      selector: { matchLabels: { app: 'web' } },
      honorsNodeAffinity: true,
      honorsTaints: false,
    },
  ]);
});

test('a pod with constraints of its own, or of another kind of owner, gets none', () => {
  const own = { maxSkew: 1, topologyKey: 'host', whenUnsatisfiable: 'DoNotSchedule' } as const;
  const spread = decodePod(pod('ReplicaSet', { topologySpreadConstraints: [own] }), {
    defaultSpread,
  }).spread;
  expect(spread?.map(({ topologyKey }) => topologyKey)).toEqual(['host']);
  expect(decodePod(pod('Job'), { defaultSpread }).spread).toBeUndefined();
});

test('there are none unless the cluster is said to have some', () => {
  expect(decodePod(pod('ReplicaSet')).spread).toBeUndefined();
});
