import type { Budget, DisruptionReason } from '../cluster/snapshot.ts';
import { nextHit, parseSchedule } from './cron.ts';

/** What budgets are measured against, for one pool. */
export interface BudgetQuestion {
  readonly budgets: readonly Budget[];
  readonly reason: DisruptionReason;
  /** The pool's initialized nodes, those being disrupted included. */
  readonly nodeCount: number;
  /** Of them, those already leaving or not ready. */
  readonly disruptedCount?: number | undefined;
  readonly nowMs: number;
}

/**
 * How many more nodes of the pool may be disrupted now for this reason, between none and all.
 * The strictest budget that applies wins; one that cannot be read allows none.
 */
export function allowedDisruptions(question: BudgetQuestion): number {
  const { budgets, nodeCount, disruptedCount = 0 } = question;
  const allowed = budgets
    .map((budget) => allowedBy(budget, question))
    .reduce((least, count) => Math.min(least, count), nodeCount);
  return Math.max(0, allowed - disruptedCount);
}

/** The budgets' own words, strictest first, for those who ask why nothing more may go. */
export function strictestBudget(question: BudgetQuestion): Budget | undefined {
  let strictest: Budget | undefined;
  let least = Infinity;
  for (const budget of question.budgets) {
    const count = allowedBy(budget, question);
    if (count >= least) continue;
    strictest = budget;
    least = count;
  }
  return strictest;
}

function allowedBy(budget: Budget, { reason, nodeCount, nowMs }: BudgetQuestion): number {
  const window = windowOf(budget, nowMs);
  const limit = countOf(budget.nodes, nodeCount);
  // A budget with a fault might have been meant to forbid, whatever its reasons say.
  if (window === 'unreadable' || limit === undefined) return 0;
  if (budget.reasons !== undefined && !budget.reasons.includes(reason)) return Infinity;
  return window === 'open' ? limit : Infinity;
}

/** A percentage rounds up, so that a small pool is not frozen by a small one. */
function countOf(nodes: string, nodeCount: number): number | undefined {
  const match = /^(\d+)(%?)$/.exec(nodes);
  if (match === null) return undefined;
  const [, digits, percent] = match;
  const amount = Number(digits);
  return percent === '%' ? Math.ceil((nodeCount * amount) / 100) : amount;
}

/** Active from each hit of the schedule for as long as the budget lasts. */
function windowOf(budget: Budget, nowMs: number): 'open' | 'closed' | 'unreadable' {
  const { schedule, durationMs } = budget;
  if (schedule === undefined && durationMs === undefined) return 'open';
  if (schedule === undefined || durationMs === undefined || Number.isNaN(durationMs))
    return 'unreadable';
  const parsed = parseSchedule(schedule);
  if (parsed === undefined) return 'unreadable';
  const hitMs = nextHit(parsed, nowMs - durationMs);
  return hitMs !== undefined && hitMs <= nowMs ? 'open' : 'closed';
}
