import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { pods } from '../../src/api/kubernetes/core.ts';
import { conditionOf } from '../../src/api/resource.ts';
import { solve } from '../../src/core/scheduling/solve.ts';
import { sleep } from '../../src/ports/clock.ts';
import {
  fewEc2Types,
  pendingFamilies,
  questionFor,
  type Sample,
  scenarioFor,
} from '../judges/agreement-cases.ts';
import { orderOfArrival } from '../validator/order-of-arrival.ts';
import { placesOf } from '../validator/places.ts';
import { type JudgingCluster, startJudgingCluster } from './judging-cluster.ts';
import { type Stage, setStage } from './scheduler-stage.ts';

const types = fewEc2Types();
const samples: readonly Sample[] = pendingFamilies.flatMap((family) =>
  [1, 2, 3].map((seed) => ({ family, seed, pods: 15 + 5 * seed })),
);

describe('the real kube-scheduler', () => {
  let cluster: JudgingCluster;
  let stage: Stage | undefined;

  beforeAll(async () => {
    cluster = await startJudgingCluster();
  });
  afterAll(() => cluster?.stop());
  afterEach(async () => {
    await stage?.clear();
    stage = undefined;
  });

  /** Lets the scheduler look at the pod, at the planned node before all others. */
  async function release(
    key: { name: string; namespace: string },
    nodeName: string,
  ): Promise<void> {
    const nominated = { status: { nominatedNodeName: nodeName } };
    await cluster.client.patch(pods, key, {
      type: 'merge',
      body: nominated,
      subresource: 'status',
    });
    const ungated = { spec: { schedulingGates: null } };
    await cluster.client.patch(pods, key, { type: 'merge', body: ungated });
  }

  /** The node that it is bound to, or why it is not after ten seconds. */
  async function verdictOn(key: { name: string; namespace: string }): Promise<string> {
    let why = 'the scheduler said nothing';
    for (let tries = 0; tries < 500; tries++) {
      const pod = await cluster.client.get(pods, key);
      if (pod?.spec.nodeName !== undefined) return pod.spec.nodeName;
      const condition = pod === undefined ? undefined : conditionOf(pod, 'PodScheduled');
      if (condition?.reason === 'Unschedulable') why = condition.message ?? why;
      await sleep(cluster.clock, 20);
    }
    return why;
  }

  test.each(samples)(
    'puts $pods pods of $family, seed $seed, where the plan says',
    async (sample) => {
      const list = scenarioFor(sample, types);
      const { snapshot, pods: waiting } = questionFor(list, types);
      const plan = solve(snapshot, waiting);
      const places = placesOf(snapshot, plan);
      const { order } = orderOfArrival(snapshot, places);
      const name = `${sample.family}-${sample.seed}`;
      const { client } = cluster;
      stage = await setStage({ client, name, items: list.items, snapshot, plan, places });
      for (const { pod, place } of order) {
        const key = { name: pod.name, namespace: pod.namespace };
        const planned = stage.nodeNames.get(place) ?? '';
        await release(key, planned);
        expect([pod.name, await verdictOn(key)]).toEqual([pod.name, planned]);
      }
      expect(order).toHaveLength(waiting.length - plan.unplaced.length);
    },
  );
});
