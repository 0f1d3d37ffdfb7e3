import { parseTime } from '../../api/decode/duration.ts';
import type { NodeObject } from '../../api/kubernetes/core.ts';
import { conditionOf } from '../../api/resource.ts';
import type { RepairPolicy } from '../../ports/cloud-provider.ts';

/** A node in a condition that it should not be in for long. */
export interface Ailment {
  readonly policy: RepairPolicy;
  /** When the patience with it ends. */
  readonly dueAtMs: number;
}

/** What is wrong with the node; of several things the one whose time is over first. */
export function ailmentOf(
  node: NodeObject,
  policies: readonly RepairPolicy[],
): Ailment | undefined {
  let first: Ailment | undefined;
  for (const policy of policies) {
    const condition = conditionOf(node, policy.condition);
    const sinceMs = parseTime(condition?.lastTransitionTime);
    if (condition?.status !== policy.status || sinceMs === undefined) continue;
    const dueAtMs = sinceMs + policy.toleranceMs;
    if (first === undefined || dueAtMs < first.dueAtMs) first = { policy, dueAtMs };
  }
  return first;
}

const mostUnhealthy = 0.2;

/**
 * Whether nodes may be replaced while so many are unwell. When more than a fifth is, something else
 * is broken, and new machines would fall to it too.
 */
export function mayRepair(counts: { readonly unhealthy: number; readonly all: number }): boolean {
  return counts.unhealthy <= Math.ceil(counts.all * mostUnhealthy);
}
