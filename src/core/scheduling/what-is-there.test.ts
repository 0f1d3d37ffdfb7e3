import { expect, test } from 'vitest';
import { aNode, aPod, aPool, aSnapshot, aType } from '../../../test/validator/builders.ts';
import { overZones } from '../../../test/validator/sample-plans.ts';
import { requirementsOf } from '../requirements/requirements.ts';
import { labels } from '../requirements/well-known.ts';
import { solve } from './solve.ts';

test('a pod that fits what is there only by giving in loses its place to nobody who matters no more', () => {
  const red = requirementsOf([{ key: 'team', operator: 'In', values: ['red'] }]);
  const large = aPod({
    name: 'large',
    cpuMillis: 3_000,
    nodePreferences: [{ weight: 1, requirements: red }],
  });
  const small = aPod({
    name: 'small',
    labels: { app: 'web' },
    cpuMillis: 2_000,
    spread: [overZones],
  });
  const type = aType({ name: 'm.large', cpu: 2, memoryGi: 8, onDemandUsd: 1 });
  const nodes = [aNode({ labels: { [labels.zone]: 'a' } })];
  const plan = solve(aSnapshot({ nodes, pools: [aPool({ instanceTypes: [type] })] }), [
    large,
    small,
  ]);
  expect(plan.unplaced).toEqual([]);
  expect(plan.placements.map(({ pod }) => pod.name)).toEqual(['large']);
});
