import { describe, expect, test } from 'vitest';
import type { PodObject, ServiceObject } from '../kubernetes/core.ts';
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

describe('a pod that no controller spreads', () => {
  const service = (name: string, selector?: Record<string, string>): ServiceObject => ({
    metadata: { name, namespace: 'shop' },
    spec: selector === undefined ? {} : { selector },
  });
  const bare: PodObject = {
    metadata: { name: 'a', namespace: 'shop', labels: { app: 'web', tier: 'front', own: 'a' } },
    spec: { containers: [] },
  };
  const selectorOf = (pod: PodObject, ...services: readonly ServiceObject[]) => {
    const servicesIn = (namespace: string) => (namespace === 'shop' ? services : []);
    return decodePod(pod, { defaultSpread, servicesIn }).spread?.map(({ selector }) => selector);
  };

  test('is spread among the pods that all Services select which select it', () => {
    const services = [
      service('web', { app: 'web' }),
      service('front', { tier: 'front' }),
      service('other', { app: 'web', tier: 'back' }),
      service('elsewhere'),
    ];
    expect(selectorOf(bare, ...services)).toEqual([{ matchLabels: { app: 'web', tier: 'front' } }]);
  });

  test('gets no spread where no Service selects it', () => {
    expect(selectorOf(bare, service('other', { app: 'db' }), service('none'))).toBeUndefined();
    const elsewhere = { ...bare, metadata: { ...bare.metadata, namespace: 'else' } };
    expect(selectorOf(elsewhere, service('web', { app: 'web' }))).toBeUndefined();
  });

  test('is spread though its controller is of a kind that does not matter', () => {
    expect(selectorOf(pod('Job'), service('web', { app: 'web' }))).toEqual([
      { matchLabels: { app: 'web' } },
    ]);
  });
});

test('pods of one StatefulSet are companions before and after a change of its template', () => {
  const object = pod('StatefulSet');
  const labels = { ...object.metadata.labels, 'controller-revision-hash': 'web-1' };
  const decoded = decodePod(
    { ...object, metadata: { ...object.metadata, labels } },
    { defaultSpread },
  );
  expect(decoded.spread?.[0]?.selector).toEqual({ matchLabels: { app: 'web' } });
});
