import type { InstanceType } from '../../../core/catalog/instance-type.ts';
import type { Gauge, Metrics } from '../../../ports/metrics.ts';

/** Gauges about instance types, under the original's names. */
export interface TypeMetrics {
  /** What runs now: gauges tell of these types, the most frequent first, unless of all. */
  noteMachines(machines: readonly { readonly instanceType: string }[]): void;
  /** What is on sale now, by class. Cheap while nothing changed. */
  noteTypes(lists: readonly (readonly InstanceType[])[]): void;
}

/**
 * EC2 sells 1,400 types in several zones in up to three ways: some twenty thousand series, most of
 * which nobody asks for. By default there are series for the types that run here alone, and at
 * most for this many.
 */
const maxTypes = 20;

export function createTypeMetrics(
  metrics: Metrics | undefined,
  scope: 'in-use' | 'all',
): TypeMetrics {
  if (metrics === undefined) return { noteMachines: () => {}, noteTypes: () => {} };
  const gauges = createGauges(metrics);
  let lists: readonly (readonly InstanceType[])[] = [];
  let inUse: readonly string[] = [];

  function publish(): void {
    const known = new Set(inUse);
    const shown = lists.flat().filter((type) => scope === 'all' || known.has(type.name));
    gauges.show(shown);
  }

  return {
    noteMachines(machines) {
      const names = mostFrequent(machines.map((machine) => machine.instanceType));
      if (names.join() === inUse.join()) return;
      inUse = names;
      publish();
    },
    noteTypes(latest) {
      if (latest.length === lists.length && latest.every((list, i) => list === lists[i])) return;
      lists = latest;
      publish();
    },
  };
}

/** By name, so that the same machines in another order change nothing. */
function mostFrequent(names: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([a, m], [b, n]) => (m !== n ? n - m : a < b ? -1 : 1))
    .slice(0, maxTypes)
    .map(([name]) => name)
    .sort();
}

function createGauges(metrics: Metrics): { show(types: readonly InstanceType[]): void } {
  const prefix = 'karpenter_cloudprovider_instance_type';
  const gauge = (name: string, help: string, ...more: readonly string[]): Gauge =>
    metrics.gauge({ name: `${prefix}_${name}`, help, labels: ['instance_type', ...more] });
  const cpu = gauge('cpu_cores', 'Virtual CPUs of the instance type.');
  const memory = gauge('memory_bytes', 'Memory of the instance type, as its nodes report it.');
  const offer = ['capacity_type', 'zone'];
  const available = gauge('offering_available', 'Whether it can be bought, 1 or 0.', ...offer);
  const price = gauge('offering_price_estimate', 'Its price in USD per hour.', ...offer);

  /** Several classes may sell the same; it is available if one of them can buy it. */
  function showOfferings({ name, offerings }: InstanceType, sold: Set<string>): void {
    for (const { capacityType, zone, isAvailable, priceUsdPerHour } of offerings) {
      const labels = { instance_type: name, capacity_type: capacityType, zone };
      const key = `${name}/${capacityType}/${zone}`;
      if (isAvailable) sold.add(key);
      available.set(sold.has(key) ? 1 : 0, labels);
      price.set(priceUsdPerHour, labels);
    }
  }

  return {
    show(types) {
      for (const one of [cpu, memory, available, price]) one.clear();
      const sold = new Set<string>();
      for (const type of types) {
        cpu.set((type.capacity.cpu ?? 0) / 1_000, { instance_type: type.name });
        memory.set(type.capacity.memory ?? 0, { instance_type: type.name });
        showOfferings(type, sold);
      }
    },
  };
}
