import { compareText } from '../text-order.ts';

/** New nodes that are alike; a single one is a group of one. */
export interface NodeGroup {
  readonly count: number;
  readonly nodePool: string;
  readonly instanceType: string;
  readonly zones: readonly string[];
  readonly capacityType: string;
  /** Of each. */
  readonly usdPerHour: number;
  readonly usdPerHourAtMost: number;
  /** How many the order allows EC2 to choose from. */
  readonly instanceTypes: number;
  /** On all of them together. */
  readonly pods: number;
}

/** Like by like, whatever their zones and pods; by pool, and the dearest first. */
export function grouped(nodes: readonly NodeGroup[]): readonly NodeGroup[] {
  const groups = new Map<string, NodeGroup>();
  for (const { count, zones, pods, ...alike } of nodes) {
    const key = JSON.stringify(alike);
    const group = groups.get(key);
    groups.set(key, {
      ...alike,
      count: (group?.count ?? 0) + count,
      zones: [...new Set([...(group?.zones ?? []), ...zones])].sort(),
      pods: (group?.pods ?? 0) + pods,
    });
  }
  return [...groups.values()].sort(
    (a, b) =>
      compareText(a.nodePool, b.nodePool) ||
      b.usdPerHour - a.usdPerHour ||
      compareText(JSON.stringify(a), JSON.stringify(b)),
  );
}
