import { expect, test } from 'vitest';
import { CloudError, type CloudProvider } from '../../../ports/cloud-provider.ts';
import { createMetrics } from '../../system/metrics.ts';
import { createVirtualClock } from '../../system/virtual-clock.ts';
import { measured } from './measured.ts';

test('what the cloud is asked is timed, and its failures are counted by reason', async () => {
  const metrics = createMetrics();
  const clock = createVirtualClock(0);
  const failing = async (): Promise<never> => {
    throw new CloudError('unauthorized', 'Unauthorized', 'no');
  };
  const provider = { list: async () => [], get: failing } as unknown as CloudProvider;
  const counted = measured(provider, { clock, metrics });
  expect(await counted.list()).toEqual([]);
  await expect(counted.get('aws:///a/i-1')).rejects.toThrow('no');
  const text = metrics.expose();
  expect(text).toMatch(/karpenter_cloudprovider_duration_seconds_count\{.*method="List".*\} 1/);
  expect(text).toMatch(
    /karpenter_cloudprovider_errors_total\{.*method="Get".*error="Unauthorized".*\} 1|karpenter_cloudprovider_errors_total\{.*error="Unauthorized".*method="Get".*\} 1/,
  );
});
