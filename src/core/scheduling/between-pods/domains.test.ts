import { describe, expect, test } from 'vitest';
import {
  aNode,
  anOffering,
  aPod,
  aPool,
  aSnapshot,
  aType,
  pods,
  type TypeWish,
} from '../../../../test/validator/builders.ts';
import type { InstanceType } from '../../catalog/instance-type.ts';
import type { SpreadConstraint } from '../../cluster/pod.ts';
import { labels } from '../../requirements/well-known.ts';
import type { NewNode } from '../plan.ts';
import { solve, solving } from '../solve.ts';

const overTeams: SpreadConstraint = {
  topologyKey: 'team',
  maxSkew: 1,
  isHard: true,
  selector: { matchLabels: { app: 'web' } },
  honorsNodeAffinity: true,
  honorsTaints: false,
};
const type = aType({ name: 'm.large', cpu: 4, memoryGi: 16, onDemandUsd: 1 });
const anyTeam = aPool({
  instanceTypes: [type],
  requires: [{ key: 'team', operator: 'Exists' }],
});
const web = { labels: { app: 'web' }, cpuMillis: 100, spread: [overTeams] };

test('a value that some pod names is a domain for all others, where a pool takes any value', () => {
  const red = aPod({
    ...web,
    name: 'red',
    wants: [[{ key: 'team', operator: 'In', values: ['red'] }]],
  });
  const others = pods(5, web);
  const plan = solve(aSnapshot({ pools: [anyTeam] }), [red, ...others]);
  expect(plan.unplaced).toEqual([]);
  expect(podsByTeam(plan.newNodes)).toEqual(
    new Map([
      ['0', 3],
      ['red', 3],
    ]),
  );
});

test('a value that no pool takes is no domain', () => {
  const pools = [
    aPool({
      instanceTypes: [type],
      requires: [{ key: 'team', operator: 'NotIn', values: ['red'] }],
    }),
  ];
  const red = aPod({ name: 'red', wants: [[{ key: 'team', operator: 'In', values: ['red'] }]] });
  const plan = solve(aSnapshot({ pools }), [red, ...pods(5, web)]);
  expect(plan.unplaced.map(({ pod }) => pod.name)).toEqual(['red']);
  expect(podsByTeam(plan.newNodes)).toEqual(new Map([['0', 5]]));
});

describe('a zone in which no machine is large enough', () => {
  const large = aType({ name: 'm.large', cpu: 4, memoryGi: 8, zones: ['a', 'b'], onDemandUsd: 2 });
  const small = aType({ name: 'm.small', cpu: 1, memoryGi: 8, zones: ['c'], onDemandUsd: 1 });
  const pools = [aPool({ instanceTypes: [large, small] })];
  const spread = [{ ...overTeams, topologyKey: labels.zone }];
  const waiting = pods(6, { ...web, cpuMillis: 3_000, spread });

  test('is no domain', () => {
    expect(solve(aSnapshot({ pools }), waiting).unplaced).toEqual([]);
  });

  test('is no domain, be it for its daemons alone', () => {
    const daemons = [aPod({ name: 'logs', cpuMillis: 1_500 })];
    const little = pods(6, { ...web, cpuMillis: 100, spread });
    expect(solve(aSnapshot({ pools, daemons }), little).unplaced).toEqual([]);
  });

  test('is no domain, be it for the pod beside its daemons', () => {
    const daemons = [aPod({ name: 'logs', cpuMillis: 500 })];
    const medium = pods(6, { ...web, cpuMillis: 800, spread });
    expect(solve(aSnapshot({ pools, daemons }), medium).unplaced).toEqual([]);
  });

  test('is one where a node is there', () => {
    const nodes = [aNode({ labels: { [labels.zone]: 'c' }, allocatable: { cpu: 0, pods: 0 } })];
    expect(solve(aSnapshot({ nodes, pools }), waiting).unplaced).toHaveLength(4);
  });

  test('is one where a node may be opened for somebody else', () => {
    const other = aPod({ name: 'other', cpuMillis: 100 });
    const plan = solve(aSnapshot({ pools }), [...waiting, other]);
    expect(plan.unplaced).toHaveLength(4);
  });

  test('is one where the machines that are large enough are just not available', () => {
    const offerings = [...large.offerings, anOffering({ zone: 'c', isAvailable: false })];
    const instanceTypes = [aType({ name: 'm.large', cpu: 4, memoryGi: 8, offerings }), small];
    const plan = solve(aSnapshot({ pools: [aPool({ instanceTypes })] }), waiting);
    expect(plan.unplaced).toHaveLength(4);
  });

  test('is no domain where no image fits the machines that are large enough', () => {
    const offerings = [anOffering({ zone: 'c', isAvailable: false })];
    const metal = aType({ name: 'm.metal', cpu: 4, memoryGi: 8, offerings });
    const instanceTypes = [large, small, { ...metal, isUnusable: true }];
    const plan = solve(aSnapshot({ pools: [aPool({ instanceTypes })] }), waiting);
    expect(plan.unplaced).toEqual([]);
  });
});

test('types are looked at no more often where a label has many values', () => {
  const looksWith = (amount: number): number => {
    const { type, looks } = watched({ name: 'm.large', cpu: 4, memoryGi: 8, onDemandUsd: 1 });
    const values = Array.from({ length: amount }, (_, index) => String(index));
    const requires = [{ key: 'team', operator: 'In' as const, values }];
    const pools = [aPool({ requires, instanceTypes: [type] })];
    // It fits, but no machine has what it asks for, so that it reaches no value.
    const wants = [[{ key: labels.capacityType, operator: 'In' as const, values: ['spot'] }]];
    solve(aSnapshot({ pools }), [aPod({ ...web, wants, spread: [overTeams] })]);
    return looks();
  };
  expect(looksWith(50)).toBe(looksWith(5));
});

test('types are looked at no more often in one step where pods are of many sizes', () => {
  const mostLooksWith = (sizes: number): number => {
    const { type, looks } = watched({ name: 'm.large', cpu: 4, memoryGi: 8, onDemandUsd: 1 });
    // Zone z has much of either, but of no pod's both, and so each of them is compared with both.
    const dense = aType({ name: 'c.large', cpu: 4, memoryGi: 1, zones: ['z'], onDemandUsd: 1 });
    const lofty = watched({ name: 'r.large', cpu: 1, memoryGi: 8, zones: ['z'], onDemandUsd: 1 });
    const pools = [aPool({ instanceTypes: [type, dense, lofty.type] })];
    const spread = [{ ...overTeams, topologyKey: labels.zone }];
    const waiting = Array.from({ length: sizes }, (_, index) =>
      aPod({ ...web, name: `${index}`, cpuMillis: 2_000 + index, memoryGi: 4, spread }),
    );
    const steps = solving(aSnapshot({ pools }), waiting);
    let most = 0;
    // The last step is left out: the plan is judged in it.
    for (let before = 0; steps.next().done !== true; before = looks() + lofty.looks())
      most = Math.max(most, looks() + lofty.looks() - before);
    return most;
  };
  expect(mostLooksWith(240)).toBe(mostLooksWith(60));
});

/** A type, and how often somebody asked how much it holds. */
function watched(wish: TypeWish): { readonly type: InstanceType; readonly looks: () => number } {
  const { allocatable, ...rest } = aType(wish);
  let looks = 0;
  const type = {
    ...rest,
    get allocatable() {
      looks += 1;
      return allocatable;
    },
  };
  return { type, looks: () => looks };
}

test('a kind of machine of which none is large enough is no domain', () => {
  const large = aType({ name: 'm.large', cpu: 4, memoryGi: 8, arch: 'amd64', onDemandUsd: 2 });
  const small = aType({ name: 'g.small', cpu: 1, memoryGi: 8, arch: 'arm64', onDemandUsd: 1 });
  const pools = [aPool({ instanceTypes: [large, small] })];
  const spread = [{ ...overTeams, topologyKey: labels.arch }];
  const waiting = pods(4, { ...web, cpuMillis: 3_000, spread });
  expect(solve(aSnapshot({ pools }), waiting).unplaced).toEqual([]);
});

function podsByTeam(nodes: readonly NewNode[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { requirements, pods: own } of nodes) {
    const set = requirements.get('team');
    const team = set?.kind === 'only' ? [...set.values].join() : '?';
    counts.set(team, (counts.get(team) ?? 0) + own.length);
  }
  return new Map([...counts].sort());
}
