import type { NodeView, PodView } from '../../src/server/view.ts';
import type { Scale } from './state.ts';

/** The side of a node's box in pixels, so that areas compare as the chosen measure does. */
export function sideOf(node: NodeView, scale: Scale, largest: number): number {
  const share = largest === 0 ? 0 : measureOf(node, scale) / largest;
  return Math.round(Math.max(smallestSide, largestSide * Math.sqrt(share)));
}

const smallestSide = 84;
const largestSide = 240;

export function measureOf(node: NodeView, scale: Scale): number {
  switch (scale) {
    case 'cpu':
      return node.cpuMillis.allocatable;
    case 'memory':
      return node.memoryBytes.allocatable;
    case 'price':
      return node.usdPerHour ?? 0;
  }
}

/**
 * How much of the node each pod takes: the largest of its shares of CPU, memory and pod slots, so
 * that a full box is a full node whichever of them runs out first.
 */
export function podWeights(node: NodeView): readonly number[] {
  return node.pods.map((pod) => dominantShare(pod, node));
}

function dominantShare(pod: PodView, node: NodeView): number {
  return Math.max(
    share(pod.cpuMillis, node.cpuMillis.allocatable),
    share(pod.memoryBytes, node.memoryBytes.allocatable),
    share(1, node.podSlots.allocatable),
  );
}

function share(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.min(1, part / whole);
}

/** One word for where the node is in its life. */
export function stageWord(node: NodeView): string {
  if (node.isLeaving) return 'leaving';
  if (node.stage === 'initialized') return node.isReady ? 'ready' : 'not ready';
  return node.stage === 'ordered' ? 'ordered' : node.stage === 'launched' ? 'booting' : 'joining';
}
