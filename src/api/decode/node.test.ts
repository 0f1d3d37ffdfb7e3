import { describe, expect, test } from 'vitest';
import { aPod, aType, gibibyte } from '../../../test/validator/builders.ts';
import { applyOverlays } from '../../core/catalog/overlay.ts';
import { requirementsOf } from '../../core/requirements/requirements.ts';
import { labels } from '../../core/requirements/well-known.ts';
import type { NodeClaim } from '../karpenter/node-claim.ts';
import type { NodeObject } from '../kubernetes/core.ts';
import type { Condition } from '../resource.ts';
import { decodeNode } from './node.ts';

const large = aType({ name: 'm5.large', cpu: 2, memoryGi: 8, onDemandUsd: 0.096, spotUsd: 0.04 });
const xlarge = aType({ name: 'm5.xlarge', cpu: 4, memoryGi: 16, onDemandUsd: 0.192 });
const instanceTypes = [xlarge, large];
const startup = { key: 'agent', effect: 'NoSchedule' as const };
const dedicated = { key: 'dedicated', effect: 'NoSchedule' as const };
const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' as const };

function condition(type: string, lastTransitionTime = '1970-01-01T00:00:01Z'): Condition {
  return { type, status: 'True', lastTransitionTime };
}

function claim(
  status: NodeClaim['status'] = {},
  rest: Partial<NodeClaim['metadata']> = {},
): NodeClaim {
  return {
    metadata: { name: 'claim-1', labels: { [labels.nodePool]: 'default' }, ...rest },
    spec: {
      requirements: [
        { key: labels.instanceType, operator: 'In', values: ['m5.large', 'm5.xlarge'] },
        { key: labels.capacityType, operator: 'In', values: ['on-demand'] },
      ],
      taints: [dedicated],
      startupTaints: [startup],
      resources: { requests: { cpu: '1500m', pods: '3' } },
      nodeClassRef: { group: 'g', kind: 'K', name: 'n' },
    },
    status,
  };
}

const launchedStatus = {
  providerID: 'aws:///a/i-1',
  capacity: { cpu: '2', memory: '8Gi', 'example.com/gpu': '1' },
  allocatable: { cpu: '1930m', memory: '7Gi', 'example.com/gpu': '1' },
  conditions: [condition('Launched')],
};

const boughtLabels = {
  [labels.nodePool]: 'default',
  [labels.instanceType]: 'm5.large',
  [labels.zone]: 'a',
  [labels.capacityType]: 'spot',
};

function node(nodeLabels: Record<string, string>, rest: Partial<NodeObject> = {}): NodeObject {
  return {
    metadata: { name: 'ip-1', labels: { ...boughtLabels, ...nodeLabels } },
    spec: { taints: [dedicated, startup, notReady] },
    status: {
      capacity: { cpu: '2', memory: '8Gi' },
      allocatable: { cpu: '1900m', memory: '0' },
      conditions: [condition('Ready')],
    },
    ...rest,
  };
}

const registered = { [labels.registered]: 'true' };
const initialized = { ...registered, [labels.initialized]: 'true' };

test('an ordered claim without known types offers what was asked for', () => {
  expect(decodeNode({ claim: claim(), pods: [] })).toMatchObject({
    allocatable: { cpu: 1500, pods: 3 },
    capacity: { cpu: 1500, pods: 3 },
  });
});

test('an ordered claim offers what all its types do and counts as the largest of them', () => {
  expect(decodeNode({ claim: claim(), pods: [], instanceTypes })).toMatchObject({
    name: 'claim-1',
    stage: 'ordered',
    poolName: 'default',
    allocatable: { cpu: 2000, memory: 8 * gibibyte, pods: 110 },
    capacity: { cpu: 4000, memory: 16 * gibibyte },
    capacityType: 'on-demand',
    priceUsdPerHour: 0.096,
    taints: [dedicated],
    isReady: false,
  });
});

test('an ordered claim has the labels that all its types have, and some with several values', () => {
  const arm = aType({ name: 'm5.xlarge', cpu: 4, memoryGi: 16, arch: 'arm64', zones: ['a'] });
  const order = decodeNode({ claim: claim(), pods: [], instanceTypes: [large, arm] });
  expect(order.labels).toMatchObject({ [labels.os]: 'linux', [labels.capacityType]: 'on-demand' });
  expect(order.labels).not.toHaveProperty([labels.arch]);
  expect([...(order.openLabels?.get(labels.arch)?.values ?? [])]).toEqual(['amd64', 'arm64']);
});

test('a launched claim is as large as the cloud says, and costs what was bought', () => {
  const launched = claim(launchedStatus, { labels: boughtLabels });
  expect(decodeNode({ claim: launched, pods: [], instanceTypes })).toMatchObject({
    stage: 'launched',
    allocatable: { cpu: 1930, memory: 7 * gibibyte, 'example.com/gpu': 1 },
    zone: 'a',
    capacityType: 'spot',
    priceUsdPerHour: 0.04,
  });
});

test('a launched claim has as much less memory as overlays make huge pages of', () => {
  const pages = { 'hugepages-2Mi': gibibyte };
  const overlay = { name: 'o', weight: 0, requirements: requirementsOf([]), capacity: pages };
  const pool = { name: 'default', labels: {}, instanceTypes };
  const types = applyOverlays([pool], [overlay]).types.get('default') ?? [];
  const launched = claim(launchedStatus, { labels: boughtLabels });
  expect(decodeNode({ claim: launched, pods: [], instanceTypes: types })).toMatchObject({
    allocatable: { memory: 6 * gibibyte, ...pages },
    capacity: { memory: 8 * gibibyte, ...pages },
  });
});

describe('a registered node', () => {
  const young = decodeNode({ claim: claim(launchedStatus), node: node(registered), pods: [] });

  test('takes what it does not report yet from its claim', () => {
    expect(young.allocatable).toEqual({
      cpu: 1900,
      memory: 7 * gibibyte,
      'example.com/gpu': 1,
    });
  });

  test('shows only the taints that will stay', () => {
    expect(young.taints).toEqual([dedicated]);
  });

  test('goes by its own name', () => {
    expect(young).toMatchObject({ name: 'ip-1', claimName: 'claim-1', stage: 'registered' });
  });
});

describe('an initialized node', () => {
  test('is what it reports', () => {
    const grown = decodeNode({ claim: claim(launchedStatus), node: node(initialized), pods: [] });
    expect(grown.allocatable).toEqual({ cpu: 1900, memory: 0 });
    expect(grown.taints).toEqual([dedicated, startup, notReady]);
    expect(grown).toMatchObject({ stage: 'initialized', isReady: true });
  });

  test('is idle since its last pod event, or since it was initialized', () => {
    const conditions = [condition('Initialized')];
    const idle = (status: NodeClaim['status']) =>
      decodeNode({ claim: claim(status), pods: [] }).idleSinceMs;
    expect(idle({ conditions })).toBe(1000);
    expect(idle({ conditions, lastPodEventTime: '1970-01-01T00:00:05Z' })).toBe(5000);
    expect(idle({})).toBeUndefined();
  });

  test('that is cordoned repels pods before its taint is written', () => {
    const cordoned = node(initialized, { spec: { unschedulable: true } });
    expect(decodeNode({ node: cordoned, pods: [] }).taints).toEqual([
      { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' },
    ]);
  });
});

describe('a node is leaving', () => {
  const deletionTimestamp = '2026-01-01T00:00:00Z';
  const gone = (source: Parameters<typeof decodeNode>[0]) => decodeNode(source).isLeaving;

  test.each([
    { why: 'its claim is deleted', source: { claim: claim({}, { deletionTimestamp }), pods: [] } },
    {
      why: 'its machine is going',
      source: { claim: claim({ conditions: [condition('InstanceTerminating')] }), pods: [] },
    },
    {
      why: 'it is deleted',
      source: { node: node({}, { metadata: { name: 'x', deletionTimestamp } }), pods: [] },
    },
    { why: 'the caller says so', source: { claim: claim(), pods: [], isLeaving: true } },
  ])('when $why', ({ source }) => {
    expect(gone(source)).toBe(true);
  });

  test('and not otherwise', () => {
    expect(gone({ claim: claim(), node: node(registered), pods: [] })).toBe(false);
  });
});

test('pods that have finished hold nothing', () => {
  const running = aPod({ name: 'a' });
  const pods = [running, aPod({ name: 'b', isTerminal: true })];
  expect(decodeNode({ node: node({}), pods }).pods).toEqual([running]);
});

test('a node of nobody has its own price only where its type is known', () => {
  expect(decodeNode({ node: node({}), pods: [], instanceTypes }).priceUsdPerHour).toBe(0.04);
  const plain: NodeObject = { metadata: { name: 'x' } };
  expect(decodeNode({ node: plain, pods: [], instanceTypes }).priceUsdPerHour).toBeUndefined();
});
