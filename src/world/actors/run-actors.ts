import { setMaxListeners } from 'node:events';
import { runDaemonSets } from './daemon-set.ts';
import { runDeployments } from './deployment/deployment.ts';
import { runDisruptionBudgets } from './disruption-budget/disruption-budget.ts';
import { runGarbageCollector } from './garbage/garbage-collector.ts';
import { runJobs } from './job/job.ts';
import { runNamespaceDeletion } from './namespace-deletion.ts';
import { runNodeHealth } from './node-lifecycle/node-health.ts';
import { runOrphanedPods } from './node-lifecycle/orphaned-pods.ts';
import { runTaintEviction } from './node-lifecycle/taint-eviction.ts';
import { runReplicaSets } from './replica-set.ts';
import { runScheduler } from './scheduler/run-scheduler.ts';
import { runServiceAccounts } from './service-account.ts';
import { type ActorPorts, Stage } from './stage.ts';
import { runStatefulSets } from './stateful-set.ts';

const cast = [
  runDeployments,
  runReplicaSets,
  runDaemonSets,
  runStatefulSets,
  runJobs,
  runDisruptionBudgets,
  runNamespaceDeletion,
  runNodeHealth,
  runTaintEviction,
  runOrphanedPods,
  runGarbageCollector,
  runServiceAccounts,
  runScheduler,
];

/**
 * Plays kube-controller-manager and kube-scheduler on the public API. Resolves once the signal
 * was aborted and the last step has come back. State is read from the server alone, so that it
 * may be stopped and started again at any point.
 */
export async function runActors(ports: ActorPorts, signal: AbortSignal): Promise<void> {
  // Some fifty loops and watches listen for the end; that many is no leak here.
  setMaxListeners(0, signal);
  const stage = new Stage(ports, signal);
  const parts = cast.map((run) => run(stage));
  stage.open();
  await Promise.all(parts);
}
