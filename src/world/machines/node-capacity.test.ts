import { expect, test } from 'vitest';
import type { Machine } from './machine.ts';
import type { NodeBootstrap } from './node-bootstrap.ts';
import { allocatableOf, resourceList } from './node-capacity.ts';

const machine: Machine = {
  instanceId: 'i-1',
  instanceType: 'm5.large',
  imageId: 'ami-1',
  region: 'us-east-1',
  zone: 'us-east-1a',
  zoneId: 'use1-az1',
  privateIp: '10.0.0.1',
  privateDnsName: 'ip-10-0-0-1.us-east-1.compute.internal',
  arch: 'amd64',
  cpuCount: 2,
  memoryMiB: 8192,
  rootVolumeGiB: 20,
  nvidiaGpuCount: 0,
  podsByNetwork: 29,
  userData: '',
};
const plain: NodeBootstrap = {
  family: 'al2023',
  clusterName: 'demo',
  apiServerEndpoint: 'https://api',
  labels: {},
  taints: [],
  maxPods: 29,
};

function allocatable(more: Partial<NodeBootstrap>, shape: Partial<Machine> = {}) {
  const bootstrap = { ...plain, ...more };
  return resourceList(allocatableOf({ ...machine, ...shape }, bootstrap));
}

test.each([
  {
    name: 'the images reserve by their own formulas',
    more: {},
    expected: {
      cpu: '1930m',
      memory: `${7885291 - (255 + 11 * 29 + 100) * 1024}Ki`,
      'ephemeral-storage': '17Gi',
      pods: '29',
    },
  },
  {
    name: 'Amazon Linux reserves for the pods of its network, whatever their limit is',
    more: { maxPods: 110 },
    expected: { memory: `${7885291 - (255 + 11 * 29 + 100) * 1024}Ki`, pods: '110' },
  },
  {
    name: 'Bottlerocket reserves for the limit',
    more: { family: 'bottlerocket' as const, maxPods: 110 },
    expected: { memory: `${7885291 - (255 + 11 * 110 + 100) * 1024}Ki`, pods: '110' },
  },
  {
    name: 'reservations of the user data replace them',
    more: { kubeReserved: { cpu: '200m' } },
    expected: { cpu: '1800m' },
  },
  {
    name: 'system reservations come on top',
    more: { systemReserved: { cpu: '100m' } },
    expected: { cpu: '1830m' },
  },
  {
    name: 'an eviction threshold may be a share',
    more: { evictionHard: { 'nodefs.available': '20%' } },
    expected: { 'ephemeral-storage': '15Gi' },
  },
  {
    name: 'a threshold of all is none',
    more: { evictionHard: { 'nodefs.available': '100%' } },
    expected: { 'ephemeral-storage': '19Gi' },
  },
  {
    name: 'without a limit there are 110 pods',
    more: { maxPods: undefined },
    expected: { pods: '110' },
  },
])('$name', ({ more, expected }) => {
  expect(allocatable(more)).toMatchObject(expected);
});

test('devices are there when the machine has them', () => {
  expect(allocatable({}, { nvidiaGpuCount: 4 })).toHaveProperty(['nvidia.com/gpu'], '4');
  expect(allocatable({})).not.toHaveProperty(['nvidia.com/gpu']);
});
