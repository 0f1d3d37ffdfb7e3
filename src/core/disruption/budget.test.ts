import { describe, expect, test } from 'vitest';
import type { Budget } from '../cluster/snapshot.ts';
import { allowedDisruptions } from './budget.ts';

const hour = 3_600_000;
const mondayTen = Date.parse('2026-03-02T10:00:00Z');

interface Case {
  readonly name: string;
  readonly budgets: readonly Budget[];
  readonly allowed: number;
  readonly nodeCount?: number;
  readonly disruptedCount?: number;
  readonly nowMs?: number;
}

const workHours: Budget = {
  nodes: '0',
  schedule: '0 9 * * 1-5',
  durationMs: 8 * hour,
};

describe('allowedDisruptions', () => {
  test.each<Case>([
    { name: 'without budgets, every node', budgets: [], allowed: 10 },
    { name: 'a percentage rounds up', budgets: [{ nodes: '15%' }], allowed: 2 },
    { name: '5% of 10 is one', budgets: [{ nodes: '5%' }], allowed: 1 },
    { name: '10% of nothing is nothing', budgets: [{ nodes: '10%' }], nodeCount: 0, allowed: 0 },
    { name: '0% blocks disruption', budgets: [{ nodes: '0%' }], allowed: 0 },
    { name: 'zero blocks disruption', budgets: [{ nodes: '0' }], allowed: 0 },
    { name: 'the strictest wins', budgets: [{ nodes: '50%' }, { nodes: '3' }], allowed: 3 },
    { name: 'a count above the pool size is capped', budgets: [{ nodes: '99' }], allowed: 10 },
    {
      name: 'nodes on their way out use the budget',
      budgets: [{ nodes: '3' }],
      disruptedCount: 2,
      allowed: 1,
    },
    {
      name: 'and may use more than all of it',
      budgets: [{ nodes: '1' }],
      disruptedCount: 4,
      allowed: 0,
    },
    {
      name: 'other reasons do not count',
      budgets: [{ nodes: '0', reasons: ['Drifted'] }],
      allowed: 10,
    },
    { name: 'the reason itself does', budgets: [{ nodes: '1', reasons: ['Empty'] }], allowed: 1 },
    { name: 'no reason at all is no budget', budgets: [{ nodes: '0', reasons: [] }], allowed: 10 },
    { name: 'inside its window', budgets: [workHours], allowed: 0 },
    { name: 'at the first moment', budgets: [workHours], nowMs: mondayTen - hour, allowed: 0 },
    { name: 'just before it', budgets: [workHours], nowMs: mondayTen - hour - 1, allowed: 10 },
    { name: 'at its end', budgets: [workHours], nowMs: mondayTen + 7 * hour, allowed: 10 },
    { name: 'on a Sunday', budgets: [workHours], nowMs: mondayTen - 24 * hour, allowed: 10 },
    {
      name: 'a schedule that cannot be read',
      budgets: [{ ...workHours, schedule: 'soon' }],
      allowed: 0,
    },
    {
      name: 'a duration that cannot be read',
      budgets: [{ ...workHours, durationMs: Number.NaN }],
      allowed: 0,
    },
    {
      name: 'a schedule without a duration',
      budgets: [{ nodes: '5', schedule: '@daily' }],
      allowed: 0,
    },
    { name: 'a number that is none', budgets: [{ nodes: 'many' }], allowed: 0 },
  ])(
    '$name: $allowed',
    ({ budgets, allowed, nodeCount = 10, disruptedCount, nowMs = mondayTen }) => {
      const question = { budgets, nodeCount, disruptedCount, nowMs, reason: 'Empty' as const };
      expect(allowedDisruptions(question)).toBe(allowed);
    },
  );
});
