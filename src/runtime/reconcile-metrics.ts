import type { Metrics } from '../ports/metrics.ts';

/** What a controller tells about itself, under the names that dashboards already know. */
export interface ReconcileMetrics {
  finished(result: 'success' | 'requeue_after' | 'error'): void;
  took(seconds: number): void;
  queueDepth(depth: number): void;
}

/** Few, since every controller has all of them. */
const buckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60];

export function createReconcileMetrics(
  metrics: Metrics | undefined,
  controller: string,
): ReconcileMetrics {
  if (metrics === undefined) return { finished: () => {}, took: () => {}, queueDepth: () => {} };
  const total = metrics.counter({
    name: 'controller_runtime_reconcile_total',
    help: 'Total number of reconciliations per controller',
    labels: ['controller', 'result'],
  });
  const errors = metrics.counter({
    name: 'controller_runtime_reconcile_errors_total',
    help: 'Total number of reconciliation errors per controller',
    labels: ['controller'],
  });
  const time = metrics.histogram({
    name: 'controller_runtime_reconcile_time_seconds',
    help: 'Length of time per reconciliation per controller',
    labels: ['controller'],
    buckets,
  });
  const depth = metrics.gauge({
    name: 'workqueue_depth',
    help: 'Current depth of workqueue',
    labels: ['name', 'controller'],
  });
  errors.add(0, { controller });
  return {
    finished: (result) => {
      total.add(1, { controller, result });
      if (result === 'error') errors.add(1, { controller });
    },
    took: (seconds) => time.observe(seconds, { controller }),
    queueDepth: (count) => depth.set(count, { name: controller, controller }),
  };
}
