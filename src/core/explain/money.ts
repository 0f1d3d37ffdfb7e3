import type { Snapshot } from '../cluster/snapshot.ts';
import { byName } from '../text-order.ts';

/** `$0.0430/h`: four digits, so that the price of small spot machines can be told apart. */
export function perHour(usdPerHour: number): string {
  return `$${usdPerHour.toFixed(4)}/h`;
}

/** What all nodes whose price is known cost together, leaving ones included. */
export function costUsdPerHour(snapshot: Snapshot): number {
  // Summed in the order of names, since the last digits of a sum depend on its order.
  return [...snapshot.nodes]
    .sort(byName)
    .reduce((sum, node) => sum + (node.priceUsdPerHour ?? 0), 0);
}
