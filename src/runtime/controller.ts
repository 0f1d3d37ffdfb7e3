import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import { FailureLog } from './failure-log.ts';
import type { Reconcile } from './reconcile.ts';
import { createReconcileMetrics, type ReconcileMetrics } from './reconcile-metrics.ts';
import { expectManyListeners } from './shared-signal.ts';
import { WorkQueue } from './work-queue.ts';

export interface ControllerOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics?: Metrics | undefined;
  /** How many keys are worked on at the same time; 10 unless told. */
  readonly concurrency?: number | undefined;
  readonly reconcile: Reconcile;
  /** The delay after the first failure of a key in a row; 100 ms unless told. */
  readonly minBackoffMs?: number | undefined;
  /** Where the doubling ends; 60 s unless told. */
  readonly maxBackoffMs?: number | undefined;
}

export interface ControllerHandle {
  /** Asks for the key to be reconciled as soon as possible. Harmless after the end. */
  enqueue(key: string): void;
  enqueueAfter(key: string, ms: number): void;
  /** Nothing is being reconciled or ready to be; keys may wait for their time. */
  isIdle(): boolean;
  /** Resolves once the signal was aborted and the last reconcile has come back. */
  readonly done: Promise<void>;
}

const defaultConcurrency = 10;
const defaultMinBackoffMs = 100;
const defaultMaxBackoffMs = 60_000;

/** Reconciles the keys it is given until the signal is aborted, each as `reconcile.ts` promises. */
export function runController(options: ControllerOptions, signal: AbortSignal): ControllerHandle {
  const { name, clock, concurrency = defaultConcurrency } = options;
  const failureLog = new FailureLog(clock, options.log.with({ controller: name }));
  const metrics = createReconcileMetrics(options.metrics, name);
  let isPumping = false;
  let working = 0;
  let finish = (): void => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const queue = new WorkQueue({
    clock,
    minBackoffMs: options.minBackoffMs ?? defaultMinBackoffMs,
    maxBackoffMs: options.maxBackoffMs ?? defaultMaxBackoffMs,
    onReady: pumpSoon,
  });
  const run: Run = { reconcile: options.reconcile, clock, failureLog, metrics, queue, signal };

  /** In a callback of its own, so that whoever enqueues is never in the middle of a reconcile. */
  function pumpSoon(): void {
    if (isPumping) return;
    isPumping = true;
    queueMicrotask(pump);
  }

  function pump(): void {
    isPumping = false;
    while (!signal.aborted && working < concurrency) {
      const key = queue.take();
      if (key === undefined) break;
      working++;
      void reconcileOnce(run, key).finally(() => release(key));
    }
    metrics.queueDepth(queue.depth);
  }

  function release(key: string): void {
    working--;
    queue.done(key);
    if (!signal.aborted) pump();
    else if (working === 0) finish();
  }

  function stop(): void {
    queue.close();
    if (working === 0) finish();
  }

  expectManyListeners(signal);
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });

  return {
    enqueue: (key) => {
      if (!signal.aborted) queue.add(key);
    },
    enqueueAfter: (key, ms) => {
      if (!signal.aborted) queue.addAfter(key, ms);
    },
    isIdle: () => queue.isIdle,
    done,
  };
}

interface Run {
  readonly reconcile: Reconcile;
  readonly clock: Clock;
  readonly failureLog: FailureLog;
  readonly metrics: ReconcileMetrics;
  readonly queue: WorkQueue;
  readonly signal: AbortSignal;
}

async function reconcileOnce(run: Run, key: string): Promise<void> {
  const { clock, queue, metrics, failureLog, signal } = run;
  const startedMs = clock.nowMs();
  try {
    const requeue = await run.reconcile(key, signal);
    queue.forget(key);
    failureLog.succeeded(key, 'reconciling works again', { key });
    metrics.finished(requeue.kind === 'after' ? 'requeue_after' : 'success');
    if (requeue.kind === 'after' && !signal.aborted) queue.addAfter(key, requeue.ms);
  } catch (error) {
    // Once told to stop, a loop may end by throwing; that is no failure of the key.
    if (signal.aborted) return;
    const retryInMs = queue.addAfterFailure(key);
    metrics.finished('error');
    failureLog.failed(key, 'reconciling failed', { key, error, retryInMs });
  } finally {
    metrics.took((clock.nowMs() - startedMs) / 1_000);
  }
}
