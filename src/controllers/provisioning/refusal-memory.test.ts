import { describe, expect, test } from 'vitest';
import { aNode, aPod, aPool, aSnapshot, aType, pods } from '../../../test/validator/builders.ts';
import { createSystemClock } from '../../adapters/system/system-clock.ts';
import type { Pod } from '../../core/cluster/pod.ts';
import type { Node, Pool } from '../../core/cluster/snapshot.ts';
import { labels } from '../../core/requirements/well-known.ts';
import { Planner } from './planner.ts';

const type = aType({ name: 'm5.large', cpu: 2, memoryGi: 8, onDemandUsd: 0.1 });
const spread = [
  {
    topologyKey: labels.zone,
    maxSkew: 1,
    isHard: true,
    selector: { matchLabels: { app: 'web' } },
    honorsNodeAffinity: true,
    honorsTaints: false,
  },
];
const near = (app: string) => [
  { topologyKey: labels.zone, selector: { matchLabels: { app } }, namespaces: ['default'] },
];
const web = { labels: { app: 'web' }, spread };

function nodeIn(zone: string, bound: readonly Pod[] = []): Node {
  const name = `node-${zone}`;
  return aNode({ name, labels: { [labels.zone]: zone, [labels.hostname]: name }, pods: bound });
}

/** A cluster whose supply stays as it is: pods come, go and are bound. */
function aCluster(first: readonly Node[], pool: Pool = aPool({ instanceTypes: [type] })) {
  const planner = new Planner(createSystemClock());
  let nodes = first;
  return {
    /** Binds a pod that did not wait. */
    bind: (zone: string, pod: Pod): void => {
      nodes = nodes.map((node) =>
        node.name === `node-${zone}` ? { ...node, pods: [...node.pods, pod] } : node,
      );
    },
    ask: async (waiting: readonly Pod[]) => {
      const snapshot = aSnapshot({ pools: [pool], nodes });
      const { placements, unplaced } = await planner.plan({ snapshot, pods: waiting, supply: '1' });
      return {
        placed: placements.map(({ pod }) => pod.name).sort(),
        refusals: new Map(unplaced.map(({ pod, refusal }) => [pod.name, refusal])),
        unplaced,
        solves: planner.solves,
      };
    },
  };
}

describe('refused pods to whom other pods may matter are not asked about again', () => {
  const tooLarge = { cpuMillis: 64_000 };
  test.each<{ name: string; wish: Partial<Pod> }>([
    { name: 'with a hard spread', wish: web },
    { name: 'with an affinity', wish: { affinity: near('db') } },
    { name: 'with a claim for one pod', wish: { volumes: volumesOf('default/data') } },
    { name: 'that cannot be understood', wish: { ...web, invalid: ['no such unit'] } },
    { name: 'with a rule that is not supported', wish: { ...web, unsupported: ['claims'] } },
  ])('$name, when others are bound, come and go', async ({ wish }) => {
    const { ask, bind } = aCluster([nodeIn('a'), nodeIn('b'), nodeIn('c')]);
    const refused = pods(20, { ...tooLarge, ...wish, name: 'huge' });
    const first = await ask(refused);
    expect([first.refusals.size, first.solves]).toEqual([20, 1]);
    for (const zone of ['a', 'b', 'c']) {
      bind(zone, aPod({ name: `other-${zone}`, labels: { app: 'other' }, nodeName: zone }));
      expect((await ask(refused)).solves).toBe(1);
    }
    const other = aPod({ name: 'other', labels: { app: 'other' } });
    const both = await ask([...refused, other]);
    expect([both.placed, both.solves]).toEqual([['other'], 2]);
    const last = await ask(refused);
    expect(last.solves).toBe(2);
    expect(last.refusals.get('huge-0')).toBe(first.refusals.get('huge-0'));
  });

  test('and the answer is the same list as before', async () => {
    const { ask, bind } = aCluster([nodeIn('a')]);
    const refused = pods(3, { ...web, ...tooLarge });
    await ask(refused);
    const { unplaced } = await ask(refused);
    bind('a', aPod({ name: 'other', nodeName: 'node-a' }));
    expect((await ask([...refused])).unplaced).toBe(unplaced);
  });
});

describe('a refused pod is asked about again', () => {
  const noPool = aPool({ instanceTypes: [] });

  test('when a pod is bound that it is evened out with', async () => {
    const one = aPod({ name: 'one', labels: { app: 'web' }, nodeName: 'node-a' });
    const full = { ...nodeIn('b'), allocatable: { cpu: 4_000, memory: 2 ** 34, pods: 1 } };
    const { ask, bind } = aCluster([nodeIn('a', [one]), full], noPool);
    const waiting = [aPod({ name: 'two', ...web, cpuMillis: 1 })];
    bind('b', aPod({ name: 'other', labels: { app: 'other' }, nodeName: 'node-b' }));
    expect(await ask(waiting)).toMatchObject({ placed: [], solves: 1 });
    bind('b', aPod({ name: 'elsewhere', namespace: 'else', labels: { app: 'web' } }));
    expect(await ask(waiting)).toMatchObject({ placed: [], solves: 1 });
    bind('b', aPod({ name: 'three', labels: { app: 'web' }, nodeName: 'node-b' }));
    expect(await ask(waiting)).toMatchObject({ placed: ['two'], solves: 2 });
  });

  test('when a pod is bound that it must be with', async () => {
    const { ask, bind } = aCluster([nodeIn('a')], noPool);
    const waiting = [aPod({ name: 'follower', affinity: near('db') })];
    expect(await ask(waiting)).toMatchObject({ placed: [], solves: 1 });
    bind('a', aPod({ name: 'db', labels: { app: 'db' }, nodeName: 'node-a' }));
    expect(await ask(waiting)).toMatchObject({ placed: ['follower'], solves: 2 });
  });

  test('together with those who wait for it', async () => {
    const { ask } = aCluster([nodeIn('a')], noPool);
    const chain = [
      aPod({ name: 'last', affinity: near('middle') }),
      aPod({ name: 'middle', labels: { app: 'middle' }, affinity: near('db') }),
    ];
    // One after the other, so that they were not refused in one batch.
    await ask(chain.slice(1));
    expect(await ask(chain)).toMatchObject({ placed: [], solves: 2 });
    const database = aPod({ name: 'db', labels: { app: 'db' } });
    expect(await ask([...chain, database])).toMatchObject({
      placed: ['db', 'last', 'middle'],
      solves: 3,
    });
  });

  test('when nobody is left who could open the zone that counted as empty', async () => {
    const one = aPod({ name: 'one', labels: { app: 'web' }, nodeName: 'node-a' });
    const inB = [{ key: labels.zone, operator: 'In' as const, values: ['b'] }];
    const pool = aPool({ instanceTypes: [type], requires: inB, limits: { nodes: 1 } });
    const { ask } = aCluster([nodeIn('a', [one])], pool);
    const inA = [{ key: labels.zone, operator: 'In' as const, values: ['a'] }];
    const everywhere = spread.map((rule) => ({ ...rule, honorsNodeAffinity: false }));
    const two = aPod({ name: 'two', ...web, spread: everywhere, wants: [inA] });
    const opener = aPod({ name: 'opener', wants: [inB] });
    expect(await ask([two, opener])).toMatchObject({ placed: [], solves: 1 });
    expect(await ask([two])).toMatchObject({ placed: ['two'], solves: 2 });
  });

  test('when the pod is gone that had a claim before it', async () => {
    const { ask } = aCluster([nodeIn('a')], noPool);
    const volumes = volumesOf('default/data');
    const first = aPod({ name: 'first', volumes, priority: 1, cpuMillis: 64_000 });
    const second = aPod({ name: 'second', volumes });
    expect(await ask([first, second])).toMatchObject({ placed: [], solves: 1 });
    expect(await ask([second])).toMatchObject({ placed: ['second'], solves: 2 });
  });
});

function volumesOf(claim: string): NonNullable<Pod['volumes']> {
  return { alternatives: [new Map()], attachments: {}, exclusive: [claim] };
}
