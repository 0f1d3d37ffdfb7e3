import { capacityBuffers } from '../../../src/api/karpenter/capacity-buffer.ts';
import { ec2NodeClasses } from '../../../src/api/karpenter/ec2-node-class.ts';
import { nodeClaims } from '../../../src/api/karpenter/node-claim.ts';
import { nodeOverlays } from '../../../src/api/karpenter/node-overlay.ts';
import { nodePools } from '../../../src/api/karpenter/node-pool.ts';
import type { Resource } from '../../../src/api/resource.ts';
import type { JsonObject } from '../../../src/world/kube/json.ts';

/** Valid manifests of a kind, from which mutants are made: together they use every field. */
export interface Samples {
  readonly resource: Resource;
  readonly specs: readonly JsonObject[];
  readonly statuses: readonly JsonObject[];
}

const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };

const requirements = [
  { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot', 'on-demand'] },
  { key: 'karpenter.k8s.aws/instance-category', operator: 'In', values: ['c', 'm'], minValues: 2 },
  { key: 'karpenter.k8s.aws/instance-generation', operator: 'Gt', values: ['2'] },
  { key: 'kubernetes.io/arch', operator: 'Exists' },
  { key: 'example.com/team', operator: 'NotIn', values: ['a'] },
];

const taints = [
  { key: 'example.com/special', effect: 'NoSchedule' },
  { key: 'gpu', value: 'yes', effect: 'NoExecute', timeAdded: '2026-01-02T03:04:05Z' },
];

const condition = {
  type: 'Ready',
  status: 'True',
  reason: 'Ready',
  message: '',
  lastTransitionTime: '2026-01-02T03:04:05Z',
  observedGeneration: 1,
};
const conditions = [condition, { ...condition, type: 'example.com/Other', status: 'Unknown' }];

const nodePoolSamples: Samples = {
  resource: nodePools,
  specs: [
    { template: { spec: { nodeClassRef, requirements: [] } } },
    {
      template: {
        metadata: {
          labels: { team: 'a', 'example.com/x': '' },
          annotations: { note: 'any text' },
        },
        spec: {
          nodeClassRef,
          requirements,
          taints,
          startupTaints: taints,
          terminationGracePeriod: '1h30m',
          expireAfter: '240h',
        },
      },
      disruption: {
        consolidateAfter: '30s',
        consolidationPolicy: 'WhenEmpty',
        budgets: [
          { nodes: '10%' },
          { nodes: '0', schedule: '0 9 * * 1-5', duration: '8h', reasons: ['Drifted', 'Empty'] },
        ],
      },
      limits: { cpu: '100', memory: '1000Gi', nodes: 10 },
      weight: 50,
    },
    { template: { spec: { nodeClassRef, requirements } }, replicas: 3, limits: { nodes: '10' } },
  ],
  statuses: [
    { resources: { cpu: '5', memory: 1024 }, nodes: 2, nodeClassObservedGeneration: 1, conditions },
  ],
};

const nodeClaimSamples: Samples = {
  resource: nodeClaims,
  specs: [
    { nodeClassRef, requirements: [] },
    {
      nodeClassRef,
      requirements: [
        ...requirements,
        { key: 'karpenter.sh/nodepool', operator: 'In', values: ['a'] },
      ],
      taints,
      startupTaints: taints,
      resources: { requests: { cpu: '1500m', pods: 3 } },
      terminationGracePeriod: '30s',
      expireAfter: 'Never',
    },
  ],
  statuses: [
    {
      nodeName: 'ip-10-0-0-1',
      providerID: 'aws:///us-east-1a/i-0123',
      imageID: 'ami-0123',
      capacity: { cpu: '4' },
      allocatable: { cpu: '3920m' },
      lastPodEventTime: '2026-01-02T03:04:05Z',
      conditions: [
        { type: 'Launched', status: 'True', lastTransitionTime: '2026-01-02T03:04:05Z' },
      ],
    },
    { conditions },
  ],
};

const nodeOverlaySamples: Samples = {
  resource: nodeOverlays,
  specs: [
    { requirements: [] },
    {
      requirements: requirements.map(({ minValues: _minimum, ...rest }) => rest),
      priceAdjustment: '-10%',
      capacity: { 'example.com/device': '2' },
      weight: 100,
    },
    { requirements: [{ key: 'a', operator: 'Lte', values: ['5'] }], price: '0.5' },
  ],
  statuses: [{ conditions }],
};

const capacityBufferSamples: Samples = {
  resource: capacityBuffers,
  specs: [
    {},
    { podTemplateRef: { name: 'web' }, replicas: 2, limits: { cpu: '10' } },
    {
      scalableRef: { apiGroup: 'apps', kind: 'Deployment', name: 'web' },
      percentage: 20,
      provisioningStrategy: 'buffer.x-k8s.io/active-capacity',
    },
  ],
  statuses: [
    {
      podTemplateRef: { name: 'web' },
      podTemplateGeneration: 2,
      replicas: 3,
      provisioningStrategy: 'x',
      conditions,
    },
  ],
};

const classBasics = {
  subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'dev' } }],
  securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': '*' } }],
  amiSelectorTerms: [{ alias: 'al2023@latest' }],
  role: 'node-role',
};

const ec2NodeClassSamples: Samples = {
  resource: ec2NodeClasses,
  specs: [
    classBasics,
    {
      ...classBasics,
      subnetSelectorTerms: [{ id: 'subnet-0a1' }, { tags: { a: 'b' } }],
      securityGroupSelectorTerms: [{ id: 'sg-0a1' }, { name: 'nodes' }, { tags: { a: 'b' } }],
      capacityReservationSelectorTerms: [
        { id: 'cr-0a1' },
        { tags: { a: 'b' }, ownerID: '123456789012', instanceMatchCriteria: 'open' },
      ],
      placementGroupSelector: { name: 'close' },
      associatePublicIPAddress: false,
      ipPrefixCount: 1,
      amiFamily: 'AL2023',
      userData: '#!/bin/sh',
      tags: { Name: 'node', empty: '' },
      blockDeviceMappings: [
        {
          deviceName: '/dev/xvda',
          rootVolume: true,
          ebs: {
            volumeSize: '100Gi',
            volumeType: 'gp3',
            iops: 3000,
            throughput: 125,
            encrypted: true,
            deleteOnTermination: true,
            kmsKeyID: 'key',
          },
        },
        { deviceName: '/dev/xvdb', ebs: { snapshotID: 'snap-1', volumeInitializationRate: 100 } },
      ],
      instanceStorePolicy: 'RAID0',
      networkInterfaces: [
        { networkCardIndex: 0, deviceIndex: 0, interfaceType: 'interface' },
        { networkCardIndex: 1, deviceIndex: 1, interfaceType: 'efa-only' },
      ],
      detailedMonitoring: true,
      metadataOptions: { httpTokens: 'optional', httpPutResponseHopLimit: 2 },
      connectionTracking: { tcpEstablishedTimeout: 60, udpStreamTimeout: 180, udpTimeout: 30 },
      context: 'context',
      cpuOptions: { nestedVirtualization: 'enabled' },
    },
    {
      subnetSelectorTerms: [{ id: 'subnet-0a1' }],
      securityGroupSelectorTerms: [{ id: 'sg-0a1' }],
      amiSelectorTerms: [
        { id: 'ami-0a1' },
        { name: 'image-*', owner: 'self' },
        { tags: { a: 'b' }, owner: 'amazon' },
        { ssmParameter: '/image' },
      ],
      amiFamily: 'Bottlerocket',
      instanceProfile: 'profile',
      placementGroupSelector: { id: 'pg-0a1' },
      kubelet: {
        clusterDNS: ['10.0.0.10'],
        maxPods: 110,
        podsPerCore: 2,
        systemReserved: { cpu: '100m', memory: '100Mi' },
        kubeReserved: { 'ephemeral-storage': '1Gi', pid: '100' },
        evictionHard: { 'memory.available': '5%', 'nodefs.available': '1Gi' },
        evictionSoft: { 'memory.available': '500Mi' },
        evictionSoftGracePeriod: { 'memory.available': '1m' },
        evictionMaxPodGracePeriod: 60,
        imageGCHighThresholdPercent: 85,
        imageGCLowThresholdPercent: 80,
        cpuCFSQuota: true,
      },
    },
  ],
  statuses: [
    {
      subnets: [{ id: 'subnet-0a1', zone: 'us-east-1a', zoneID: 'use1-az1' }],
      securityGroups: [{ id: 'sg-0a1', name: 'nodes' }],
      amis: [
        {
          id: 'ami-0a1',
          name: 'image',
          deprecated: false,
          requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }],
        },
      ],
      capacityReservations: [
        {
          id: 'cr-0a1',
          ownerID: '123456789012',
          availabilityZone: 'us-east-1a',
          instanceType: 'm5.large',
          instanceMatchCriteria: 'targeted',
          reservationType: 'capacity-block',
          state: 'expiring',
          interruptible: true,
          endTime: '2026-01-02T03:04:05Z',
        },
      ],
      instanceProfile: 'profile',
      conditions,
    },
  ],
};

export const allSamples: readonly Samples[] = [
  nodePoolSamples,
  nodeClaimSamples,
  ec2NodeClassSamples,
  nodeOverlaySamples,
  capacityBufferSamples,
];
