import { describe, expect, test } from 'vitest';
import type { PodSpec } from '../../../api/kubernetes/core.ts';
import { requestsOf } from './pod-requests.ts';

describe('requests', () => {
  test.each<{ name: string; spec: PodSpec; cpu: number }>([
    {
      name: 'add up over containers',
      spec: { containers: [needs('100m'), needs('200m')] },
      cpu: 300,
    },
    {
      name: 'are at least the largest start-up container',
      spec: { containers: [needs('100m')], initContainers: [needs('1'), needs('2')] },
      cpu: 2000,
    },
    {
      name: 'add sidecars to the steady state',
      spec: { containers: [needs('100m')], initContainers: [sidecar('50m')] },
      cpu: 150,
    },
    {
      name: 'add earlier sidecars to a start-up container',
      spec: { containers: [needs('1')], initContainers: [sidecar('500m'), needs('1500m')] },
      cpu: 2000,
    },
    {
      name: 'include overhead',
      spec: { containers: [needs('100m')], overhead: { cpu: '250m' } },
      cpu: 350,
    },
    {
      name: 'of the pod as a whole replace the sum',
      spec: { containers: [needs('100m')], resources: { requests: { cpu: '2' } } },
      cpu: 2000,
    },
  ])('$name', ({ spec, cpu }) => {
    expect(requestsOf({ metadata: { name: 'web' }, spec }).cpu).toBe(cpu);
  });
});

function needs(cpu: string) {
  return { name: 'x', resources: { requests: { cpu } } };
}

function sidecar(cpu: string) {
  return { ...needs(cpu), restartPolicy: 'Always' };
}
