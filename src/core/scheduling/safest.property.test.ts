import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aPool, aSnapshot, aType, gibibyte, pods } from '../../../test/validator/builders.ts';
import type { InstanceType } from '../catalog/instance-type.ts';
import type { Pod } from '../cluster/pod.ts';
import { prudentMost } from './packing/crowding.ts';
import type { Plan } from './plan.ts';
import { solve } from './solve.ts';

/** Every machine keeps some room to itself, so that large ones are a little cheaper for a pod. */
const sizes = [1, 2, 4, 8, 16, 32, 48, 64, 96, 128, 192, 256];
const cautions = [0, 0.1, 0.2, 0.3, 0.4, 3];

const batch = fc.record({
  many: fc.integer({ min: 65, max: 700 }),
  cpuMillis: fc.constantFrom(250, 500, 900),
  keptMillis: fc.integer({ min: 20, max: 200 }),
});

function costOf({ newNodes }: Plan): number {
  return newNodes.reduce((sum, { cheapest }) => sum + cheapest.priceUsdPerHour, 0);
}

/** How many pods a node of the plan holds; up to the usual cap it is all the same. */
function crowdIn({ newNodes }: Plan, waiting: readonly Pod[]): number {
  return Math.max(prudentMost(waiting.length), ...newNodes.map((node) => node.pods.length));
}

function typesKeeping(keptMillis: number): readonly InstanceType[] {
  return sizes.map((cpu) => {
    const room = { cpu: cpu * 1000 - keptMillis, memory: cpu * 4 * gibibyte, pods: 1_000 };
    const own = { cpu, memoryGi: cpu * 4, allocatable: room, zones: ['a'] };
    return aType({ ...own, name: `c.${cpu}x`, spotUsd: 0.02 * cpu });
  });
}

test('more caution never gives a plan that is both dearer and more crowded', () => {
  fc.assert(
    fc.property(batch, ({ many, cpuMillis, keptMillis }) => {
      const snapshot = aSnapshot({ pools: [aPool({ instanceTypes: typesKeeping(keptMillis) })] });
      const waiting = pods(many, { cpuMillis, memoryGi: 0.5 });
      const told = cautions.map((caution) => {
        const plan = solve(snapshot, waiting, { caution });
        return { caution, cost: costOf(plan), crowd: crowdIn(plan, waiting) };
      });
      const isWorse = (more: (typeof told)[number], less: (typeof told)[number]): boolean =>
        more.caution > less.caution && more.cost > less.cost + 1e-9 && more.crowd > less.crowd;
      const worse = told.filter((more) => told.some((less) => isWorse(more, less)));
      expect(worse).toEqual([]);
    }),
    { numRuns: 6, seed: 5, examples: [[{ many: 500, cpuMillis: 500, keptMillis: 100 }]] },
  );
});

test('where large machines are hardly cheaper, no single one holds most of the pods', () => {
  // 31 pods on a node cost 2.8 % more than 383, and more than all on one; 63 cost 1.6 % more.
  const pools = [aPool({ instanceTypes: typesKeeping(100) })];
  const waiting = pods(500, { cpuMillis: 500, memoryGi: 1 });
  const plan = solve(aSnapshot({ pools }), waiting);
  expect(crowdIn(plan, waiting)).toBe(63);
  expect(costOf(plan)).toBeCloseTo(256 * 0.02);
});
