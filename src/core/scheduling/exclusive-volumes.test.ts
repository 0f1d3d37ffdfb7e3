import { describe, expect, test } from 'vitest';
import {
  aNode,
  aPod,
  aPool,
  aSnapshot,
  aType,
  type PodWish,
} from '../../../test/validator/builders.ts';
import { validatePlan } from '../../../test/validator/validate-plan.ts';
import type { Pod } from '../cluster/pod.ts';
import type { Snapshot } from '../cluster/snapshot.ts';
import { noRequirements } from '../requirements/requirements.ts';
import { solve } from './solve.ts';

const type = aType({ name: 'm5.large', cpu: 2, memoryGi: 8, onDemandUsd: 0.1 });
const pools = [aPool({ instanceTypes: [type] })];

function user(name: string, wish: PodWish = {}): Pod {
  const volumes = { alternatives: [noRequirements], attachments: {}, exclusive: ['default/data'] };
  return aPod({ name, volumes, ...wish });
}

/** Who finds a place, and what the others are told. */
function answers(waiting: readonly Pod[], rest: Partial<Snapshot> = {}) {
  const snapshot = aSnapshot({ pools, ...rest });
  const plan = solve(snapshot, waiting);
  expect(validatePlan(snapshot, waiting, plan)).toEqual([]);
  return {
    placed: [...plan.placements.map(({ pod }) => pod), ...plan.newNodes.flatMap(({ pods }) => pods)]
      .map(({ name }) => name)
      .sort(),
    told: plan.unplaced.map(({ pod, refusal }) => `${pod.name}: ${refusal.sentence}`),
  };
}

describe('a claim for one pod at a time', () => {
  test('that a bound pod has is bought no node for', () => {
    const nodes = [aNode({ pods: [user('old', { nodeName: 'node' })] })];
    expect(answers([user('new'), aPod({ name: 'other' })], { nodes })).toEqual({
      placed: ['other'],
      told: [
        'new: persistentVolumeClaim default/data is for one pod at a time (ReadWriteOncePod), ' +
          'and pod default/old has it.',
      ],
    });
  });

  test('goes with its pod from a node that is leaving', () => {
    const old = user('old', { nodeName: 'node' });
    const nodes = [aNode({ isLeaving: true, pods: [old] })];
    expect(answers([user('new', { priority: 9 }), old], { nodes }).placed).toEqual(['old']);
  });

  test('is had by the pod that matters most, then by the oldest', () => {
    const young = user('young', { createdAtMs: 2 });
    const old = user('old', { createdAtMs: 1 });
    const vital = user('vital', { createdAtMs: 3, priority: 10 });
    expect(answers([young, old]).placed).toEqual(['old']);
    expect(answers([young, old, vital]).placed).toEqual(['vital']);
  });

  test('stays with the pod that a node is reserved for', () => {
    const [first, second] = [user('first', { createdAtMs: 1 }), user('second', { createdAtMs: 2 })];
    const nodes = [aNode({ reservedFor: [second.uid] })];
    expect(answers([first, second], { nodes }).placed).toEqual(['second']);
  });
});
