import { describe, expect, test } from 'vitest';
import { aProvisioner, givenUpPod, roomyNode } from '../../../test/world/bare-provisioner.ts';
import { createSystemClock } from '../../adapters/system/system-clock.ts';
import type { PodObject } from '../../api/kubernetes/core.ts';
import { provision } from './provisioner.ts';

/** One node with room for one pod; what happens at a step of the round is told by the test. */
function setUp() {
  const parts = aProvisioner(createSystemClock());
  const { informers, ledger } = parts.context;
  informers.nodes.apply(roomyNode('only', { cpu: '1', pods: '1' }));
  return {
    parts,
    apply: (pod: PodObject) => informers.pods.apply(pod),
    remove: (pod: PodObject) =>
      informers.pods.apply({
        ...pod,
        metadata: {
          ...pod.metadata,
          resourceVersion: '9',
          deletionTimestamp: '2026-01-05T09:00:00Z',
        },
      }),
    hasPlace: (pod: PodObject) => ledger.placeOf(pod.metadata.uid ?? '') !== undefined,
  };
}

const small = { cpu: '100m' };

describe('when the world moves on in the middle of a round', () => {
  test('room that is made while pods are gathered is found by the next round', async () => {
    const { parts, apply, remove, hasPlace } = setUp();
    const { cluster } = parts.context;
    const bound = givenUpPod('bound', small);
    const waiting = givenUpPod('waiting', small);
    apply({ ...bound, spec: { ...bound.spec, nodeName: 'only' } });
    apply(waiting);
    const gather = cluster.waitingPods.bind(cluster);
    let isFirst = true;
    cluster.waitingPods = function* (snapshot) {
      if (isFirst) remove({ ...bound, spec: { ...bound.spec, nodeName: 'only' } });
      isFirst = false;
      return yield* gather(snapshot);
    };
    await provision(parts);
    expect(hasPlace(waiting)).toBe(false);
    await provision(parts);
    expect(hasPlace(waiting)).toBe(true);
  });

  test('a pod that was refused for the sake of another has its place once that one is gone', async () => {
    const { parts, apply, remove, hasPlace } = setUp();
    const rivals = [givenUpPod('one', small), givenUpPod('other', small)];
    for (const pod of rivals) apply(pod);
    const { planner } = parts;
    const plan = planner.plan.bind(planner);
    let gone: PodObject | undefined;
    planner.plan = async (question) => {
      const answer = await plan(question);
      gone ??= rivals.find(({ metadata }) => metadata.uid === answer.placements[0]?.pod.uid);
      if (gone !== undefined) remove(gone);
      return answer;
    };
    expect(await provision(parts)).toEqual({ kind: 'after', ms: 50 });
    expect(rivals.filter(hasPlace)).toEqual([]);
    await provision(parts);
    expect(rivals.filter(hasPlace)).toEqual(rivals.filter((pod) => pod !== gone));
  });
});

describe('a round in which nothing has happened to refused pods', () => {
  const zones = {
    maxSkew: 1,
    topologyKey: 'topology.kubernetes.io/zone',
    whenUnsatisfiable: 'DoNotSchedule' as const,
    labelSelector: { matchLabels: { app: 'web' } },
  };
  test.each<{ name: string; spec: Partial<PodObject['spec']> }>([
    { name: 'that stand alone', spec: {} },
    { name: 'that are spread', spec: { topologySpreadConstraints: [zones] } },
  ])('looks at none of those $name, though others are bound', async ({ spec }) => {
    const { parts, apply } = setUp();
    const { cluster } = parts.context;
    for (let index = 0; index < 200; index++) {
      const huge = givenUpPod(`huge-${index}`, { cpu: '64' });
      apply({ ...huge, spec: { ...huge.spec, ...spec } });
    }
    let looks = 0;
    const look = cluster.podOf;
    Object.defineProperty(cluster, 'podOf', {
      value: (object: PodObject) => {
        looks++;
        return look(object);
      },
    });
    await provision(parts);
    expect([looks, parts.planner.solves]).toEqual([200, 1]);
    const bound = givenUpPod('bound', small);
    apply({ ...bound, spec: { ...bound.spec, nodeName: 'only' } });
    await provision(parts);
    // The bound one is looked at once, for its node.
    expect([looks, parts.planner.solves]).toEqual([201, 1]);
  });
});
