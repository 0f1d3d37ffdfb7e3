import { describe, expect, test } from 'vitest';
import { aNode, aPod, aPool, aSnapshot, aType } from '../../../test/validator/builders.ts';
import { createSystemClock } from '../../adapters/system/system-clock.ts';
import type { Pod } from '../../core/cluster/pod.ts';
import { labels } from '../../core/requirements/well-known.ts';
import { reading } from '../../core/scheduling/refusing/refusal.ts';
import { Planner, readReasons } from './planner.ts';

const type = aType({ name: 'm5.large', cpu: 2, memoryGi: 8, onDemandUsd: 0.1 });
const snapshot = aSnapshot({ pools: [aPool({ instanceTypes: [type] })] });
const tooLarge = aPod({ name: 'huge', cpuMillis: 64_000 });
const fitting = aPod({ name: 'fitting', cpuMillis: 500 });

function aPlanner() {
  const planner = new Planner(createSystemClock());
  const plan = async (pods: readonly Pod[], supply = '1') => {
    const nodes = supply === '1' ? snapshot.nodes : [...snapshot.nodes];
    const question = { snapshot: { ...snapshot, nodes }, pods, supply };
    const { unplaced, newNodes } = await planner.plan(question);
    return {
      refused: unplaced.map(({ pod }) => pod.name),
      ordered: newNodes.flatMap((node) => node.pods.map((pod) => pod.name)),
      solves: planner.solves,
    };
  };
  return plan;
}

describe('a pod that found no place', () => {
  test('is not asked about again while nothing has changed', async () => {
    const plan = aPlanner();
    await plan([tooLarge]);
    for (let round = 0; round < 5; round++)
      expect(await plan([tooLarge])).toEqual({ refused: ['huge'], ordered: [], solves: 1 });
  });

  test('is not asked about again when other pods come, and is still told', async () => {
    const plan = aPlanner();
    await plan([tooLarge]);
    expect(await plan([tooLarge, fitting])).toEqual({
      refused: ['huge'],
      ordered: ['fitting'],
      solves: 2,
    });
    // Nothing but the order is open: the engine does not see the other one.
    expect(await plan([tooLarge])).toEqual({ refused: ['huge'], ordered: [], solves: 2 });
  });

  test('is asked about again once there may be room', async () => {
    const plan = aPlanner();
    await plan([tooLarge]);
    expect(await plan([tooLarge], '2')).toMatchObject({ refused: ['huge'], solves: 2 });
  });

  test('is asked about again when it has changed itself', async () => {
    const plan = aPlanner();
    await plan([tooLarge]);
    const smaller = { ...tooLarge, requests: { cpu: 100, pods: 1 } };
    expect(await plan([smaller])).toEqual({ refused: [], ordered: ['huge'], solves: 2 });
  });

  test('is asked about again when a pod that took its room has changed', async () => {
    const first = aPod({ name: 'first', cpuMillis: 900 });
    const second = aPod({ name: 'second', cpuMillis: 500 });
    const allocatable = { cpu: 1_000, memory: 2 ** 32, pods: 10 };
    const reserved = aSnapshot({ nodes: [aNode({ allocatable, reservedFor: [first.uid] })] });
    const planner = new Planner(createSystemClock());
    const ask = async (pods: readonly Pod[]) => {
      const plan = await planner.plan({ snapshot: reserved, pods, supply: '1' });
      return plan.placements.map(({ pod }) => pod.name).sort();
    };
    expect(await ask([first, second])).toEqual(['first']);
    const smaller = { ...first, requests: { ...first.requests, cpu: 400 } };
    expect(await ask([smaller, second])).toEqual(['first', 'second']);
  });

  test('is asked about again when a pod comes that it wants to be near', async () => {
    const plan = aPlanner();
    const term = {
      topologyKey: labels.zone,
      selector: { matchLabels: { app: 'db' } },
      namespaces: ['default'],
    };
    const follower = aPod({ name: 'follower', affinity: [term] });
    expect(await plan([follower])).toMatchObject({ refused: ['follower'], solves: 1 });
    const database = aPod({ name: 'db', labels: { app: 'db' } });
    const { ordered, solves } = await plan([follower, database]);
    expect([...ordered].sort()).toEqual(['db', 'follower']);
    expect(solves).toBe(2);
  });
});

test('a pod that found its limits used up by an order is asked about again, should that come to nothing', async () => {
  const pool = aPool({ instanceTypes: [type], limits: { nodes: 1 } });
  const planner = new Planner(createSystemClock());
  const rivals = [1, 2].map((index) => aPod({ name: `rival-${index}`, cpuMillis: 1_500 }));
  const ask = (pods: readonly Pod[]) =>
    planner.plan({ snapshot: aSnapshot({ pools: [pool] }), pods, supply: '1' });
  const first = await ask(rivals);
  expect([first.newNodes.length, first.unplaced.length]).toEqual([1, 1]);
  const left = first.unplaced.map(({ pod }) => pod);
  const second = await ask(left);
  expect(second.newNodes.flatMap(({ pods }) => pods)).toEqual(left);
});

test('an order that could not be placed is planned again', async () => {
  const plan = aPlanner();
  expect(await plan([fitting])).toEqual({ refused: [], ordered: ['fitting'], solves: 1 });
  expect(await plan([fitting])).toEqual({ refused: [], ordered: ['fitting'], solves: 2 });
});

test('without pods nobody is asked', async () => {
  expect(await aPlanner()([])).toEqual({ refused: [], ordered: [], solves: 0 });
});

test('reasons are worked out after the plan, in steps, and once', async () => {
  const planner = new Planner(createSystemClock());
  const plan = await planner.plan({ snapshot, pods: [tooLarge], supply: '1' });
  expect([...readReasons(plan)].length).toBeGreaterThan(3);
  expect(plan.unplaced.map(({ refusal }) => [...reading(refusal)])).toEqual([[]]);
});
