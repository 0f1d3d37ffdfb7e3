import { describe, expect, test } from 'vitest';
import type { PodDisruptionBudgetObject, PodObject } from '../../api/kubernetes/core.ts';
import { type LabelSelector, selects } from '../../core/cluster/label-selector.ts';
import { isImpassable, isRefused } from './disruption-budgets.ts';

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

describe('what the API server would say to an eviction', () => {
  type Budget = Pick<PodDisruptionBudgetObject, 'spec' | 'status'>;
  const guard = (budget: Budget): PodDisruptionBudgetObject => ({
    metadata: { name: 'web', namespace: 'default', generation: 2 },
    ...budget,
  });
  const pod = (phase: 'Running' | 'Pending', ready: 'True' | 'False'): PodObject => ({
    metadata: { name: 'web-1', namespace: 'default' },
    spec: { containers: [] },
    status: {
      phase,
      conditions: [{ type: 'Ready', status: ready, lastTransitionTime: '2026-01-05T09:00:00Z' }],
    },
  });
  const running = pod('Running', 'True');
  const broken = pod('Running', 'False');
  const open: Budget = { spec: {}, status: { disruptionsAllowed: 1, observedGeneration: 2 } };
  const spent: Budget = { spec: {}, status: { disruptionsAllowed: 0, observedGeneration: 2 } };
  const healthy = { ...spent.status, currentHealthy: 2, desiredHealthy: 2 };
  const stale: Budget = { spec: {}, status: { disruptionsAllowed: 1, observedGeneration: 1 } };

  test.each<{ name: string; budgets: readonly Budget[]; of: PodObject; says: boolean }>([
    { name: 'no budget', budgets: [], of: running, says: false },
    { name: 'one that allows some', budgets: [open], of: running, says: false },
    { name: 'one that is used up', budgets: [spent], of: running, says: true },
    { name: 'one that nobody has looked at yet', budgets: [{ spec: {} }], of: running, says: true },
    { name: 'one that has changed since', budgets: [stale], of: running, says: true },
    { name: 'two at once, whatever they allow', budgets: [open, open], of: running, says: true },
    { name: 'a broken pod of a broken application', budgets: [spent], of: broken, says: true },
    {
      name: 'a broken pod of a healthy application',
      budgets: [{ spec: {}, status: healthy }],
      of: broken,
      says: false,
    },
    {
      name: 'a broken pod whose budget lets broken ones go',
      budgets: [{ ...spent, spec: { unhealthyPodEvictionPolicy: 'AlwaysAllow' } }],
      of: broken,
      says: false,
    },
    { name: 'a pod that never ran', budgets: [spent], of: pod('Pending', 'False'), says: false },
  ])('$name: refused $says', ({ budgets, of, says }) => {
    expect(isRefused(budgets.map(guard), of)).toBe(says);
  });
});
