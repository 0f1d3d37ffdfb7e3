import { describe, expect, test } from 'vitest';
import {
  anOffering,
  aPod,
  aPool,
  aSnapshot,
  aType,
  type PoolWish,
  pods,
} from '../../../../test/validator/builders.ts';
import { validatePlan } from '../../../../test/validator/validate-plan.ts';
import type { InstanceType } from '../../catalog/instance-type.ts';
import type { Pod } from '../../cluster/pod.ts';
import { only } from '../../requirements/value-set.ts';
import { labels } from '../../requirements/well-known.ts';
import type { Plan } from '../plan.ts';
import { solve } from '../solve.ts';

const family = 'karpenter.k8s.aws/instance-family';
const small = aType({ name: 'c5.large', cpu: 2, memoryGi: 4, onDemandUsd: 0.2 });
const wide = aType({ name: 'm5.xlarge', cpu: 4, memoryGi: 16, onDemandUsd: 0.1 });
const huge = aType({ name: 'r5.4xlarge', cpu: 16, memoryGi: 128, onDemandUsd: 0.05 });

function solved(waiting: readonly Pod[], wish: PoolWish): Plan {
  const minValues = new Map([[family, 2]]);
  const snapshot = aSnapshot({ pools: [aPool({ minValues, ...wish })] });
  const plan = solve(snapshot, waiting);
  expect(validatePlan(snapshot, waiting, plan)).toEqual([]);
  return plan;
}

const namesOf = ({ newNodes }: Plan): readonly (readonly string[])[] =>
  newNodes.map(({ instanceTypes }) => instanceTypes.map(({ name }) => name).sort());

describe('minValues beside limits', () => {
  const instanceTypes = [small, wide, huge];

  test('an order names types that the limits leave room for, and is charged as the largest', () => {
    const plan = solved(pods(2, { cpuMillis: 1500 }), { instanceTypes, limits: { cpu: 4000 } });
    expect(namesOf(plan)).toEqual([['c5.large', 'm5.xlarge']]);
  });

  test('as many nodes are ordered as the limits hold of the largest type', () => {
    const plan = solved(pods(5, { cpuMillis: 1500 }), { instanceTypes, limits: { cpu: 8000 } });
    expect(namesOf(plan)).toEqual([
      ['c5.large', 'm5.xlarge'],
      ['c5.large', 'm5.xlarge'],
    ]);
    expect(plan.unplaced.map(({ refusal }) => refusal.code)).toEqual(
      Array.from({ length: 3 }, () => 'limit-reached'),
    );
  });

  test('where no two kinds fit the limits, the refusal says so', () => {
    const [left] = solved(pods(1), { instanceTypes, limits: { cpu: 3000 } }).unplaced;
    expect(left?.refusal).toMatchObject({
      code: 'limit-reached',
      sentence:
        'NodePool default: the types that hold the pod within its limits do not have as many ' +
        `values as minValues asks (${family} 2).`,
    });
  });
});

/** The type with two machines reserved in zone a, as good as free. */
function reserved(type: InstanceType): InstanceType {
  const reservation = { id: 'cr-1', kind: 'default' as const, left: 2 };
  return {
    ...type,
    requirements: new Map([
      ...type.requirements,
      [labels.capacityType, only(['on-demand', 'reserved'])],
      [labels.reservationId, only(['cr-1'])],
    ]),
    offerings: [
      ...type.offerings,
      anOffering({ capacityType: 'reserved', priceUsdPerHour: 0.0001, reservation }),
    ],
  };
}

test('a reservation, which has one type, does not keep minValues from being met by others', () => {
  const plan = solved([aPod({ cpuMillis: 1500 })], { instanceTypes: [reserved(small), wide] });
  expect(plan.unplaced).toEqual([]);
  expect(namesOf(plan)).toEqual([['c5.large', 'm5.xlarge']]);
});

test('the zone that rules of refused pods settle does not keep minValues from being met', () => {
  const here = aType({ name: 'c5.large', cpu: 2, memoryGi: 4, onDemandUsd: 0.2, zones: ['a'] });
  const there = aType({ name: 'm5.large', cpu: 2, memoryGi: 8, onDemandUsd: 0.2, zones: ['b'] });
  const selector = { matchLabels: { app: 'web' } };
  const giant = aPod({
    name: 'giant',
    cpuMillis: 90_000,
    antiAffinity: [{ topologyKey: labels.zone, selector, namespaces: ['default'] }],
  });
  const plan = solved([giant, aPod({ labels: { app: 'web' }, cpuMillis: 500 })], {
    instanceTypes: [here, there],
  });
  expect(plan.unplaced.map(({ pod }) => pod.name)).toEqual(['giant']);
});
