import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomCase, randomCaseWithAllRules } from '../../../../test/validator/random-cluster.ts';
import { validatePlan } from '../../../../test/validator/validate-plan.ts';
import type { Pod } from '../../cluster/pod.ts';
import type { Snapshot } from '../../cluster/snapshot.ts';
import type { NewNode } from '../plan.ts';
import { solve } from '../solve.ts';

/** So many of each, with names of their own, that the plan is spread over spot pools. */
function many(pods: readonly Pod[]): readonly Pod[] {
  const times = Math.ceil(150 / Math.max(1, pods.length));
  return Array.from({ length: times }, (_, time) =>
    pods.map((pod) => ({ ...pod, uid: `${pod.uid}-${time}`, name: `${pod.name}-${time}` })),
  ).flat();
}

test.each([
  { rules: 'of nodes and pools', cases: randomCase },
  { rules: 'of every kind', cases: randomCaseWithAllRules },
])('large plans that are spread keep rules $rules', ({ cases }) => {
  fc.assert(
    fc.property(cases, ({ snapshot, pods }) => {
      const waiting = many(pods);
      const plan = solve(snapshot, waiting, { caution: 2 });
      expect(validatePlan(snapshot, waiting, plan)).toEqual([]);
    }),
    { numRuns: 60, seed: 5 },
  );
});

/** With room for that many in every pool. */
function roomy(snapshot: Snapshot): Snapshot {
  const pools = snapshot.pools.map((pool) => {
    const limits = Object.entries(pool.limits).map(([name, limit]) => [name, limit * 10] as const);
    return { ...pool, limits: Object.fromEntries(limits) };
  });
  return { ...snapshot, pools };
}

test.each([
  { rules: 'of nodes and pools', cases: randomCase },
  { rules: 'of every kind', cases: randomCaseWithAllRules },
])('plans for some hundred pods keep rules $rules, and are the same in any order', ({ cases }) => {
  fc.assert(
    fc.property(cases, ({ snapshot, pods }) => {
      const at = roomy(snapshot);
      const waiting = many(pods);
      const plan = solve(at, waiting);
      expect(validatePlan(at, waiting, plan)).toEqual([]);
      const turned = solve(at, [...waiting].reverse());
      expect(turned.newNodes.map(textOf).sort()).toEqual(plan.newNodes.map(textOf).sort());
    }),
    { numRuns: 60, seed: 3 },
  );
});

function textOf({ pods, cheapest }: NewNode): string {
  const names = pods.map(({ uid }) => uid).sort();
  return `${cheapest.instanceType} ${cheapest.zone} ${names.join()}`;
}
