import { describe, expect, test } from 'vitest';
import {
  aDaemon,
  aPod,
  aPool,
  aSnapshot,
  aType,
  type PodWish,
  type PoolWish,
} from '../../../test/validator/builders.ts';
import type { Refusal } from '../explain/reason.ts';
import { labels } from '../requirements/well-known.ts';
import { solve } from './solve.ts';

const large = aType({ name: 'm5.large', cpu: 2, memoryGi: 8, onDemandUsd: 0.096 });
const dry = { ...large, offerings: large.offerings.map((o) => ({ ...o, isAvailable: false })) };

function refusalOf(pod: PodWish, ...pools: readonly PoolWish[]): Refusal {
  const snapshot = aSnapshot({
    pools: pools.map((pool) => aPool({ instanceTypes: [large], ...pool })),
    daemons: [aDaemon({ cpuMillis: 200, hostPorts: [{ ip: '', port: 53, protocol: 'UDP' }] })],
  });
  const { unplaced } = solve(snapshot, [aPod(pod)]);
  const [first] = unplaced;
  if (first === undefined) throw new Error('the pod found a place');
  return first.refusal;
}

const inZone = (zone: string): PodWish => ({
  wants: [[{ key: labels.zone, operator: 'In', values: [zone] }]],
});

describe('a refusal names what is in the way and what to change', () => {
  test.each<{ name: string; refusal: () => Refusal; code: string; says: string }>([
    {
      name: 'no pool at all',
      refusal: () => refusalOf({}),
      code: 'no-pools',
      says: 'there is no NodePool to order one from: create one',
    },
    {
      name: 'a pool that is not ready',
      refusal: () => refusalOf({}, { notReady: 'its node class is missing' }),
      code: 'pool-not-ready',
      says: 'NodePool default: nothing can be ordered from it: its node class is missing.',
    },
    {
      name: 'a taint',
      refusal: () =>
        refusalOf({}, { taints: [{ key: 'team', value: 'red', effect: 'NoSchedule' }] }),
      code: 'taint-not-tolerated',
      says: 'NodePool default: the pod does not tolerate its taint team=red:NoSchedule.',
    },
    {
      name: 'a label that the pool rules out',
      refusal: () =>
        refusalOf(inZone('a'), {
          requires: [{ key: labels.zone, operator: 'In', values: ['b', 'c'] }],
        }),
      code: 'labels-do-not-match',
      says: 'the pod wants topology.kubernetes.io/zone In [a], the pool allows In [b, c]',
    },
    {
      name: 'a label that the pool does not know',
      refusal: () => refusalOf({ wants: [[{ key: 'team', operator: 'In', values: ['red'] }]] }, {}),
      code: 'labels-do-not-match',
      says: "team In [red], a label that the pool does not define: add it to the pool's",
    },
    {
      name: 'a label that no type has',
      refusal: () => refusalOf(inZone('z'), {}),
      code: 'labels-do-not-match',
      says: 'none of its instance types (1) meets topology.kubernetes.io/zone In [z]',
    },
    {
      name: 'a size that no type has',
      refusal: () => refusalOf({ cpuMillis: 1900 }, {}),
      code: 'too-large',
      says: 'the pod asks for cpu 1900m; its largest type in question, m5.large, leaves 1800m',
    },
    {
      name: 'a port of a daemon',
      refusal: () => refusalOf({ hostPorts: [{ ip: '', port: 53, protocol: 'UDP' }] }, {}),
      code: 'host-port-taken',
      says: 'a daemon of its nodes uses the host port',
    },
    {
      name: 'capacity that the cloud does not have',
      refusal: () => refusalOf({}, { instanceTypes: [dry] }),
      code: 'no-capacity-offered',
      says: 'the cloud has none of the instance types (1) that would hold the pod just now',
    },
    {
      name: 'a limit',
      refusal: () => refusalOf({ cpuMillis: 500 }, { limits: { cpu: 1000 } }),
      code: 'limit-reached',
      says:
        'limit cpu 1 is used up to 0; the pod asks for 500m and the smallest node for it adds 2: ' +
        'raise spec.limits.cpu (cpu 1000m means one core)',
    },
    {
      name: 'a number of nodes',
      refusal: () => refusalOf({}, { limits: { nodes: 0 } }),
      code: 'limit-reached',
      says: 'limit nodes 0 is used up to 0 and the smallest node for it adds 1: raise spec.limits.nodes',
    },
    {
      name: 'a constraint that is not placed by yet',
      refusal: () => refusalOf({ unsupported: ['required podAffinity over zone'] }, {}),
      code: 'unsupported-constraint',
      says: 'it uses required podAffinity over zone, which is not placed by yet',
    },
    {
      name: 'a manifest that cannot be read',
      refusal: () =>
        refusalOf({ invalid: ['container a: request cpu: "x" is not a quantity'] }, {}),
      code: 'invalid-pod',
      says: 'container a: request cpu: "x" is not a quantity',
    },
  ])('$name', ({ refusal, code, says }) => {
    expect(refusal().code).toBe(code);
    expect(refusal().sentence).toContain(says);
  });

  test('every pool is told, and unlike reasons have no single code', () => {
    const refusal = refusalOf(
      {},
      { name: 'a', notReady: 'x' },
      { name: 'b', limits: { nodes: 0 } },
    );
    expect(refusal.code).toBe('no-single-reason');
    expect(refusal.parts.map((part) => [part.subject.name, part.code])).toEqual([
      ['a', 'pool-not-ready'],
      ['b', 'limit-reached'],
    ]);
  });
});

test('of many pools those are told first that would take the pod but for one thing', () => {
  const others = ['a', 'b', 'c'].map((name) => ({
    name,
    weight: 50,
    taints: [{ key: 'team', effect: 'NoSchedule' as const }],
  }));
  const { sentence } = refusalOf({ cpuMillis: 1500 }, ...others, {
    name: 'mine',
    limits: { cpu: 1000 },
  });
  expect(sentence).toMatch(/^NodePool mine: /);
  expect(sentence).toContain('1 more NodePools.');
});
