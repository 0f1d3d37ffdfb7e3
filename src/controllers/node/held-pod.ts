import type { PodDisruptionBudgetObject } from '../../api/kubernetes/core.ts';
import type { Pod } from '../../core/cluster/pod.ts';
import { isImpassable } from '../cluster-state/disruption-budgets.ts';

/** Why disruption budgets keep the pod where it is, naming them and whose pods they guard. */
export function whyHeld(pod: Pod, guards: readonly PodDisruptionBudgetObject[]): string {
  const owner = pod.owner === undefined ? 'the pod' : `${pod.owner.kind} ${pod.owner.name}`;
  const [guard] = guards;
  if (guard === undefined) return `a disruption budget of ${owner} allows no disruption now`;
  if (guards.length > 1) {
    const names = guards.map((other) => nameOf(other)).join(' and ');
    return `${names} guard ${owner} at once, and Kubernetes evicts no pod with more than one budget`;
  }
  const rule = ruleOf(guard);
  if (isImpassable(guard))
    return `${nameOf(guard)} of ${owner} can never allow a disruption (${rule})`;
  const { currentHealthy = 0, desiredHealthy = 0 } = guard.status ?? {};
  const health = `${currentHealthy} healthy, ${desiredHealthy} required`;
  return `${nameOf(guard)} of ${owner} allows no disruption now (${rule}; ${health})`;
}

function nameOf({ metadata }: PodDisruptionBudgetObject): string {
  return `PodDisruptionBudget ${metadata.namespace ?? ''}/${metadata.name}`;
}

function ruleOf({ spec }: PodDisruptionBudgetObject): string {
  if (spec.maxUnavailable !== undefined) return `maxUnavailable ${spec.maxUnavailable}`;
  return `minAvailable ${spec.minAvailable ?? 1}`;
}
