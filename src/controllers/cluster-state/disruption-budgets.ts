import type { LabelSelector, PodDisruptionBudgetObject } from '../../api/kubernetes/core.ts';
import type { Pod } from '../../core/cluster/pod.ts';
import type { Informer } from '../../runtime/informer.ts';

/** The PodDisruptionBudgets that guard the pod, by name. */
export function budgetsOf(
  budgets: Informer<PodDisruptionBudgetObject>,
  pod: Pick<Pod, 'namespace' | 'labels'>,
): readonly PodDisruptionBudgetObject[] {
  return budgets
    .by('namespace', pod.namespace)
    .filter(({ spec }) => spec.selector !== undefined && selects(spec.selector, pod.labels));
}

/** Whether the budget can never allow an eviction, whatever becomes of its pods. */
export function isImpassable({ spec }: PodDisruptionBudgetObject): boolean {
  const { maxUnavailable, minAvailable } = spec;
  if (maxUnavailable !== undefined) return String(maxUnavailable).replace('%', '') === '0';
  return minAvailable === '100%';
}

/** Whether an eviction of the pod is hopeless for good: an impassable budget, or several at once. */
export function isHeldForGood(
  budgets: Informer<PodDisruptionBudgetObject>,
  pod: Pick<Pod, 'namespace' | 'labels'>,
): boolean {
  const guards = budgetsOf(budgets, pod);
  return guards.length > 1 || guards.some(isImpassable);
}

/** Whether the labels meet a selector as Kubernetes reads it; an empty selector takes all. */
export function selects(
  selector: LabelSelector,
  labels: Readonly<Record<string, string>>,
): boolean {
  const isMatch = Object.entries(selector.matchLabels ?? {}).every(
    ([key, value]) => labels[key] === value,
  );
  return isMatch && (selector.matchExpressions ?? []).every((term) => isMet(term, labels));
}

type Expression = NonNullable<LabelSelector['matchExpressions']>[number];

function isMet(term: Expression, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, term.key) ? labels[term.key] : undefined;
  switch (term.operator) {
    case 'In':
      return value !== undefined && (term.values ?? []).includes(value);
    case 'NotIn':
      return value === undefined || !(term.values ?? []).includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
  }
}
