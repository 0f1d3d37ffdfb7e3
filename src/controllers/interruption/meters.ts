import type { Counter, Histogram, Metrics } from '../../ports/metrics.ts';

/** What is counted of messages and of machines that are unwell. */
export interface InterruptionMeters {
  readonly received: Counter;
  readonly deleted: Counter;
  readonly latency: Histogram;
  readonly unhealthy: Counter;
}

export function interruptionMeters(metrics: Metrics): InterruptionMeters {
  return {
    received: metrics.counter({
      name: 'karpenter_interruption_received_messages_total',
      help: 'Messages taken from the interruption queue',
      labels: ['message_type'],
    }),
    deleted: metrics.counter({
      name: 'karpenter_interruption_deleted_messages_total',
      help: 'Messages deleted from the interruption queue',
    }),
    latency: metrics.histogram({
      name: 'karpenter_interruption_message_queue_duration_seconds',
      help: 'Time between an event and its message being dealt with',
      buckets: [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
    }),
    unhealthy: metrics.counter({
      name: 'karpenter_interruption_instance_status_unhealthy_total',
      help: 'Instances that the cloud found unwell, once for each category while it lasts',
      labels: ['category'],
    }),
  };
}
