import type { NewNode } from '../../../src/core/scheduling/plan.ts';
import { compareText } from '../../../src/core/text-order.ts';
import type { NodeView } from '../../../src/server/view.ts';
import type { PurchaseView } from './answer.ts';
import { newNodeView } from './node-view.ts';

/** Nodes that are alike, told once. */
export function purchasesOf(
  nodes: readonly NewNode[],
  asked: ReadonlySet<string>,
): readonly PurchaseView[] {
  const groups = new Map<string, PurchaseView>();
  for (const node of nodes) {
    const { count: _count, zones, pods, ...alike } = purchaseOf(node, asked);
    const key = JSON.stringify(alike);
    const group = groups.get(key);
    groups.set(key, {
      ...alike,
      count: (group?.count ?? 0) + 1,
      zones: [...new Set([...(group?.zones ?? []), ...zones])].sort(compareText),
      pods: (group?.pods ?? 0) + pods,
    });
  }
  return [...groups.values()].sort(
    (a, b) =>
      compareText(a.poolName, b.poolName) ||
      b.usdPerHour - a.usdPerHour ||
      compareText(JSON.stringify(a), JSON.stringify(b)),
  );
}

function purchaseOf(node: NewNode, asked: ReadonlySet<string>): PurchaseView {
  const { cheapest, dearest = cheapest } = node;
  return {
    count: 1,
    poolName: node.pool.name,
    instanceType: cheapest.instanceType,
    zones: [cheapest.zone],
    capacityType: cheapest.capacityType,
    usdPerHour: cheapest.priceUsdPerHour,
    usdPerHourAtMost: dearest.priceUsdPerHour,
    instanceTypes: node.instanceTypes.length,
    pods: node.pods.filter(({ uid }) => asked.has(uid)).length,
  };
}

/** More boxes than these nobody looks at. */
const mostBoxes = 60;

export function newNodeViews(nodes: readonly NewNode[], atMs: number): readonly NodeView[] {
  return nodes.slice(0, mostBoxes).map((node, index) => newNodeView(node, index + 1, atMs));
}
