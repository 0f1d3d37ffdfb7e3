import { describe, expect, test } from 'vitest';
import {
  aPod,
  aPool,
  aSnapshot,
  aType,
  type PodWish,
  type PoolWish,
} from '../../../../test/validator/builders.ts';
import type { Refusal } from '../../explain/reason.ts';
import { labels } from '../../requirements/well-known.ts';
import { solve } from '../solve.ts';

function refusalOf(pod: PodWish, pool: PoolWish): Refusal {
  const [first] = solve(aSnapshot({ pools: [aPool(pool)] }), [aPod(pod)]).unplaced;
  if (first === undefined) throw new Error('the pod found a place');
  return first.refusal;
}

const inZone = (zone: string): PodWish => ({
  wants: [[{ key: labels.zone, operator: 'In', values: [zone] }]],
});

describe('a type that is offered nowhere', () => {
  const spot = aType({ name: 'm5.spot', cpu: 2, memoryGi: 8, onDemandUsd: 0.1, spotUsd: 0.03 });
  const nowhere = aType({ name: 'm9.large', cpu: 2, memoryGi: 8, offerings: [] });
  const spotOnly: PoolWish = {
    instanceTypes: [spot, nowhere],
    requires: [{ key: labels.capacityType, operator: 'In', values: ['spot'] }],
  };

  test('does not meet a zone that no offering of the pool has', () => {
    const refusal = refusalOf(inZone('mars-north-1a'), spotOnly);
    expect(refusal.code).toBe('labels-do-not-match');
    expect(refusal.sentence).toContain(
      'none of its instance types (2) meets topology.kubernetes.io/zone In [mars-north-1a]',
    );
    expect(refusal.remedies?.map(({ changes }) => changes)).toEqual([
      [{ kind: 'drop-label-rule', key: labels.zone }],
    ]);
  });

  test('is what the cloud lacks where another one is sold in that zone', () => {
    const large = { ...inZone('a'), cpuMillis: 3_000 };
    const larger = aType({ name: 'm9.xlarge', cpu: 4, memoryGi: 8, offerings: [] });
    const refusal = refusalOf(large, { ...spotOnly, instanceTypes: [spot, larger] });
    expect(refusal.code).toBe('no-capacity-offered');
  });

  test('is what the cloud lacks where nothing is sold at all', () => {
    const refusal = refusalOf(inZone('a'), { ...spotOnly, instanceTypes: [nowhere] });
    expect(refusal.code).toBe('no-capacity-offered');
  });
});
