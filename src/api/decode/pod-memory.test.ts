import { expect, test } from 'vitest';
import type { PodObject, PodSpec } from '../kubernetes/core.ts';
import { decodePod } from './pod.ts';
import { PodMemory } from './pod-memory.ts';

const spread = {
  maxSkew: 1,
  topologyKey: 'topology.kubernetes.io/zone',
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: { app: 'web' } },
} as const;

function pod(name: string, spec: Partial<PodSpec> = {}, namespace = 'default'): PodObject {
  const resources = { requests: { cpu: '100m', memory: '1Gi' } };
  return structuredClone({
    metadata: { name, namespace, uid: name, labels: { app: 'web', pod: name.slice(0, 1) } },
    spec: {
      containers: [{ name: 'main', resources }],
      topologySpreadConstraints: [spread],
      nodeSelector: { disk: 'ssd' },
      ...spec,
    },
  });
}

test('pods read with one memory share the parts that are equal', () => {
  const memory = new PodMemory();
  const [one, other] = ['a-1', 'a-2'].map((name) => decodePod(pod(name), { memory }));
  for (const part of ['labels', 'requests', 'nodeAlternatives', 'tolerations', 'spread'] as const)
    expect(one?.[part]).toBe(other?.[part]);
});

test('a memory changes nothing in what is read', () => {
  const memory = new PodMemory();
  const objects = [
    pod('a'),
    pod('b', { nodeSelector: { disk: 'hdd' } }),
    pod('c', { containers: [{ name: 'x', resources: { limits: { cpu: '100m' } } }] }),
    pod('d', { containers: [{ name: 'x', resources: { requests: { cpu: '100m' } } }] }),
    pod('e', { initContainers: [{ name: 'i', resources: { requests: { cpu: '2' } } }] }),
    pod('f', { containers: [{ name: 'x', resources: { requests: { cpu: 'many' } } }] }),
    pod('g', { tolerations: [{ operator: 'Exists' }] }),
  ];
  for (const object of [...objects, ...objects])
    expect(decodePod(object, { memory })).toEqual(decodePod(object));
});

test('terms that mean the pod’s own labels or namespace are read for each pod', () => {
  const memory = new PodMemory();
  const own = { topologySpreadConstraints: [{ ...spread, matchLabelKeys: ['pod'] }] };
  const [a, b] = [pod('a', own), pod('b', own)].map((one) => decodePod(one, { memory }));
  expect(a?.spread).not.toEqual(b?.spread);
  const podAntiAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', labelSelector: {} }],
  };
  const spec = { affinity: { podAntiAffinity } };
  const [here, there] = [pod('a', spec), pod('a', spec, 'other')].map((one) =>
    decodePod(one, { memory }),
  );
  expect(here?.antiAffinity?.[0]?.namespaces).toEqual(['default']);
  expect(there?.antiAffinity?.[0]?.namespaces).toEqual(['other']);
});
