/** What the allocation strategies look at. */
export interface Choice {
  /** Position in the request; decides between equals. */
  readonly position: number;
  /** Undefined prices come last. */
  readonly priceUsdPerHour: number | undefined;
  /** The lower the sooner; undefined comes last. */
  readonly priority: number | undefined;
  /** 0 (hardly ever taken back) to 4; undefined counts as the middle. */
  readonly interruptionBand: number | undefined;
}

export type AllocationStrategy =
  | 'lowest-price'
  | 'prioritized'
  | 'price-capacity-optimized'
  | 'capacity-optimized'
  | 'capacity-optimized-prioritized';

const strategies: ReadonlySet<string> = new Set([
  'lowest-price',
  'prioritized',
  'price-capacity-optimized',
  'capacity-optimized',
  'capacity-optimized-prioritized',
]);

/** The strategy under any of AWS's spellings (`lowestPrice` too), or undefined. */
export function strategyNamed(name: string): AllocationStrategy | undefined {
  const dashed = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return strategies.has(dashed) ? (dashed as AllocationStrategy) : undefined;
}

/** The order in which a fleet tries its choices. Depends on the arguments alone. */
export function ranked<T extends Choice>(
  choices: readonly T[],
  strategy: AllocationStrategy,
): readonly T[] {
  const order = orders[strategy];
  return choices.toSorted((a, b) => {
    for (const score of order) {
      const difference = score(a) - score(b);
      if (difference !== 0 && !Number.isNaN(difference)) return difference;
    }
    return a.position - b.position;
  });
}

type Score = (choice: Choice) => number;

const price: Score = (choice) => choice.priceUsdPerHour ?? Number.MAX_VALUE;
const priority: Score = (choice) => choice.priority ?? Number.MAX_VALUE;
const band: Score = (choice) => choice.interruptionBand ?? 2;

/** How much dearer a pool may be for each step of the band that it is calmer. */
const worthOfCalm = 0.1;
const priceAndCapacity: Score = (choice) => price(choice) * (1 + worthOfCalm * band(choice));

/**
 * AWS does not publish how deep its spot pools are; the public interruption band stands in for it.
 * `capacity-optimized-prioritized` follows the priorities among pools that are equally deep, which
 * here means of the same half of the scale.
 */
const orders: Readonly<Record<AllocationStrategy, readonly Score[]>> = {
  'lowest-price': [price],
  prioritized: [priority],
  'price-capacity-optimized': [priceAndCapacity, price],
  'capacity-optimized': [band, price],
  'capacity-optimized-prioritized': [(choice) => (band(choice) > 2 ? 1 : 0), priority, band],
};
