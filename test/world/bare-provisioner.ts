import { createKubeClient } from '../../src/adapters/kube/client.ts';
import { createMetrics } from '../../src/adapters/system/metrics.ts';
import { createSeededRandom } from '../../src/adapters/system/seeded-random.ts';
import type { NodeObject, PodObject } from '../../src/api/kubernetes/core.ts';
import { BufferBook } from '../../src/controllers/buffer/buffer-book.ts';
import { ClusterState } from '../../src/controllers/cluster-state/cluster-state.ts';
import { createInformers } from '../../src/controllers/cluster-state/informers.ts';
import { InstanceTypeBook } from '../../src/controllers/cluster-state/instance-type-book.ts';
import { ReservationLedger } from '../../src/controllers/cluster-state/ledger.ts';
import { PlanBoard } from '../../src/controllers/cluster-state/plan-board.ts';
import { ScarcePools } from '../../src/controllers/cluster-state/scarce-pools.ts';
import type { Context } from '../../src/controllers/context.ts';
import { createMeters } from '../../src/controllers/meters.ts';
import { OverlayBook } from '../../src/controllers/overlay/overlay-book.ts';
import { Planner } from '../../src/controllers/provisioning/planner.ts';
import { Reporter } from '../../src/controllers/provisioning/report.ts';
import type { Clock } from '../../src/ports/clock.ts';
import { createDecisionRecorder } from '../../src/runtime/decision-recorder.ts';
import { collectedLog } from './collected-log.ts';

/** The parts of a provisioner over a cluster without a server and without pools: it has what is applied. */
export function aProvisioner(clock: Clock, count: (what: string) => void = () => {}) {
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
        count('decisions');
        return decisions.record(draft);
      },
    },
    events: {
      publish: () => {
        count('events');
        return true;
      },
    },
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

/** A ready Node of nobody with so much room. */
export function roomyNode(name: string, room: Readonly<Record<string, string>>): NodeObject {
  return {
    metadata: { name, uid: name, resourceVersion: '1', labels: { 'kubernetes.io/hostname': name } },
    status: {
      allocatable: room,
      capacity: room,
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  };
}

/** A pod that the kube-scheduler has given up on. */
export function givenUpPod(name: string, requests: Readonly<Record<string, string>>): PodObject {
  return {
    metadata: { name, namespace: 'default', uid: name, resourceVersion: '1' },
    spec: { containers: [{ name: 'main', resources: { requests } }] },
    status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
  };
}
