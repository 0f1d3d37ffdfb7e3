import type { Offering } from '../../catalog/instance-type.ts';
import { valuesWithin } from '../../requirements/value-set.ts';
import { compareText } from '../../text-order.ts';
import { isOfOffering, offeringValue } from '../market/admission.ts';
import type { Aftermath, Company } from './refusal-aftermath.ts';
import type { Grid } from './refusal-grid.ts';
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
    return [...minValues].flatMap(([key, least]) =>
      missingOf(sieved, holders, { key, least, isThere }),
    );
  });
  return lists.reduce((a, b) => (byLack(b, a) < 0 ? b : a), lists[0] ?? []);
}

/** By how many keys lack values, by how many values, then by name: never by the order of sale. */
function byLack(a: readonly Obstacle[], b: readonly Obstacle[]): number {
  return a.length - b.length || lackOf(a) - lackOf(b) || compareText(keysOf(a), keysOf(b));
}

function lackOf(missing: readonly Obstacle[]): number {
  return missing.reduce((sum, { asked = 0, has = 0 }) => sum + asked - has, 0);
}

function keysOf(missing: readonly Obstacle[]): string {
  return missing.map(({ key, has }) => `${key} ${has}`).join();
}

function missingOf(
  sieved: Sieved,
  holders: readonly number[],
  {
    key,
    least,
    isThere,
  }: {
    readonly key: string;
    readonly least: number;
    readonly isThere: (outlet: number) => boolean;
  },
): readonly Obstacle[] {
  const valuesOf = (index: number): readonly (string | undefined)[] =>
    isOfOffering(key)
      ? soldAs(sieved, { index, how: 'freely', isThere }).map((one) => offeringValue(one, key))
      : typeValues(sieved, index, key);
  const values = new Set(holders.flatMap(valuesOf));
  values.delete(undefined);
  if (values.size >= least) return [];
  return [{ constraint: 'min-values', key, asked: least, has: values.size }];
}

/** The values of a label that the type has and that pool and pod allow. */
function typeValues({ grid, reading }: Sieved, index: number, key: string): readonly string[] {
  const own = grid.types[index]?.type.requirements.get(key);
  return valuesWithin(own, grid.pool.requirements.get(key), reading.wanted.get(key));
}

/** One test of outlets for each choice of values for the labels that must be settled. */
function settledPlaces(
  { outlets }: Grid,
  keys: readonly string[],
): readonly ((outlet: number) => boolean)[] {
  if (keys.length === 0) return [() => true];
  const texts = outlets.map(({ offering }) =>
    keys.map((key) => offeringValue(offering, key)).join(' '),
  );
  return [...new Set(texts)].map((text) => (outlet) => texts[outlet] === text);
}

type HowSold = 'reserved' | 'freely';

/** Types, by their place in the grid, that could be bought for the pod but for limits. */
function holdersIn(
  sieved: Sieved,
  how: HowSold,
  isThere: (outlet: number) => boolean = () => true,
): readonly number[] {
  const { grid, whole, types } = sieved;
  if (whole.length > 0) return [];
  const holders: number[] = [];
  grid.types.forEach((_, index) => {
    const obstacles = types[index] ?? [];
    if (!obstacles.every(({ constraint }) => constraint === 'limits')) return;
    if (soldAs(sieved, { index, how, isThere }).length > 0) holders.push(index);
  });
  return holders;
}

/** The ways in which a type of the grid can be bought now with nothing against them. */
function soldAs(
  { grid, outlets }: Sieved,
  {
    index,
    how,
    isThere,
  }: {
    readonly index: number;
    readonly how: HowSold;
    readonly isThere: (outlet: number) => boolean;
  },
): readonly Offering[] {
  const one = grid.types[index];
  if (one === undefined) return [];
  return one.offerings.filter((offering, place) => {
    const outlet = one.outlets[place] ?? -1;
    if (one.isAvailable[place] !== 1 || outlets[outlet]?.length !== 0 || !isThere(outlet))
      return false;
    return (offering.reservation !== undefined) === (how === 'reserved');
  });
}

/**
 * Whether an order for the pod can be made for certain. What is reserved is not counted on: others
 * may take it first.
 */
export function isSure(sieved: Sieved): boolean {
  return holdersIn(sieved, 'freely').some((index) => sieved.types[index]?.length === 0);
}
