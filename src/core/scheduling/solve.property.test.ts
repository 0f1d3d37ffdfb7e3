import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aPod, aPool, aSnapshot, aType } from '../../../test/validator/builders.ts';
import { needlessRefusals } from '../../../test/validator/needless-refusals.ts';
import {
  type Case,
  randomCase,
  randomCaseWithAllRules,
} from '../../../test/validator/random-cluster.ts';
import { randomCaseOfEveryKind } from '../../../test/validator/random-variety.ts';
import { overZones } from '../../../test/validator/sample-plans.ts';
import { validatePlan } from '../../../test/validator/validate-plan.ts';
import type { InstanceType, Offering } from '../catalog/instance-type.ts';
import type { Snapshot } from '../cluster/snapshot.ts';
import { labels } from '../requirements/well-known.ts';
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

test('every plan is sound for whatever a cluster may have', () => {
  fc.assert(
    fc.property(randomCaseOfEveryKind, ({ snapshot, pods }) => {
      expect(validatePlan(snapshot, pods, solve(snapshot, pods))).toEqual([]);
    }),
    { numRuns: 80, seed: 3 },
  );
});

/** Pods of one kind that are spread over zones, on nodes of which many leave, and for them. */
const whileNodesLeave: fc.Arbitrary<Case> = fc
  .record({
    plain: randomCaseWithAllRules,
    zones: fc.infiniteStream(fc.constantFrom('a', 'b', 'c')),
    leaving: fc.infiniteStream(fc.boolean()),
    daemons: fc.infiniteStream(fc.boolean()),
    constraint: fc.record({
      maxSkew: fc.constantFrom(1, 2),
      honorsNodeAffinity: fc.boolean(),
      honorsTaints: fc.boolean(),
    }),
  })
  .map(({ plain: { snapshot, pods }, zones, leaving, daemons, constraint }) => {
    const web = { namespace: 'default', labels: { app: 'web' }, antiAffinity: undefined };
    const spread = [{ ...overZones, ...constraint }];
    const nodes = snapshot.nodes.map((node) => ({
      ...node,
      labels: { ...node.labels, [labels.zone]: zones.next().value },
      isLeaving: leaving.next().value,
      reservedFor: [],
      pods: node.pods.map((pod) => ({ ...pod, ...web, isDaemon: daemons.next().value })),
    }));
    const waiting = pods.map((pod) => ({ ...pod, ...web, spread, affinity: undefined }));
    return { pods: waiting, snapshot: { ...snapshot, nodes } };
  });

test('pods that are held on leaving nodes are evened out with in every plan', () => {
  fc.assert(
    fc.property(whileNodesLeave, ({ snapshot, pods }) => {
      expect(validatePlan(snapshot, pods, solve(snapshot, pods))).toEqual([]);
    }),
    { numRuns: 150, seed: 5 },
  );
});

test('nobody is refused for whom there is a place, unless it is spread', () => {
  fc.assert(
    fc.property(randomCaseOfEveryKind, (one) => {
      const snapshot = withPlenty(one.snapshot);
      const pods = one.pods.map((pod) => ({ ...pod, spread: undefined }));
      expect(needlessRefusals(snapshot, pods, solve(snapshot, pods))).toEqual([]);
    }),
    { numRuns: 40, seed: 4 },
  );
});

/** Without what is known to cost some pods their place: limits, choosy daemons, lack of capacity. */
function withPlenty(snapshot: Snapshot): Snapshot {
  const isReal = ({ capacityType, isAvailable }: Offering): boolean =>
    isAvailable || capacityType !== 'reserved';
  const offered = (type: InstanceType): InstanceType => ({
    ...type,
    offerings: type.offerings.filter(isReal).map((one) => ({ ...one, isAvailable: true })),
  });
  return {
    ...snapshot,
    daemons: snapshot.daemons.map((one) => ({ ...one, nodeAlternatives: [new Map()] })),
    pools: snapshot.pools.map((pool) => ({
      ...pool,
      limits: {},
      instanceTypes: pool.instanceTypes.map(offered),
    })),
  };
}

test.each([
  { name: 'under rules of nodes and pools', cases: randomCase, numRuns: 120 },
  { name: 'under rules between pods', cases: randomCaseWithAllRules, numRuns: 120 },
  { name: 'for whatever a cluster may have', cases: randomCaseOfEveryKind, numRuns: 60 },
])(
  'the order of what is given changes neither the plan nor its reasons, $name',
  ({ cases, numRuns }) => {
    fc.assert(
      fc.property(cases, ({ snapshot, pods }) => {
        const plan = solve(turned(snapshot), [...pods].reverse());
        expect(digest(plan)).toEqual(digest(solve(snapshot, pods)));
      }),
      { numRuns, seed: 7 },
    );
  },
);

test('what minValues lacks is told alike in whichever order types are sold', () => {
  // The spread settles the zone: in one of them one family holds the pod, in the other none.
  const small = aType({ name: 'c.small', cpu: 1, memoryGi: 8, zones: ['a'], onDemandUsd: 1 });
  const large = aType({ name: 'm.large', cpu: 4, memoryGi: 8, zones: ['b'], onDemandUsd: 1 });
  const minValues = new Map([['karpenter.k8s.aws/instance-family', 2]]);
  const pod = aPod({ cpuMillis: 2_000, labels: { app: 'web' }, spread: [overZones] });
  const remedies = [
    [small, large],
    [large, small],
  ].map((instanceTypes) => {
    const snapshot = aSnapshot({ pools: [aPool({ instanceTypes, minValues })] });
    return solve(snapshot, [pod]).unplaced.flatMap(({ refusal }) => refusal.remedies ?? []);
  });
  expect(remedies[0]).not.toEqual([]);
  expect(remedies[1]).toEqual(remedies[0]);
});

function turned(snapshot: Snapshot): Snapshot {
  return {
    ...snapshot,
    nodes: [...snapshot.nodes].reverse(),
    pools: [...snapshot.pools]
      .map((pool) => ({
        ...pool,
        instanceTypes: [...pool.instanceTypes].map(soldBackwards).reverse(),
      }))
      .reverse(),
    daemons: [...snapshot.daemons].reverse(),
  };
}

function soldBackwards(type: InstanceType): InstanceType {
  return { ...type, offerings: [...type.offerings].reverse() };
}

/** All that a plan decides, without the values that it merely passes on. */
function digest(plan: Plan): unknown {
  return {
    placements: plan.placements.map(({ pod, nodeName }) => [pod.uid, nodeName]),
    newNodes: plan.newNodes.map((node) => ({
      pool: node.pool.name,
      pods: node.pods.map((pod) => pod.uid),
      types: node.instanceTypes.map((type) => type.name),
      cheapest: node.cheapest,
      dearest: node.dearest,
      requests: node.requests,
      requirements: node.requirements,
    })),
    // Written out: what is only worked out when it is read looks equal to anything before.
    unplaced: plan.unplaced.map(({ pod, refusal }) => [pod.uid, JSON.stringify(refusal)]),
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
