import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Case,
  randomCase,
  randomCaseWithAllRules,
} from '../../../../test/validator/random-cluster.ts';
import type { Pod } from '../../cluster/pod.ts';
import type { Change, Refusal, Remedy } from '../../explain/reason.ts';
import { remedyText } from '../../explain/remedy-text.ts';
import type { Plan, Unplaced } from '../plan.ts';
import { solve } from '../solve.ts';
import { aftermathOf } from './refusal-aftermath.ts';
import { changedPod, changedPool } from './remedy-change.ts';
import { limitStep, requestStep } from './remedy-paring.ts';

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
    { numRuns: 300, seed: 6 },
  );
  // The test would say nothing if hardly anything were ever suggested.
  expect(kinds.get('raise-limit')).toBeGreaterThan(20);
  expect(kinds.get('lower-request')).toBeGreaterThan(20);
});

/** Remedies that ask for less: one change without the other, an amount by a step less. */
function smaller({ changes }: Remedy): readonly (readonly Change[])[] {
  const without = changes.length < 2 ? [] : changes.map((one) => changes.filter((c) => c !== one));
  const reduced = changes.flatMap((one) =>
    stepBack(one).map((less) => changes.map((other) => (other === one ? less : other))),
  );
  return [...without, ...reduced];
}

function stepBack(change: Change): readonly Change[] {
  switch (change.kind) {
    case 'raise-limit':
      return change.limits.map(({ resource }) => ({
        ...change,
        limits: change.limits.map((one) =>
          one.resource === resource ? { ...one, to: one.to - limitStep(resource) } : one,
        ),
      }));
    case 'lower-request':
      return [{ ...change, to: change.to + (requestStep(change.resource) ?? 1) }];
    case 'raise-skew':
      return [{ ...change, to: change.to - 1 }];
    case 'lower-min-values':
      return [{ ...change, to: change.to + 1 }];
    default:
      return [];
  }
}

/** Whether the changes give it a place elsewhere than on nodes of which it is open what they become. */
function helps({ snapshot }: Case, plan: Plan, { pod, changes }: Helped): boolean {
  const { snapshot: after, planned } = aftermathOf(snapshot, plan, { minValuesPolicy: 'Strict' });
  const pools = after.pools.map((pool) => changedPool(pool, changes));
  const { newNodes, placements } = solve({ ...after, pools }, [changedPod(pod, changes)]);
  return newNodes.length > 0 || placements.some(({ nodeName }) => !planned.has(nodeName));
}

interface Helped {
  readonly pod: Pod;
  readonly changes: readonly Change[];
}

test.each([
  { name: 'of nodes and pools', cases: randomCase, most: 0.02 },
  // Where other pods decide too, a place that is not certain beforehand is not counted on.
  { name: 'of every kind', cases: randomCaseWithAllRules, most: 0.04 },
])('hardly ever would less than a remedy do, under rules $name', ({ cases, most }) => {
  let tried = 0;
  const enough: string[] = [];
  fc.assert(
    fc.property(cases, (one) => {
      const plan = solve(one.snapshot, one.pods);
      for (const { pod, refusal } of refused(plan))
        for (const remedy of refusal.remedies ?? [])
          for (const changes of smaller(remedy)) {
            tried += 1;
            if (helps(one, plan, { pod, changes }))
              enough.push(`${remedy.sentence}, yet ${remedyText(changes)} would do`);
          }
    }),
    { numRuns: 300, seed: 5 },
  );
  expect(tried).toBeGreaterThan(200);
  expect(enough.length <= most * tried ? [] : enough).toEqual([]);
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
    { numRuns: 200, seed: 7 },
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
    { numRuns: 150, seed: 8 },
  );
});
