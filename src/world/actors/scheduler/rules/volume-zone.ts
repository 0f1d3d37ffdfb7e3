import type { VolumeDemand } from '../cluster-state.ts';
import { type Rule, rejection } from '../rule.ts';

const elsewhere = rejection('node(s) had no available volume zone', 'final');

/** Bound volumes hold a pod in their zone; claims without a volume yet hold it nowhere. */
export const volumeZone: Rule = {
  name: 'VolumeZone',
  prepare(pod, cluster) {
    const demands = cluster.surroundings.volumeDemands(pod.object);
    if (demands.length === 0) return undefined;
    return (node) =>
      demands.every((demand) => accepts(demand, node.labels)) ? undefined : elsewhere;
  },
};

function accepts(demand: VolumeDemand, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(demand).every(([key, values]) => {
    const value = labels[key];
    return value !== undefined && values.includes(value);
  });
}
