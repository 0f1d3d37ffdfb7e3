import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomCase, randomCaseWithAllRules } from '../../../test/validator/random-cluster.ts';
import { validatePlan } from '../../../test/validator/validate-plan.ts';
import type { Snapshot } from '../cluster/snapshot.ts';
import type { Plan } from './plan.ts';
import { solve } from './solve.ts';

test('every plan is sound in the eyes of the validator', () => {
  fc.assert(
    fc.property(randomCase, ({ snapshot, pods }) => {
      expect(validatePlan(snapshot, pods, solve(snapshot, pods))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('every rule between pods, volumes and reservations holds in every plan', () => {
  fc.assert(
    fc.property(randomCaseWithAllRules, ({ snapshot, pods }) => {
      expect(validatePlan(snapshot, pods, solve(snapshot, pods))).toEqual([]);
    }),
    { numRuns: 400, seed: 2 },
  );
});

test('the order of pods, nodes, pools and daemons changes neither the plan nor its price', () => {
  fc.assert(
    fc.property(randomCase, ({ snapshot, pods }) => {
      const turned = {
        ...snapshot,
        nodes: [...snapshot.nodes].reverse(),
        pools: [...snapshot.pools]
          .map((pool) => ({ ...pool, instanceTypes: [...pool.instanceTypes].reverse() }))
          .reverse(),
        daemons: [...snapshot.daemons].reverse(),
      };
      const plan = solve(turned, [...pods].reverse());
      expect(digest(plan)).toEqual(digest(solve(snapshot, pods)));
    }),
    { numRuns: 250 },
  );
});

/** All that a plan decides, without the values that it merely passes on. */
function digest(plan: Plan): unknown {
  return {
    placements: plan.placements.map(({ pod, nodeName }) => [pod.uid, nodeName]),
    newNodes: plan.newNodes.map((node) => ({
      pool: node.pool.name,
      pods: node.pods.map((pod) => pod.uid),
      types: node.instanceTypes.map((type) => type.name),
      cheapest: node.cheapest,
      requests: node.requests,
    })),
    unplaced: plan.unplaced.map(({ pod, refusal }) => [pod.uid, refusal]),
  };
}

/**
 * Where daemons choose their nodes, room is kept for those of any purchase that an order may
 * become; where limits bind, a cheap choice may use them up. Neither is compared here.
 */
function isPlain({ daemons, pools }: Snapshot): boolean {
  const isChoosy = daemons.some(({ nodeAlternatives }) => nodeAlternatives.some((w) => w.size > 0));
  return !isChoosy && pools.every(({ limits }) => Object.keys(limits).length === 0);
}

test('no single machine for all of a small batch is cheaper than the plan', () => {
  fc.assert(
    fc.property(randomCase, ({ snapshot, pods }) => {
      const plan = solve(snapshot, pods);
      const [first] = plan.newNodes;
      const ordered = plan.newNodes.flatMap((node) => node.pods);
      if (first === undefined || ordered.length > 12) return;
      if (!isPlain(snapshot)) return;
      const total = plan.newNodes.reduce((sum, node) => sum + node.cheapest.priceUsdPerHour, 0);
      for (const type of first.pool.instanceTypes) {
        for (const offering of type.offerings) {
          const one: Plan = {
            placements: plan.placements,
            unplaced: plan.unplaced,
            newNodes: [
              {
                ...first,
                pods: ordered,
                instanceTypes: [type],
                cheapest: { instanceType: type.name, ...offering },
              },
            ],
          };
          if (validatePlan(snapshot, pods, one).length > 0) continue;
          expect(total).toBeLessThanOrEqual(offering.priceUsdPerHour + 1e-9);
        }
      }
    }),
    { numRuns: 250 },
  );
});
