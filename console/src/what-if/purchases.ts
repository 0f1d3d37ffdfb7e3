import { grouped, type NodeGroup } from '../../../src/core/explain/node-groups.ts';
import type { NewNode } from '../../../src/core/scheduling/plan.ts';
import type { NewNodeView } from './answer.ts';
import { newNodeView } from './node-view.ts';

/** What would be bought, like by like, with how many of those that were asked about. */
export function purchasesOf(
  nodes: readonly NewNode[],
  asked: ReadonlySet<string>,
): readonly NodeGroup[] {
  return grouped(nodes.map((node) => purchaseOf(node, asked)));
}

function purchaseOf(node: NewNode, asked: ReadonlySet<string>): NodeGroup {
  const { cheapest, dearest = cheapest } = node;
  return {
    count: 1,
    nodePool: node.pool.name,
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

export function newNodeViews(
  nodes: readonly NewNode[],
  asked: ReadonlySet<string>,
  atMs: number,
): readonly NewNodeView[] {
  return nodes
    .slice(0, mostBoxes)
    .map((node, index) => newNodeView(node, { number: index + 1, atMs }, asked));
}
