import type { Clock } from '../../../ports/clock.ts';
import { Refreshed } from '../calls/refreshed.ts';
import { type AwsContext, hourMs } from '../context.ts';
import { fallbackData } from './fallback-data.ts';
import { readOnDemandPrices, readSpotPrices } from './live-prices.ts';

/** Prices as last heard. Other prices are another object; the same prices are the same one. */
export interface Prices {
  /** USD per hour; undefined where none is known. */
  onDemand(instanceType: string): number | undefined;
  /** Before the first spot answer the on-demand price; after it, that of the very zone or none. */
  spot(instanceType: string, zone: string): number | undefined;
}

type PriceTable = ReadonlyMap<string, number>;

/** How long the first question waits for live prices. A launch must not wait for a dead network. */
const firstAnswerMs = 10_000;

/**
 * Prices from the Pricing API and the spot history, read anew every twelve hours. Until the first
 * answer, and where there is none, on-demand prices come from the table that ships with us. Never
 * rejects: what fails is logged and tried again.
 */
export function createPricing(context: AwsContext): () => Promise<Prices> {
  const onDemand = onDemandPrices(context);
  const spot = liveTable(context, 'spot prices', () => readSpotPrices(context));
  let latest: { readonly from: readonly unknown[]; readonly prices: Prices } | undefined;

  return async () => {
    const from = await Promise.all([onDemand(), spot()]);
    if (latest === undefined || latest.from[0] !== from[0] || latest.from[1] !== from[1])
      latest = { from, prices: pricesOf(...from) };
    return latest.prices;
  };
}

function pricesOf(onDemand: PriceTable, spot: PriceTable | undefined): Prices {
  return {
    onDemand: (type) => onDemand.get(type),
    spot: (type, zone) => (spot === undefined ? onDemand.get(type) : spot.get(`${type}/${zone}`)),
  };
}

/** Live prices over those of the table: what the live list does not name keeps its last price. */
function onDemandPrices(context: AwsContext): () => Promise<PriceTable> {
  const { region, isIsolatedVpc } = context.settings;
  const table = (): PriceTable => fallbackData().onDemand(region);
  // GovCloud has no Pricing API, and from an isolated VPC it cannot be reached.
  if (isIsolatedVpc === true || region.startsWith('us-gov')) {
    const told = once(() => tellTable(context, 'the Pricing API is not asked here'));
    return async () => {
      told();
      return table();
    };
  }
  const told = once(() => tellTable(context, 'the Pricing API has not answered yet'));
  let merged: PriceTable | undefined;
  const live = liveTable(context, 'on-demand prices', async () => {
    merged = new Map([...(merged ?? table()), ...(await readOnDemandPrices(context))]);
    return merged;
  });
  return async () => {
    const prices = await live();
    if (prices === undefined) told();
    return prices ?? table();
  };
}

function tellTable(context: AwsContext, why: string): void {
  const { region } = context.settings;
  const { asOf, hasRegion } = fallbackData();
  context.log.info('using the on-demand prices that ship with Karpenter', {
    why,
    asOf,
    pricesOf: hasRegion(region) ? region : 'us-east-1',
  });
}

/**
 * The last table that was read; undefined while there has been none. Only the first callers wait,
 * and not for long. A table like the one before is the one before.
 */
function liveTable(
  context: AwsContext,
  what: string,
  read: () => Promise<PriceTable>,
): () => Promise<PriceTable | undefined> {
  const { clock, log } = context;
  let known: PriceTable | undefined;
  const refreshed = new Refreshed<PriceTable>({
    ...{ clock, log, what, everyMs: 12 * hourMs },
    load: async () => {
      const found = await read();
      const changes = countChanges(known, found);
      if (known !== undefined && changes > 0) log.info('prices have changed', { what, changes });
      if (known === undefined || changes > 0) known = found;
      return known;
    },
  });
  const first = once(() => firstAnswer(clock, refreshed.get()));
  return async () => {
    if (known === undefined) await first();
    // Refreshed logs what fails, and asks again by itself later.
    refreshed.get().catch(() => undefined);
    return known;
  };
}

/** Resolves with the answer, with its failure, or when patience ends; whichever is first. */
function firstAnswer(clock: Clock, answer: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.schedule(firstAnswerMs, resolve);
    const end = (): void => {
      cancel();
      resolve();
    };
    answer.then(end, end);
  });
}

function countChanges(before: PriceTable | undefined, after: PriceTable): number {
  let changes = 0;
  for (const [key, price] of after) if (before?.get(key) !== price) changes++;
  for (const key of before?.keys() ?? []) if (!after.has(key)) changes++;
  return changes;
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
