import { describe, expect, test } from 'vitest';
import { aDaemon, aNode, aPod, aPool, aSnapshot } from '../../../test/validator/builders.ts';
import type { Node, PoolDisruption } from '../cluster/snapshot.ts';
import { emptyMoves, nextEmptyAtMs } from './emptiness.ts';

const policy: PoolDisruption = {
  policy: 'WhenEmpty',
  consolidateAfterMs: 30_000,
  budgets: [{ nodes: '100%' }],
};
const bought = {
  capacityType: 'spot' as const,
  instanceType: 'm5.large',
  zone: 'us-east-1a',
  priceUsdPerHour: 0.043,
};

function judge(nodes: readonly Partial<Node>[], disruption: Partial<PoolDisruption> = {}) {
  const snapshot = aSnapshot({
    atMs: 60_000,
    nodes: nodes.map((node, index) =>
      aNode({ name: `node-${index}`, idleSinceMs: 0, ...bought, ...node }),
    ),
    pools: [aPool({ disruption: { ...policy, ...disruption } })],
  });
  const { moves, stays } = emptyMoves(snapshot);
  return {
    moves: moves.flatMap((move) => move.nodes.map((node) => node.name)),
    stays: stays.map(({ node, code }) => `${node.name} ${code}`),
    sentences: [...moves, ...stays].map(({ sentence }) => sentence),
    nextAtMs: nextEmptyAtMs(snapshot),
  };
}

describe('which empty nodes go', () => {
  test('one with daemons, mirrors, finished and leaving pods only', () => {
    const pods = [
      aDaemon(),
      aPod({ isMirror: true }),
      aPod({ isTerminal: true }),
      aPod({ isTerminating: true }),
    ];
    expect(judge([{ pods }]).moves).toEqual(['node-0']);
  });

  test('and the sentence says what it was and what that saves', () => {
    expect(judge([{}]).sentences).toEqual([
      'Node node-0 (spot m5.large, us-east-1a, $0.0430/h) has run no pods but daemons for 60 s: ' +
        'removing it saves $0.0430/h.',
    ]);
  });

  test('the dearest first, as many as the budget allows', () => {
    const nodes = [1, 3, 2].map((priceUsdPerHour) => ({ priceUsdPerHour }));
    const verdict = judge(nodes, { budgets: [{ nodes: '2' }] });
    expect(verdict.moves).toEqual(['node-1', 'node-2']);
    expect(verdict.stays).toEqual(['node-0 budget-exhausted']);
    expect(verdict.sentences[2]).toContain('(budget nodes: "2")');
  });

  test('nodes leaving or not ready use the budget, until their machine is going', () => {
    const budgets = [{ nodes: '1' }];
    expect(judge([{ isLeaving: true }, {}], { budgets }).moves).toEqual([]);
    expect(judge([{ isReady: false, reservedFor: ['x'] }, {}], { budgets }).moves).toEqual([]);
    const going = { isLeaving: true, isInstanceLeaving: true };
    expect(judge([going, {}], { budgets }).moves).toEqual(['node-1']);
  });

  test.each<{ why: string; node: Partial<Node>; disruption?: Partial<PoolDisruption> }>([
    { why: 'not-ready', node: { stage: 'registered' } },
    { why: 'has-pods', node: { pods: [aPod()] } },
    { why: 'reserved', node: { reservedFor: ['uid'] } },
    { why: 'do-not-disrupt', node: { doNotDisrupt: true } },
    { why: 'do-not-disrupt', node: { pods: [aDaemon({ doNotDisrupt: true })] } },
    { why: 'do-not-disrupt', node: { pods: [aDaemon({ doNotDisruptUntilMs: 60_001 })] } },
    { why: 'not-idle-long-enough', node: { idleSinceMs: 30_001 } },
    { why: 'not-idle-long-enough', node: { idleSinceMs: undefined } },
    { why: 'never-consolidated', node: {}, disruption: { consolidateAfterMs: Infinity } },
    { why: 'budget-exhausted', node: {}, disruption: { budgets: [{ nodes: '0' }] } },
  ])('a node stays: $why', ({ why, node, disruption }) => {
    const verdict = judge([node], disruption);
    expect(verdict.moves).toEqual([]);
    expect(verdict.stays).toEqual([`node-0 ${why}`]);
  });

  test('nodes of nobody and of missing pools are not looked at', () => {
    expect(judge([{ claimName: undefined }, { poolName: 'gone' }])).toMatchObject({
      moves: [],
      stays: [],
    });
  });

  test('the time at which a young node may go is known', () => {
    expect(judge([{ idleSinceMs: 50_000 }, { idleSinceMs: 40_000 }]).nextAtMs).toBe(70_000);
    expect(judge([{}]).nextAtMs).toBeUndefined();
  });
});
