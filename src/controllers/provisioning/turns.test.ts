import { expect, test } from 'vitest';
import { collectedLog } from '../../../test/world/collected-log.ts';
import { createKubeClient } from '../../adapters/kube/client.ts';
import { createMetrics } from '../../adapters/system/metrics.ts';
import { createSeededRandom } from '../../adapters/system/seeded-random.ts';
import type { NodeObject, PodObject } from '../../api/kubernetes/core.ts';
import { createDecisionRecorder } from '../../runtime/decision-recorder.ts';
import { BufferBook } from '../buffer/buffer-book.ts';
import { ClusterState } from '../cluster-state/cluster-state.ts';
import { createInformers } from '../cluster-state/informers.ts';
import { InstanceTypeBook } from '../cluster-state/instance-type-book.ts';
import { ReservationLedger } from '../cluster-state/ledger.ts';
import { PlanBoard } from '../cluster-state/plan-board.ts';
import { ScarcePools } from '../cluster-state/scarce-pools.ts';
import type { Context } from '../context.ts';
import { createMeters } from '../meters.ts';
import { OverlayBook } from '../overlay/overlay-book.ts';
import { Planner } from './planner.ts';
import { provision } from './provisioner.ts';
import { Reporter } from './report.ts';

const podCount = 3_000;
const nodeCount = 20;
const podsPerNode = 50;

/** A clock on which every step of work takes long, so that everybody else has a turn after each. */
class SlowClock {
  #nowMs = 0;
  /** What was done since the last turn, and the most that was done between any two. */
  readonly done = new Map<string, number>();
  readonly most = new Map<string, number>();
  turns = 0;
  readonly schedule = () => () => {};

  nowMs(): number {
    this.#nowMs += 6;
    return this.#nowMs;
  }

  breathe(): Promise<void> {
    this.turns++;
    this.done.clear();
    return Promise.resolve();
  }

  count(what: string): void {
    const count = (this.done.get(what) ?? 0) + 1;
    this.done.set(what, count);
    this.most.set(what, Math.max(count, this.most.get(what) ?? 0));
  }
}

/** The parts of a provisioner over a cluster without pools: some pods fit its nodes, the others do not. */
function aProvisioner(clock: SlowClock) {
  const log = collectedLog('test', () => true, []);
  const random = createSeededRandom(1);
  const send = () => Promise.reject(new Error('there is no server here'));
  const kube = createKubeClient({ send, clock, log });
  const informers = createInformers({ kube, clock, log, random });
  const ledger = new ReservationLedger(20_000);
  const types = new InstanceTypeBook({
    cloud: {} as never,
    log,
    nodeClasses: informers.nodeClasses,
  });
  const cluster = new ClusterState({ informers, types, ledger, clock });
  const metrics = createMetrics();
  const decisions = createDecisionRecorder({ clock, log });
  const ports = {
    kube,
    cloud: {} as never,
    clock,
    random,
    log,
    metrics,
    decisions: {
      ...decisions,
      record: (draft: Parameters<typeof decisions.record>[0]) => {
        clock.count('decisions');
        return decisions.record(draft);
      },
    },
    events: { publish: () => clock.count('events') },
  };
  const context: Context = {
    ports,
    settings: { clusterName: 'test' },
    informers,
    cluster,
    ledger,
    scarcePools: new ScarcePools(),
    types,
    overlayBook: new OverlayBook(() => []),
    bufferBook: new BufferBook(),
    meters: createMeters(metrics),
  };
  const planner = new Planner(clock);
  const reporter = new Reporter(context);
  return { context, board: new PlanBoard(), planner, reporter, isSettled: () => true };
}

function node(index: number): NodeObject {
  const name = `node-${index}`;
  const room = { cpu: '64', pods: String(podsPerNode) };
  return {
    metadata: { name, uid: name, resourceVersion: '1', labels: { 'kubernetes.io/hostname': name } },
    status: {
      allocatable: room,
      capacity: room,
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  };
}

function pod(index: number): PodObject {
  const name = `pod-${index}`;
  return {
    metadata: { name, namespace: 'default', uid: name, resourceVersion: '1' },
    spec: { containers: [{ name: 'main', resources: { requests: { cpu: '10m' } } }] },
    status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
  };
}

test('in a round over thousands of pods others have their turn after every few of them', async () => {
  const clock = new SlowClock();
  const parts = aProvisioner(clock);
  const { informers, ledger, cluster } = parts.context;
  for (let index = 0; index < nodeCount; index++) informers.nodes.apply(node(index));
  for (let index = 0; index < podCount; index++) {
    informers.pods.apply(pod(index));
    ledger.reserve(`pod-${index}`, { kind: 'claim', name: 'gone' }, 0);
  }
  ledger.onChange(() => clock.count('ledger entries'));
  const decode = cluster.podOf;
  let decodings = 0;
  Object.defineProperty(cluster, 'podOf', {
    value: (object: PodObject) => {
      const known = decode(object);
      for (; decodings < cluster.work().pods; decodings++) clock.count('pods decoded');
      return known;
    },
  });
  await provision(parts);
  expect(decodings).toBe(podCount);
  expect(ledger.placeOf('pod-0')).toMatchObject({ kind: 'node' });
  expect(clock.turns).toBeGreaterThan(100);
  for (const [what, most] of clock.most) expect([what, most <= 64]).toEqual([what, true]);
  expect([...clock.most.keys()].sort()).toEqual([
    'decisions',
    'events',
    'ledger entries',
    'pods decoded',
  ]);
});
