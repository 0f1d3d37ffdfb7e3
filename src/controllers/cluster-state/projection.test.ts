import { expect, test } from 'vitest';
import { decodePod } from '../../api/decode/pod.ts';
import { PodMemory } from '../../api/decode/pod-memory.ts';
import type { PodObject } from '../../api/kubernetes/core.ts';
import { expectedNodeOf } from '../../api/kubernetes/nomination.ts';
import { createPodProjection, projectNode } from './projection.ts';

const time = '2026-01-01T00:00:00Z';
const large = 'x'.repeat(5_000);

/** A pod with everything that decides about one, and much that does not. */
function pod(name: string): PodObject {
  const object = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: 'shop',
      uid: `uid-${name}`,
      resourceVersion: '7',
      creationTimestamp: time,
      labels: { app: 'web', 'pod-template-hash': '7c5' },
      annotations: {
        'karpenter.sh/do-not-disrupt': '1h',
        'kubectl.kubernetes.io/last-applied-configuration': large,
      },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-7c5', uid: 'r', controller: true },
      ],
      managedFields: [{ manager: large }],
    },
    spec: {
      nodeName: 'n1',
      priority: 7,
      terminationGracePeriodSeconds: 30,
      nodeSelector: { team: 'a' },
      overhead: { cpu: '10m' },
      tolerations: [{ key: 'x', operator: 'Exists' }],
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'zone',
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'web' } },
          matchLabelKeys: ['pod-template-hash'],
        },
      ],
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'host', labelSelector: { matchLabels: { app: 'web' } } },
          ],
        },
      },
      volumes: [
        { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
        { name: `token-${name}`, projected: { sources: [] } },
      ],
      initContainers: [
        {
          name: 'mesh',
          restartPolicy: 'Always',
          image: large,
          resources: { requests: { cpu: '100m' } },
        },
      ],
      containers: [
        {
          name: 'main',
          image: large,
          command: [large],
          resources: { requests: { cpu: '1', memory: '1Gi' } },
          ports: [{ containerPort: 80, hostPort: 80 }, { containerPort: 9 }],
        },
      ],
    },
    status: {
      phase: 'Running',
      startTime: time,
      podIP: '10.0.0.1',
      conditions: [
        { type: 'Initialized', status: 'True', message: large },
        { type: 'Ready', status: 'True', lastTransitionTime: time },
      ],
      containerStatuses: [
        { name: 'main', imageID: large, resources: { requests: { cpu: '2', memory: '1Gi' } } },
      ],
    },
  };
  return object as PodObject;
}

test('of a pod everything is kept that decides about it, and little else', () => {
  const raw = pod('web-1');
  const kept = createPodProjection()(raw);
  expect(decodePod(kept)).toEqual(decodePod(raw));
  expect(kept.metadata.uid).toBe('uid-web-1');
  expect(JSON.stringify(kept).length).toBeLessThan(2_000);
});

test('what the pods of a workload have in common is kept once', () => {
  const project = createPodProjection();
  const [one, other] = [project(pod('web-1')), project(pod('web-2'))];
  expect(one.spec.containers).toBe(other.spec.containers);
  expect(one.metadata.labels).toBe(other.metadata.labels);
  const memory = new PodMemory();
  const [first, second] = [decodePod(one, { memory }), decodePod(other, { memory })];
  expect(first.antiAffinity).toBe(second.antiAffinity);
  expect(first.requests).toBe(second.requests);
});

test('of a node all is kept but its images and who wrote which field', () => {
  const status = { images: [large], capacity: { cpu: '2' } };
  const node = {
    metadata: { name: 'n', labels: { a: 'b' }, managedFields: [{ manager: large }] },
    spec: { providerID: 'x' },
    status,
  };
  expect(projectNode(node)).toEqual({
    metadata: { name: 'n', labels: { a: 'b' } },
    spec: { providerID: 'x' },
    status: { capacity: { cpu: '2' } },
  });
});

test('of who wrote which field it is kept that a nomination is ours', () => {
  const ours = {
    manager: 'karpenter-nomination',
    operation: 'Apply',
    subresource: 'status',
    fieldsV1: { 'f:status': { 'f:nominatedNodeName': {} } },
  };
  const whole = pod('web-1');
  const told: PodObject = {
    ...whole,
    metadata: { ...whole.metadata, managedFields: [{ manager: large }, ours] },
    status: { ...whole.status, nominatedNodeName: 'n1' },
  };
  const kept = createPodProjection()(told);
  expect(expectedNodeOf(kept)).toBe('n1');
  expect(kept.metadata.managedFields).toEqual([ours]);
  expect(createPodProjection()(whole).metadata.managedFields).toBeUndefined();
});
