import { describe, expect, test } from 'vitest';
import { aNode, aPod, aPool, aSnapshot, aType, pods } from '../../../test/validator/builders.ts';
import { emptyMoves } from '../disruption/emptiness.ts';
import { solve } from '../scheduling/solve.ts';
import {
  disruptionRefused,
  drainBlocked,
  nodeDraining,
  nodeEmpty,
  nodeInterrupted,
  nodeRemoved,
} from './disruption.ts';
import {
  claimCollected,
  instanceCollected,
  launchRefused,
  nodeClassReady,
  nodeClassRefused,
  nodeGivenUp,
  nodeInitialized,
  nodeLaunched,
  nodeRegistered,
} from './lifecycle.ts';
import { perHour } from './money.ts';
import {
  nodeOrdered,
  nodePoolRefused,
  podRefused,
  podsPlaced,
  refusalText,
} from './provisioning.ts';
import { podsOf, timeText } from './words.ts';

const types = ['m5.large', 'm6i.large'].map((name, index) =>
  aType({
    name,
    cpu: 2,
    memoryGi: 8,
    pods: 29,
    spotUsd: 0.043 + index / 1000,
    zones: ['us-east-1a'],
  }),
);
const snapshot = aSnapshot({
  nodes: [aNode({ name: 'old', priceUsdPerHour: 0.1, allocatable: {} })],
  pools: [aPool({ name: 'spot-pool', instanceTypes: types })],
});

describe('orders', () => {
  const [order] = solve(snapshot, pods(29, { name: 'nginx' })).newNodes;

  test('say what was bought, for whom, for how much and why', () => {
    if (order === undefined) throw new Error('nothing was ordered');
    const draft = nodeOrdered({ claimName: 'spot-pool-x', node: order, snapshot });
    expect(draft.sentence).toBe(
      'Ordered a spot m5.large in us-east-1a for 29 pods of default/nginx at $0.0430/h from ' +
        'NodePool spot-pool: the cheapest of 2 types that hold them, at $0.0440/h at most.',
    );
    expect(draft.because).toContainEqual({ name: 'dearestUsdPerHour', value: 0.044 });
    expect(draft.subject).toEqual({ kind: 'NodeClaim', name: 'spot-pool-x' });
  });

  test('tell the money before and after, earlier orders of the plan included', () => {
    if (order === undefined) throw new Error('nothing was ordered');
    const draft = nodeOrdered({ claimName: 'x', node: order, snapshot, orderedUsdPerHour: 0.2 });
    expect(draft.money?.beforeUsdPerHour).toBeCloseTo(0.3, 9);
    expect(draft.money?.afterUsdPerHour).toBeCloseTo(0.343, 9);
  });
});

test('a refusal carries its reason', () => {
  const { unplaced } = solve(aSnapshot(), [aPod({ name: 'web' })]);
  const [first] = unplaced;
  if (first === undefined) throw new Error('the pod found a place');
  expect(podRefused(first)).toMatchObject({
    code: 'PodRefused',
    subject: { kind: 'Pod', namespace: 'default', name: 'web' },
    sentence:
      'No place for pod default/web: no node has room for it and there is no NodePool to order ' +
      'one from: create one.',
  });
});

test('a refusal says what would help, and its record carries the whole tree', () => {
  const full = aSnapshot({ pools: [aPool({ instanceTypes: types, limits: { cpu: 1000 } })] });
  const [first] = solve(full, [aPod({ name: 'web', cpuMillis: 500 })]).unplaced;
  if (first === undefined) throw new Error('the pod found a place');
  const draft = podRefused(first);
  const helps = 'raise the cpu limit of NodePool default by 1 core (to 2 cores)';
  expect(draft.sentence).toMatch(new RegExp(`It would help to ${helps.replace(/[()]/g, '.')}.$`));
  expect(draft.because).toContainEqual({ name: 'remedy', value: helps });
  expect(JSON.parse(JSON.stringify(draft.refusal))).toMatchObject({
    code: 'limit-reached',
    parts: [{ funnel: { considered: 2, steps: [{ constraint: 'limits', removed: 2, left: 0 }] } }],
    remedies: [{ sentence: helps, changes: [{ kind: 'raise-limit', pool: 'default' }] }],
  });
});

test('the remedy is not cut off after a long sentence', () => {
  const long = { code: 'too-large', sentence: 'x'.repeat(2_000), parts: [] } as const;
  const remedies = [{ sentence: 'wait', changes: [] }];
  expect(refusalText({ ...long, remedies })).toHaveLength(700 + ' … It would help to wait.'.length);
});

test('an empty node says what its going saves', () => {
  const cluster = aSnapshot({
    nodes: [aNode({ name: 'a', priceUsdPerHour: 0.04 }), aNode({ name: 'b', reservedFor: ['x'] })],
    pools: [aPool()],
  });
  const { moves, stays } = emptyMoves(cluster);
  expect(moves.map((move) => nodeEmpty(move, cluster))).toMatchObject([
    {
      code: 'NodeEmpty',
      subject: { kind: 'Node', name: 'a' },
      money: { beforeUsdPerHour: 0.04, afterUsdPerHour: 0 },
    },
  ]);
  expect(stays.map((stay) => disruptionRefused(stay).sentence)).toEqual([
    'Node b stays: it is kept for 1 pod on the way.',
  ]);
});

describe('every event is one plain sentence', () => {
  const launch = {
    claimName: 'c',
    instanceId: 'i-1',
    instanceType: 'm5.large',
    zone: 'us-east-1a',
    capacityType: 'spot',
    priceUsdPerHour: 0.05,
  };
  const joined = { claimName: 'c', nodeName: 'n', afterMs: 45_000 };
  test.each([
    {
      draft: podsPlaced({ nodeName: 'n', pods: pods(2) }),
      says: 'Node n has room for 2 pods of default/web: nothing to buy for them.',
    },
    {
      draft: nodePoolRefused({ name: 'p', reason: 'it is being deleted' }),
      says: 'Nothing is ordered from NodePool p: it is being deleted.',
    },
    {
      draft: nodeLaunched({ ...launch, plannedUsdPerHour: 0.043 }),
      says: 'Claim c got i-1, a spot m5.large in us-east-1a at $0.0500/h (planned $0.0430/h).',
    },
    {
      draft: nodeLaunched({ ...launch, plannedUsdPerHour: 0.05 }),
      says: 'Claim c got i-1, a spot m5.large in us-east-1a at $0.0500/h.',
    },
    {
      draft: launchRefused({
        claimName: 'c',
        reason: 'InsufficientCapacity',
        message: 'no spot left.',
        isFinal: true,
      }),
      says: 'No machine for claim c: InsufficientCapacity: no spot left; its pods are planned again.',
    },
    {
      draft: nodeRegistered(joined),
      says: 'Node n joined the cluster for claim c, 45 s after the order.',
    },
    { draft: nodeInitialized(joined), says: 'Node n is ready for pods, 45 s after the order.' },
    {
      draft: nodeGivenUp({ claimName: 'c', reason: 'launch-timeout', sentence: 'nothing came' }),
      says: 'Gave up claim c: nothing came; its pods are planned again.',
    },
    {
      draft: instanceCollected({ instanceId: 'i-1', why: 'no claim stands behind it' }),
      says: 'Terminated instance i-1: no claim stands behind it.',
    },
    {
      draft: claimCollected({ claimName: 'c', why: 'its machine is gone' }),
      says: 'Removed claim c: its machine is gone.',
    },
    {
      draft: nodeClassReady('std'),
      says: 'EC2NodeClass std is ready: its network, images and role were found.',
    },
    {
      draft: nodeClassRefused({ name: 'std', reason: 'SubnetsNotFound', message: 'no subnet' }),
      says: 'EC2NodeClass std cannot be used: SubnetsNotFound: no subnet.',
    },
    {
      draft: nodeDraining({ nodeName: 'n', pods: [] }),
      says: 'Draining node n: there is nothing to move.',
    },
    {
      draft: nodeDraining({ nodeName: 'n', pods: pods(1) }),
      says: 'Draining node n: moving 1 pod of default/web.',
    },
    {
      draft: drainBlocked({ nodeName: 'n', pod: aPod(), why: 'its budget allows none' }),
      says: 'Node n cannot be drained yet: pod default/pod stays: its budget allows none.',
    },
    {
      draft: nodeRemoved({ node: { name: 'n', priceUsdPerHour: 0.04 }, tookMs: 61_000 }),
      says: 'Node n is gone after 61 s, $0.0400/h less.',
    },
    {
      draft: nodeInterrupted({ nodeName: 'n', instanceId: 'i-1', what: 'spot interruption' }),
      says: 'Node n (i-1) is being taken away by the cloud (spot interruption): draining it now.',
    },
  ])('$draft.code', ({ draft, says }) => {
    expect(draft.sentence).toBe(says);
  });
});

test('money and time are written in one way', () => {
  expect(perHour(0.043)).toBe('$0.0430/h');
  expect([45_000, 180_000, 10_800_000].map(timeText)).toEqual(['45 s', '3 min', '3 h']);
});

test('many workloads are named shortly, the largest first', () => {
  const many = ['a', 'b', 'c', 'd'].flatMap((name, index) => pods(index + 1, { name }));
  expect(podsOf(many)).toBe('10 pods of default/d, default/c and 2 more');
});
