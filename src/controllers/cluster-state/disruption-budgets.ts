import type { PodDisruptionBudgetObject, PodObject } from '../../api/kubernetes/core.ts';
import { isTrue } from '../../api/resource.ts';
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

/**
 * Whether the API server would refuse to evict the pod now. It decides by the same status that we
 * watch, so that a running pod need not be asked for before one of these objects has changed.
 */
export function isRefused(
  guards: readonly PodDisruptionBudgetObject[],
  pod: PodObject | undefined,
): boolean {
  const [guard, ...others] = guards;
  if (guard === undefined || pod?.status?.phase !== 'Running') return false;
  if (others.length > 0) return true;
  if (!isTrue(pod, 'Ready') && allowsUnhealthy(guard)) return false;
  const { disruptionsAllowed = 0, observedGeneration = 0 } = guard.status ?? {};
  return disruptionsAllowed <= 0 || observedGeneration < (guard.metadata.generation ?? 0);
}

function allowsUnhealthy({ spec, status }: PodDisruptionBudgetObject): boolean {
  if (spec.unhealthyPodEvictionPolicy === 'AlwaysAllow') return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return desiredHealthy > 0 && currentHealthy >= desiredHealthy;
}
