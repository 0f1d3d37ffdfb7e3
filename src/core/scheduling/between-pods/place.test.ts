import { expect, test } from 'vitest';
import { aPod, aPool } from '../../../../test/validator/builders.ts';
import { noRequirements, requirementsOf } from '../../requirements/requirements.ts';
import { labels } from '../../requirements/well-known.ts';
import type { Domains } from './domains.ts';
import { countingOf } from './node-filter.ts';
import { Places } from './place.ts';
import { noTies, type Tie } from './topology.ts';

const pools = [aPool()];
const domains = { pools } as unknown as Domains;
const inA = { requirements: noRequirements, pins: new Map([[labels.zone, 'a']]) };

/** A rule that looks at nodes with a label of its own only. */
function aTie(index: number): Tie {
  const filter = [requirementsOf([{ key: `team-${index}`, operator: 'In', values: ['red'] }])];
  const group = { rule: { key: labels.zone, filter } };
  return { group, sight: `counted by ${index}` } as unknown as Tie;
}

test.each([
  { rules: 1, places: 2 },
  { rules: 3, places: 8 },
  { rules: 40, places: 64 },
])('$rules rules that look at some nodes make $places places of one', ({ rules, places }) => {
  const zonal = Array.from({ length: rules }, (_, index) => aTie(index));
  const parted = new Places(domains, []).inSight({ ...noTies, zonal }, inA);
  expect(parted).toHaveLength(places);
  // Each is surely in sight of every rule, or surely is not.
  for (const { requirements, pins } of parted)
    for (const { group, sight = '' } of zonal) {
      const counting = countingOf(group.rule, { alternatives: [requirements], pod: aPod() }, pools);
      expect(counting).toBe(pins.get(sight) === 'yes' ? 'always' : 'never');
    }
});
