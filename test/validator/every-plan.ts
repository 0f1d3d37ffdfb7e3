import { afterEach, expect, vi } from 'vitest';
import type { Plan } from '../../src/core/scheduling/plan.ts';
import { placingFaults } from './validate-plan.ts';

/**
 * Every plan that is made in a test's own process goes through the validator, whoever asked for
 * it; a fault fails the test in which it came up. A list of setup files names this one.
 */
const faults = vi.hoisted((): string[] => []);

vi.mock(import('../../src/core/scheduling/solve.ts'), async (importOriginal) => {
  const { solve, solving, ...others } = await importOriginal();
  const judge = (plan: Plan, ...[snapshot, pods, settings]: Parameters<typeof solve>): Plan => {
    faults.push(...placingFaults(snapshot, pods, plan, settings?.minValuesPolicy));
    return plan;
  };
  return {
    ...others,
    solve: (...question) => judge(solve(...question), ...question),
    *solving(...question) {
      return judge(yield* solving(...question), ...question);
    },
  };
});

afterEach(() => {
  expect(faults.splice(0)).toEqual([]);
});
