import { compareText } from '../core/text-order.ts';
import type { Condition } from './resource.ts';
import { timestamp } from './timestamp.ts';

/** A condition as a controller states it; times and generations are added when it is set. */
export interface ConditionStatement {
  readonly type: string;
  readonly status: Condition['status'];
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

export interface ConditionMoment {
  readonly nowMs: number;
  readonly generation: number;
}

/**
 * The conditions with one of them set. `lastTransitionTime` moves only when the status does. A
 * statement without a reason uses its own type, as Kubernetes tools expect a reason.
 */
export function setCondition(
  conditions: readonly Condition[],
  statement: ConditionStatement,
  moment: ConditionMoment,
): readonly Condition[] {
  const before = conditions.find((condition) => condition.type === statement.type);
  const next: Condition = {
    type: statement.type,
    status: statement.status,
    reason: statement.reason ?? statement.type,
    message: statement.message ?? '',
    lastTransitionTime:
      before?.status === statement.status && before.lastTransitionTime !== undefined
        ? before.lastTransitionTime
        : timestamp(moment.nowMs),
    observedGeneration: moment.generation,
  };
  const others = conditions.filter((condition) => condition.type !== statement.type);
  return inOrder([...others, next]);
}

/** The conditions without one of them. */
export function clearCondition(
  conditions: readonly Condition[],
  type: string,
): readonly Condition[] {
  return conditions.filter((condition) => condition.type !== type);
}

/**
 * The conditions with the root `Ready` made from its dependents: True when all are True at this
 * generation, False when one is False at it, else Unknown. Missing dependents appear as Unknown
 * since the object's creation.
 */
export function withReady(
  conditions: readonly Condition[],
  dependents: readonly string[],
  moment: ConditionMoment & { readonly createdAt?: string | undefined },
): readonly Condition[] {
  const missing = dependents.filter((type) => !conditions.some((c) => c.type === type));
  const complete = [...conditions, ...missing.map((type) => awaiting(type, moment))];
  const parts = complete.filter((condition) => dependents.includes(condition.type));
  return setCondition(complete, rootOf(parts, moment.generation), moment);
}

/** Whether two lists say the same, so that nothing has to be written. */
export function sameConditions(a: readonly Condition[], b: readonly Condition[]): boolean {
  return JSON.stringify(a.map(comparable)) === JSON.stringify(b.map(comparable));
}

function rootOf(parts: readonly Condition[], generation: number): ConditionStatement {
  const isCurrent = (part: Condition): boolean => part.observedGeneration === generation;
  const unhealthy = parts.filter((part) => part.status !== 'True' || !isCurrent(part));
  if (unhealthy.length === 0) return { type: 'Ready', status: 'True' };
  const newestFirst = [...unhealthy].sort(
    (a, b) =>
      compareText(b.lastTransitionTime ?? '', a.lastTransitionTime ?? '') ||
      compareText(a.type, b.type),
  );
  const message = newestFirst.map((part) => `${part.type}=${part.status}`).join(', ');
  if (unhealthy.some((part) => part.status === 'False' && isCurrent(part))) {
    return { type: 'Ready', status: 'False', reason: 'UnhealthyDependents', message };
  }
  return { type: 'Ready', status: 'Unknown', reason: 'ReconcilingDependents', message };
}

function awaiting(
  type: string,
  moment: ConditionMoment & { readonly createdAt?: string | undefined },
): Condition {
  return {
    type,
    status: 'Unknown',
    reason: 'AwaitingReconciliation',
    message: 'object is awaiting reconciliation',
    lastTransitionTime: moment.createdAt ?? timestamp(moment.nowMs),
    observedGeneration: moment.generation,
  };
}

/** By time of the last change, the root last. */
function inOrder(conditions: readonly Condition[]): readonly Condition[] {
  const rank = (condition: Condition): number => (condition.type === 'Ready' ? 1 : 0);
  return [...conditions].sort(
    (a, b) =>
      rank(a) - rank(b) ||
      compareText(a.lastTransitionTime ?? '', b.lastTransitionTime ?? '') ||
      compareText(a.type, b.type),
  );
}

function comparable(condition: Condition): unknown[] {
  const { type, status, reason, message, lastTransitionTime, observedGeneration } = condition;
  return [
    type,
    status,
    reason ?? '',
    message ?? '',
    lastTransitionTime ?? '',
    observedGeneration ?? 0,
  ];
}
