import { hasTrueCondition } from '../condition.ts';
import { type Json, listAt, valueAt } from '../json.ts';
import { countAt, orElse, wordAt } from './cell-value.ts';

/** What `kubectl get pods` says about a pod in READY, STATUS and RESTARTS. */
export interface PodStatusSummary {
  readonly readyContainers: number;
  readonly totalContainers: number;
  readonly reason: string;
  readonly restarts: number;
  /** When the last container that was restarted had ended; zero if unknown. */
  readonly lastRestartMs: number;
}

/** Condenses a pod's status in the way of the Kubernetes API server. */
export function summarizePod(pod: Json | undefined): PodStatusSummary {
  const init = summarizeInit(pod);
  const isPastInit = init.reason === undefined || hasTrueCondition(pod, 'Initialized');
  const main = isPastInit ? summarizeMain(pod, init.reason ?? phaseReason(pod)) : undefined;
  const sidecars = listAt(pod, 'spec', 'initContainers').filter(isSidecar).length;
  const restarted = main === undefined ? init.all : add(init.sidecars, main.restarts);
  return {
    readyContainers: init.ready + (main?.ready ?? 0),
    totalContainers: listAt(pod, 'spec', 'containers').length + sidecars,
    reason: deletionReason(pod) ?? main?.reason ?? init.reason ?? phaseReason(pod),
    restarts: restarted.count,
    lastRestartMs: restarted.lastMs,
  };
}

interface Restarts {
  readonly count: number;
  readonly lastMs: number;
}

const noRestarts: Restarts = { count: 0, lastMs: 0 };

function phaseReason(pod: Json | undefined): string {
  const isGated = listAt(pod, 'status', 'conditions').some(
    (condition) =>
      wordAt(condition, 'type') === 'PodScheduled' &&
      wordAt(condition, 'reason') === 'SchedulingGated',
  );
  if (isGated) return 'SchedulingGated';
  return orElse(wordAt(pod, 'status', 'reason'), wordAt(pod, 'status', 'phase'));
}

function deletionReason(pod: Json | undefined): string | undefined {
  if (wordAt(pod, 'metadata', 'deletionTimestamp') === '') return undefined;
  if (wordAt(pod, 'status', 'reason') === 'NodeLost') return 'Unknown';
  const phase = wordAt(pod, 'status', 'phase');
  return phase === 'Succeeded' || phase === 'Failed' ? undefined : 'Terminating';
}

/** Init containers run one after the other: the first that has not ended well is the news. */
function summarizeInit(pod: Json | undefined): {
  readonly reason: string | undefined;
  readonly ready: number;
  readonly all: Restarts;
  readonly sidecars: Restarts;
} {
  const specs = listAt(pod, 'spec', 'initContainers');
  let ready = 0;
  let all = noRestarts;
  let sidecars = noRestarts;
  for (const [index, status] of listAt(pod, 'status', 'initContainerStatuses').entries()) {
    const spec = specs.find((each) => wordAt(each, 'name') === wordAt(status, 'name'));
    all = add(all, restartsOf(status));
    if (isSidecar(spec)) sidecars = add(sidecars, restartsOf(status));
    const ended = valueAt(status, 'state', 'terminated');
    if (ended !== undefined && countAt(ended, 'exitCode') === 0) continue;
    if (isSidecar(spec) && valueAt(status, 'started') === true) {
      if (valueAt(status, 'ready') === true) ready++;
      continue;
    }
    return { reason: initReason(status, `${index}/${specs.length}`), ready, all, sidecars };
  }
  return { reason: undefined, ready, all, sidecars };
}

function initReason(status: Json | undefined, progress: string): string {
  const ended = valueAt(status, 'state', 'terminated');
  if (ended !== undefined) return `Init:${endReason(ended)}`;
  const waiting = wordAt(status, 'state', 'waiting', 'reason');
  return `Init:${waiting === '' || waiting === 'PodInitializing' ? progress : waiting}`;
}

/** The first container's trouble is shown, hence the walk from the last to the first. */
function summarizeMain(
  pod: Json | undefined,
  before: string,
): { readonly reason: string; readonly ready: number; readonly restarts: Restarts } {
  let reason = before;
  let ready = 0;
  let failure = '';
  let restarts = noRestarts;
  for (const status of listAt(pod, 'status', 'containerStatuses').toReversed()) {
    restarts = add(restarts, restartsOf(status));
    const waiting = wordAt(status, 'state', 'waiting', 'reason');
    const ended = valueAt(status, 'state', 'terminated');
    if (waiting !== '') reason = waiting;
    else if (ended !== undefined) {
      reason = endReason(ended);
      if (countAt(ended, 'exitCode') !== 0) failure = reason;
    } else if (
      valueAt(status, 'ready') === true &&
      valueAt(status, 'state', 'running') !== undefined
    ) {
      ready++;
    }
  }
  if (reason === 'Completed') reason = completedReason(pod, ready > 0, failure);
  return { reason, ready, restarts };
}

/** One container that has completed does not make a completed pod while another one runs. */
function completedReason(pod: Json | undefined, isRunning: boolean, failure: string): string {
  if (isRunning && hasTrueCondition(pod, 'Ready')) return 'Running';
  if (failure !== '') return failure;
  return isRunning ? 'NotReady' : 'Completed';
}

function endReason(ended: Json | undefined): string {
  const reason = wordAt(ended, 'reason');
  if (reason !== '') return reason;
  const signal = countAt(ended, 'signal');
  return signal !== 0 ? `Signal:${signal}` : `ExitCode:${countAt(ended, 'exitCode')}`;
}

function isSidecar(container: Json | undefined): boolean {
  return wordAt(container, 'restartPolicy') === 'Always';
}

function restartsOf(status: Json | undefined): Restarts {
  const ended = Date.parse(wordAt(status, 'lastState', 'terminated', 'finishedAt'));
  return { count: countAt(status, 'restartCount'), lastMs: Number.isNaN(ended) ? 0 : ended };
}

function add(a: Restarts, b: Restarts): Restarts {
  return { count: a.count + b.count, lastMs: Math.max(a.lastMs, b.lastMs) };
}
