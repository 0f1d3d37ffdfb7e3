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
 * statement without a reason uses its own type, as Kubernetes tools expect a reason. Where it was
 * said before, the same list comes back.
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
  if (before !== undefined && sameConditions([before], [next])) return conditions;
  const others = conditions.filter((condition) => condition.type !== statement.type);
  return inOrder([...others, next]);
}

/** The conditions without one of them, then by name; the same list where it was not there. */
export function clearCondition(
  conditions: readonly Condition[],
  type: string,
): readonly Condition[] {
  if (!conditions.some((condition) => condition.type === type)) return conditions;
  const others = conditions.filter((condition) => condition.type !== type);
  return [...others].sort((a, b) => compareText(a.type, b.type));
}

/** What nobody has said anything about yet. */
export function awaitingReconciliation(type: string): ConditionStatement {
  const message = 'object is awaiting reconciliation';
  return { type, status: 'Unknown', reason: 'AwaitingReconciliation', message };
}

/**
 * The conditions with the root and its dependents there: what is missing has been waiting since
 * the object was made, so that waiting times count from then.
 */
export function withDependents(
  conditions: readonly Condition[],
  dependents: readonly string[],
  moment: ConditionMoment & { readonly createdAt?: string | undefined },
): readonly Condition[] {
  const missing = [...dependents, 'Ready'].filter(
    (type) => !conditions.some((condition) => condition.type === type),
  );
  if (missing.length === 0) return conditions;
  return inOrder([...conditions, ...missing.map((type) => awaiting(type, moment))]);
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
  const complete = withDependents(conditions, dependents, moment);
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
  const { status, reason = '', message = '' } = awaitingReconciliation(type);
  return {
    type,
    status,
    reason,
    message,
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
