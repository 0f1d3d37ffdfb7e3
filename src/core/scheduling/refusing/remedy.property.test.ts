import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Case,
  randomCase,
  randomCaseWithAllRules,
} from '../../../../test/validator/random-cluster.ts';
import type { Pod } from '../../cluster/pod.ts';
import type { Refusal, Remedy } from '../../explain/reason.ts';
import type { Plan, Unplaced } from '../plan.ts';
import { solve } from '../solve.ts';
import { aftermathOf } from './refusal-aftermath.ts';
import { changedPod, changedPool } from './remedy-change.ts';

/** One refused pod of each class. */
function refused({ unplaced }: Plan): readonly Unplaced[] {
  const seen = new Set<Refusal>();
  return unplaced.filter(({ refusal }) => !seen.has(refusal) && seen.add(refusal));
}

/** The cluster after the plan, with the remedy applied: what still keeps the pod from a place? */
function hindrance({ snapshot }: Case, plan: Plan, { pod, remedy }: Helping): Refusal | undefined {
  const { changes } = remedy;
  const after = aftermathOf(snapshot, plan, { minValuesPolicy: 'Strict' }).snapshot;
  const pools = after.pools.map((pool) => changedPool(pool, changes));
  const [left] = solve({ ...after, pools }, [changedPod(pod, changes)]).unplaced;
  return left?.refusal;
}

interface Helping {
  readonly pod: Pod;
  readonly remedy: Remedy;
}

test.each([
  { name: 'of nodes and pools', cases: randomCase },
  { name: 'of every kind', cases: randomCaseWithAllRules },
])('a remedy gives the refused pod a place, under rules $name', ({ cases }) => {
  const kinds = new Map<string, number>();
  fc.assert(
    fc.property(cases, (one) => {
      const plan = solve(one.snapshot, one.pods);
      for (const unplaced of refused(plan)) {
        const { remedies = [] } = unplaced.refusal;
        expect(remedies.length).toBeLessThanOrEqual(3);
        for (const remedy of remedies) {
          for (const { kind } of remedy.changes) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
          const left = hindrance(one, plan, { pod: unplaced.pod, remedy });
          expect(left && `${remedy.sentence}, yet ${left.sentence}`).toBeUndefined();
        }
      }
    }),
    { numRuns: 400 },
  );
  // The test would say nothing if hardly anything were ever suggested.
  expect(kinds.get('raise-limit')).toBeGreaterThan(20);
  expect(kinds.get('lower-request')).toBeGreaterThan(20);
});

test.each([
  { name: 'of nodes and pools', cases: randomCase },
  { name: 'of every kind', cases: randomCaseWithAllRules },
])('no pod is refused that a node of some pool would hold, under rules $name', ({ cases }) => {
  fc.assert(
    fc.property(cases, ({ snapshot, pods }) => {
      for (const { pod, refusal } of refused(solve(snapshot, pods)))
        for (const { code } of refusal.parts)
          expect(code === 'planned-again' ? pod.name : undefined).toBeUndefined();
    }),
    { numRuns: 300 },
  );
});

test('a funnel ends with nothing left, and each step removes what it says', () => {
  fc.assert(
    fc.property(randomCaseWithAllRules, ({ snapshot, pods }) => {
      for (const { refusal } of refused(solve(snapshot, pods))) {
        const funnels = [refusal.nodes, ...refusal.parts.map(({ funnel }) => funnel)];
        for (const funnel of funnels) {
          if (funnel === undefined) continue;
          let left = funnel.considered;
          for (const step of funnel.steps) {
            left -= step.removed;
            expect(step.left).toBe(left);
          }
        }
      }
    }),
    { numRuns: 150 },
  );
});
