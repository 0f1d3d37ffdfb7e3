import { isOfOffering } from '../market/admission.ts';
import type { Aftermath, Company } from './refusal-aftermath.ts';
import type { Grid } from './refusal-grid.ts';
import { outletValue } from './refusal-labels.ts';
import type { Obstacle } from './refusal-obstacle.ts';
import type { Sieved } from './refusal-sieve.ts';

/** The fewest missing values of all places that the node may be bought at. */
export function missingValues(
  sieved: Sieved,
  {
    company,
    settings,
    size,
  }: {
    readonly company: Company;
    readonly settings: Aftermath['settings'];
    readonly size: 'within limits' | 'of any size';
  },
): readonly Obstacle[] {
  const { minValues } = sieved.grid.pool;
  if (minValues === undefined || settings.minValuesPolicy === 'BestEffort') return [];
  const isAny = size === 'of any size';
  const pinned = company.ties.pinned.filter(isOfOffering);
  const lists = settledPlaces(sieved.grid, pinned).map((isThere) => {
    const holders = holdersIn(sieved, 'freely', isThere).filter(
      (index) => isAny || sieved.types[index]?.length === 0,
    );
    return [...minValues].flatMap(([key, least]) => missingOf(sieved, holders, { key, least }));
  });
  return lists.reduce((a, b) => (b.length < a.length ? b : a), lists[0] ?? []);
}

function missingOf(
  { grid }: Sieved,
  holders: readonly number[],
  { key, least }: { readonly key: string; readonly least: number },
): readonly Obstacle[] {
  const values = new Set(
    holders.flatMap((index) => {
      const set = grid.types[index]?.type.requirements.get(key);
      return set?.kind === 'only' ? [...set.values] : [];
    }),
  );
  if (values.size >= least) return [];
  return [{ constraint: 'min-values', key, asked: least, has: values.size }];
}

/** One test of outlets for each choice of values for the labels that must be settled. */
function settledPlaces(
  { outlets }: Grid,
  keys: readonly string[],
): readonly ((outlet: number) => boolean)[] {
  if (keys.length === 0) return [() => true];
  const texts = outlets.map(({ offering }) =>
    keys.map((key) => outletValue(offering, key)).join(' '),
  );
  return [...new Set(texts)].map((text) => (outlet) => texts[outlet] === text);
}

type HowSold = 'reserved' | 'freely';

/** Types, by their place in the grid, that could be bought for the pod but for limits. */
function holdersIn(
  { grid, whole, types, outlets }: Sieved,
  how: HowSold,
  isThere: (outlet: number) => boolean = () => true,
): readonly number[] {
  if (whole.length > 0) return [];
  const holders: number[] = [];
  grid.types.forEach(({ type, outlets: sold, isAvailable }, index) => {
    const obstacles = types[index] ?? [];
    if (!obstacles.every(({ constraint }) => constraint === 'limits')) return;
    const isSold = sold.some((outlet, place) => {
      if (isAvailable[place] !== 1 || outlets[outlet]?.length !== 0 || !isThere(outlet))
        return false;
      const isReserved = type.offerings[place]?.reservation !== undefined;
      return isReserved === (how === 'reserved');
    });
    if (isSold) holders.push(index);
  });
  return holders;
}

/**
 * Whether an order for the pod can be made for certain. What is reserved is not counted on: others
 * may take it first.
 */
export function isSure(sieved: Sieved): boolean {
  return holdersIn(sieved, 'freely').some((index) => sieved.types[index]?.length === 0);
}
