import type { PodDisruptionBudgetObject } from '../../api/kubernetes/core.ts';
import { selects } from '../../core/cluster/label-selector.ts';
import type { Pod } from '../../core/cluster/pod.ts';
import type { Informer } from '../../runtime/informer.ts';

/** The PodDisruptionBudgets that guard the pod, by name. */
export function budgetsOf(
  budgets: Informer<PodDisruptionBudgetObject>,
  pod: Pick<Pod, 'namespace' | 'labels'>,
): readonly PodDisruptionBudgetObject[] {
  return budgets
    .by('namespace', pod.namespace)
    .filter(({ spec }) => selects(spec.selector, pod.labels));
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
