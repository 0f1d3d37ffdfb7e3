import { bargain, type Drawing, podsIn } from './bargaining.ts';
import { leastSaving } from './crowding.ts';
import type { Draft } from './drafting.ts';

export interface Loosening {
  /** Who draws plans in which no node holds more pods than that. */
  readonly drawingWith: (mostPods: number) => Generator<void, Drawing>;
  readonly mostPods: number;
  /** How many they may be where that is clearly cheaper; no more than usual for never. */
  readonly looserMost: number;
  readonly caution: number;
}

/** Worths have settled by then: what a looser cap saves shows in the first few plans. */
const looserPlans = 6;

/**
 * The cheapest plan with the usual cap on pods per node, or one with a looser cap where that
 * saves more than fuller nodes are held to be worth. The plan's pods are taken off the queues.
 */
export function* bargainLoosely(loosening: Loosening): Generator<void, readonly Draft[]> {
  const { drawingWith, mostPods, looserMost, caution } = loosening;
  const drawing = yield* drawingWith(mostPods);
  yield;
  const usual = yield* bargain(drawing);
  if (looserMost <= mostPods) return usual;
  for (const draft of usual) drawing.takeBack(draft);
  const other = yield* drawingWith(looserMost);
  yield;
  const loose = yield* bargain(other, looserPlans);
  const fuller = Math.max(0, fullestOf(loose) / Math.max(1, fullestOf(usual)) - 1);
  const most = priceOf(usual) * (1 - leastSaving(caution) * fuller);
  const isBetter = podsIn(loose) >= podsIn(usual) && priceOf(loose) < most - 1e-9;
  if (isBetter) return loose;
  for (const draft of loose) other.takeBack(draft);
  for (const draft of usual) drawing.take(draft);
  return usual;
}

function fullestOf(drafts: readonly Draft[]): number {
  return drafts.reduce((most, { load }) => Math.max(most, load.pods), 0);
}

function priceOf(drafts: readonly Draft[]): number {
  return drafts.reduce((sum, { good, times }) => sum + times * good.priceUsdPerHour, 0);
}
