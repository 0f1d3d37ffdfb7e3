import { objectAt } from '../json.ts';
import { invalid } from '../status/field-error.ts';
import type { KindRules } from './rules.ts';

export const disruptionBudgetRules: KindRules = {
  hasGeneration: true,
  needsVersion: true,
  onCreate: (object) => ({
    ...object,
    status: { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 },
  }),
  validate: (object) => {
    const { minAvailable, maxUnavailable } = objectAt(object, 'spec');
    if (minAvailable === undefined || maxUnavailable === undefined) return [];
    const text = 'minAvailable and maxUnavailable cannot be both set';
    return [invalid('spec', objectAt(object, 'spec'), text)];
  },
};
