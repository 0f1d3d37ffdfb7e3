import { describe, expect, test } from 'vitest';
import type { PodDisruptionBudgetObject } from '../../api/kubernetes/core.ts';
import { type LabelSelector, selects } from '../../core/cluster/label-selector.ts';
import { isImpassable } from './disruption-budgets.ts';

describe('selects', () => {
  const labels = { app: 'web', tier: 'front' };
  const expression = (
    key: string,
    operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist',
    values?: string[],
  ): LabelSelector => ({
    matchExpressions: [{ key, operator, ...(values === undefined ? {} : { values }) }],
  });

  test.each([
    { name: 'an empty selector takes all', selector: {}, isSelected: true },
    { name: 'every label must match', selector: { matchLabels: { app: 'web' } }, isSelected: true },
    { name: 'another value', selector: { matchLabels: { app: 'db' } }, isSelected: false },
    { name: 'In', selector: expression('app', 'In', ['db', 'web']), isSelected: true },
    {
      name: 'NotIn holds for a missing label',
      selector: expression('x', 'NotIn', ['y']),
      isSelected: true,
    },
    {
      name: 'NotIn a value that is there',
      selector: expression('app', 'NotIn', ['web']),
      isSelected: false,
    },
    { name: 'Exists', selector: expression('tier', 'Exists'), isSelected: true },
    { name: 'DoesNotExist', selector: expression('tier', 'DoesNotExist'), isSelected: false },
  ])('$name', ({ selector, isSelected }) => {
    expect(selects(selector, labels)).toBe(isSelected);
  });
});

describe('a budget that can never allow an eviction', () => {
  const budget = (spec: PodDisruptionBudgetObject['spec']): PodDisruptionBudgetObject => ({
    metadata: { name: 'web', namespace: 'default' },
    spec,
  });

  test.each([
    { spec: { maxUnavailable: 0 }, isNever: true },
    { spec: { maxUnavailable: '0%' }, isNever: true },
    { spec: { minAvailable: '100%' }, isNever: true },
    { spec: { maxUnavailable: 1 }, isNever: false },
    { spec: { minAvailable: 1 }, isNever: false },
    { spec: {}, isNever: false },
  ])('$spec: $isNever', ({ spec, isNever }) => {
    expect(isImpassable(budget(spec))).toBe(isNever);
  });
});
