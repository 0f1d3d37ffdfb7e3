import type { Node, Snapshot } from '../cluster/snapshot.ts';

const hoursPerMonth = 730;

/** `$0.0430/h`: four digits, so that the price of small spot machines can be told apart. */
export function perHour(usdPerHour: number): string {
  return `$${usdPerHour.toFixed(4)}/h`;
}

/** `$31.39/month`, at 730 hours. */
export function perMonth(usdPerHour: number): string {
  return `$${(usdPerHour * hoursPerMonth).toFixed(2)}/month`;
}

/** `$1.25`: a sum of money spent. */
export function dollars(usd: number): string {
  return `$${usd.toFixed(2)}`;
}

/** What all nodes whose price is known cost together, leaving ones included. */
export function costUsdPerHour(snapshot: Snapshot): number {
  // Summed in the order of names, since the last digits of a sum depend on its order.
  return [...snapshot.nodes]
    .sort(byName)
    .reduce((sum, node) => sum + (node.priceUsdPerHour ?? 0), 0);
}

function byName(a: Node, b: Node): number {
  return a.name < b.name ? -1 : 1;
}
