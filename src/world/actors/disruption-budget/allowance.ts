import { countOf } from '../count-or-percentage.ts';

interface AllowanceQuestion {
  readonly minAvailable?: string | number | undefined;
  readonly maxUnavailable?: string | number | undefined;
  /** Pods that the selector takes. */
  readonly matching: number;
  /** Replicas that their controllers ask for. */
  readonly scale: number;
  readonly healthy: number;
}

interface Allowance {
  readonly expectedPods: number;
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
  readonly disruptionsAllowed: number;
}

/**
 * How many pods may be disrupted now. A percentage, and any `maxUnavailable`, is of the scale
 * that controllers ask for; a whole `minAvailable` needs no scale. Percentages round up.
 */
export function allowance(question: AllowanceQuestion): Allowance {
  const { minAvailable, maxUnavailable, matching, scale, healthy } = question;
  const expectedPods = needsScale(question) ? scale : matching;
  let desired = 0;
  if (maxUnavailable !== undefined)
    desired = expectedPods - countOf(maxUnavailable, expectedPods, 'up');
  else if (minAvailable !== undefined) desired = countOf(minAvailable, expectedPods, 'up');
  const desiredHealthy = Math.max(0, desired);
  const disruptionsAllowed = expectedPods <= 0 ? 0 : Math.max(0, healthy - desiredHealthy);
  return { expectedPods, currentHealthy: healthy, desiredHealthy, disruptionsAllowed };
}

export function needsScale(
  budget: Pick<AllowanceQuestion, 'minAvailable' | 'maxUnavailable'>,
): boolean {
  return budget.maxUnavailable !== undefined || typeof budget.minAvailable === 'string';
}
