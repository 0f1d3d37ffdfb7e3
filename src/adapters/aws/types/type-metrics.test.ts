import { expect, test } from 'vitest';
import { aResolvedClass, typesUnderTest } from '../../../../test/aws-cli/types-under-test.ts';
import { createMetrics } from '../../system/metrics.ts';
import { createTypeMetrics } from './type-metrics.ts';

const prefix = 'karpenter_cloudprovider_instance_type';

async function setUp(scope: 'in-use' | 'all') {
  const under = typesUnderTest();
  const metrics = createMetrics();
  const types = await under.list(aResolvedClass());
  const gauges = createTypeMetrics(metrics, scope);
  gauges.noteTypes([types]);
  const series = () =>
    metrics
      .expose()
      .split('\n')
      .filter((line) => line.startsWith(prefix))
      .sort();
  return { ...under, types, gauges, series };
}

test('the types that run have their size, their prices and what can be had of them', async () => {
  const { gauges, series, types } = await setUp('in-use');
  expect(series()).toEqual([]);
  gauges.noteMachines([{ instanceType: 'm5.large' }, { instanceType: 'm5.large' }]);
  const { capacity, offerings = [] } = types.find((type) => type.name === 'm5.large') ?? {};
  expect(series()).toEqual(
    [
      `${prefix}_cpu_cores{instance_type="m5.large"} 2`,
      `${prefix}_memory_bytes{instance_type="m5.large"} ${capacity?.memory}`,
      ...offerings.flatMap(({ capacityType, zone, priceUsdPerHour }) => {
        const labels = `{instance_type="m5.large",capacity_type="${capacityType}",zone="${zone}"}`;
        return [
          `${prefix}_offering_available${labels} 1`,
          `${prefix}_offering_price_estimate${labels} ${priceUsdPerHour}`,
        ];
      }),
    ].sort(),
  );
});

test('what is unavailable, and what no longer runs, is seen', async () => {
  const { gauges, series, unavailable, list } = await setUp('in-use');
  gauges.noteMachines([{ instanceType: 'm5.large' }]);
  unavailable.mark({ capacityType: 'spot', instanceType: 'm5.large', zone: 'ap-east-1a' });
  gauges.noteTypes([await list(aResolvedClass())]);
  const gone = series().filter((line) => line.endsWith(' 0'));
  expect(gone).toEqual([
    `${prefix}_offering_available{instance_type="m5.large",capacity_type="spot",zone="ap-east-1a"} 0`,
  ]);
  gauges.noteMachines([]);
  expect(series()).toEqual([]);
});

test('however many types run, there are at most some hundred series; all only if wanted', async () => {
  const few = await setUp('in-use');
  few.gauges.noteMachines(few.types.map(({ name }) => ({ instanceType: name })));
  expect(few.series().length).toBeLessThan(20 * (2 + 2 * 4) + 1);
  const all = await setUp('all');
  expect(all.series().length).toBeGreaterThan(2_000);
});
