import type { Clock } from '../../../ports/clock.ts';
import { CloudError, type CloudProvider } from '../../../ports/cloud-provider.ts';
import type { Metrics } from '../../../ports/metrics.ts';

/**
 * The same provider, with the time and the failures of what is asked of it counted, under the names
 * of the original so that its dashboards go on working.
 */
export function measured(
  provider: CloudProvider,
  ports: { readonly clock: Clock; readonly metrics: Metrics | undefined },
): CloudProvider {
  const { clock, metrics } = ports;
  if (metrics === undefined) return provider;
  const labels = ['controller', 'method', 'provider'];
  const duration = metrics.histogram({
    name: 'karpenter_cloudprovider_duration_seconds',
    help: 'How long the cloud took to do what it was asked',
    labels,
    buckets: [0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  });
  const errors = metrics.counter({
    name: 'karpenter_cloudprovider_errors_total',
    help: 'What the cloud was asked and did not do, by the kind of failure',
    labels: [...labels, 'error'],
  });

  async function time<T>(method: string, work: () => Promise<T>): Promise<T> {
    const values = { controller: '', method, provider: 'aws' };
    const startedMs = clock.nowMs();
    try {
      return await work();
    } catch (error) {
      const kind = error instanceof CloudError ? error.reason : 'error';
      errors.add(1, { ...values, error: kind });
      throw error;
    } finally {
      duration.observe((clock.nowMs() - startedMs) / 1_000, values);
    }
  }

  return {
    ...provider,
    instanceTypes: (...given) => time('GetInstanceTypes', () => provider.instanceTypes(...given)),
    launch: (...given) => time('Create', () => provider.launch(...given)),
    terminate: (...given) => time('Delete', () => provider.terminate(...given)),
    get: (...given) => time('Get', () => provider.get(...given)),
    list: () => time('List', () => provider.list()),
  };
}
