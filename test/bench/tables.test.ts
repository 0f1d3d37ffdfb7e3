import { expect, test } from 'vitest';
import { type Report, ratioRow, table, typesPerOrder } from '../../bench/compare/tables.mjs';

function aReport(...typeCounts: readonly number[]): Report {
  return {
    new_nodes: typeCounts.map((n_instance_types) => ({ n_instance_types })),
    new_node_count: typeCounts.length,
    total_pods_per_second: 100,
    solve_cpu_ms: { min: 1 },
    cost_per_hour: 2,
    dearest_cost_per_hour: 3,
    lower_bound: 1,
    ratio: 2,
    unschedulable: {},
    unschedulable_count: 0,
    largest_node_share: 0.1,
    largest_spot_pool_share: 0.1,
    json_parse_ratio_with_setup: 1,
  };
}

test('the table of ratios says how many types an order of either engine names, and how few', () => {
  const row = ratioRow('web 500', aReport(60, 60, 9), aReport(7, 30, 12, 40, 31));
  expect(row['types per order anchor/ours (fewest)']).toBe('60 (9)/30 (7)');
  expect(row['ours $/h']).toBe(2);
  expect(row['dearest $/h']).toBe(3);
  expect(table([row])).toContain('60 (9)/30 (7)');
});

test('an engine that orders nothing, or does not say, leaves the place empty', () => {
  expect(typesPerOrder(aReport())).toBeUndefined();
  expect(typesPerOrder({ new_nodes: [{}] })).toBeUndefined();
  const row = ratioRow('web 500', aReport(), aReport(5));
  expect(row['types per order anchor/ours (fewest)']).toBe('/5 (5)');
});
