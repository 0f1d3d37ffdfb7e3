import type { PreferencePolicy } from './assigning/ladder.ts';
import { type MinValuesPolicy, mostTypes } from './ordering/order.ts';

export interface SolveSettings {
  /** How many instance types an order may name at most; 60 where not given. */
  readonly mostInstanceTypes?: number | undefined;
  /** Whether what pods would merely like is honoured as long as it can be; it is by default. */
  readonly preferencePolicy?: PreferencePolicy | undefined;
  /** Whether `minValues` of a pool must hold, or as much of it as can be had. */
  readonly minValuesPolicy?: MinValuesPolicy | undefined;
  /**
   * What the loss of a node is held to cost: this much of its price, times its share of the
   * plan's pods. 0 buys by price alone; larger numbers buy smaller machines. 0.2 by default.
   */
  readonly caution?: number | undefined;
}

export type Settings = {
  readonly [Key in keyof SolveSettings]-?: Exclude<SolveSettings[Key], undefined>;
};

export function settingsOf(given: SolveSettings): Settings {
  return {
    mostInstanceTypes: given.mostInstanceTypes ?? mostTypes,
    preferencePolicy: given.preferencePolicy ?? 'Respect',
    minValuesPolicy: given.minValuesPolicy ?? 'Strict',
    caution: given.caution ?? usualCaution,
  };
}

export const usualCaution = 0.2;

/** Batches so small that they are solved in every way, and planned by price alone. */
export const smallBatch = 64;
/** Batches that are solved with as few nodes as can be as well, which the original always does. */
export const mediumBatch = 1_000;
/** The same where that may well be cheaper, or is quickly tried. */
export const fairlyLargeBatch = 4_000;
/** Pods of so few kinds are quickly placed one by one. */
export const fewKinds = 8;
/** In large batches nothing more is tried once a plan in few nodes costs so many times as much. */
export const farDearer = 1.2;
