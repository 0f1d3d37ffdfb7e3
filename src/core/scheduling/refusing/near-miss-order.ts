import type { Constraint } from '../../explain/reason.ts';
import { compareText } from '../../text-order.ts';
import type { Obstacle } from './refusal-obstacle.ts';

/** The order in which a funnel asks: what is settled by names first, what changes daily last. */
const ranks: Readonly<Record<Constraint, number>> = {
  'pool-requirements': 0,
  'node-labels': 1,
  taints: 2,
  volumes: 3,
  spread: 4,
  affinity: 5,
  'anti-affinity': 6,
  size: 7,
  'host-ports': 8,
  attachments: 9,
  capacity: 10,
  limits: 11,
  'min-values': 12,
};

/** The obstacle that the funnel asks about first, of these and the other one. */
export function firstOf(
  obstacles: readonly Obstacle[],
  other: Obstacle | undefined,
): Obstacle | undefined {
  let first = other;
  for (const obstacle of obstacles)
    if (first === undefined || isEarlier(obstacle, first)) first = obstacle;
  return first;
}

/** Of two obstacles the one that the funnel asks about first. */
export function earlier(a: Obstacle | undefined, b: Obstacle | undefined): Obstacle | undefined {
  if (a === undefined) return b;
  return b === undefined || isEarlier(a, b) ? a : b;
}

/** Whether the funnel asks about `a` strictly before `b`. */
export function isEarlier(a: Obstacle, b: Obstacle): boolean {
  const gap = rankOf(a) - rankOf(b);
  return gap < 0 || (gap === 0 && a.key < b.key);
}

/** Orders obstacles as the funnel asks; obstacles of one step are equal. */
export function byStep(a: Obstacle, b: Obstacle): number {
  return rankOf(a) - rankOf(b) || compareText(a.key, b.key);
}

function rankOf({ constraint }: Obstacle): number {
  return ranks[constraint];
}
