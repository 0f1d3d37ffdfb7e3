import type { Bin } from './bin.ts';
import type { Draft, Drafting } from './drafting.ts';

/** So many plans are drawn, and fewer where each takes much effort. */
const usualPlans = 40;
const mostEffort = 120_000;
/** How far a worth moves towards what was paid. */
const pace = 0.4;

/** Who draws plans, takes their pods and gives them back. */
export type Drawing = Pick<Drafting, 'draw' | 'take' | 'takeBack' | 'costOf' | 'effort'>;

/**
 * Draws plan after plan, each time with what pods are worth corrected by what was paid for them
 * in the last one, and returns the cheapest. Pods that fitted into room left by others turn out
 * to be cheap, those for which a machine had to be bought to turn out dear; so the next plan looks
 * after the dear ones while there are still others to fill up with.
 */
export function* bargain(
  drafting: Drawing,
  mostPlans = usualPlans,
): Generator<void, readonly Draft[]> {
  let best = yield* drafting.draw();
  let [last, cost, pods] = [best, drafting.costOf(best), podsIn(best)];
  const each = drafting.effort;
  for (let plan = 1; plan < mostPlans && drafting.effort + each < mostEffort; plan++) {
    for (const draft of last) drafting.takeBack(draft);
    correct(last);
    last = yield* drafting.draw();
    const now = drafting.costOf(last);
    const placed = podsIn(last);
    if (placed < pods || (placed === pods && now >= cost)) continue;
    [best, cost, pods] = [last, now, placed];
  }
  if (last === best) return best;
  for (const draft of last) drafting.takeBack(draft);
  for (const draft of best) drafting.take(draft);
  return best;
}

/** How many pods have a place in the plan. */
export function podsIn(drafts: readonly Draft[]): number {
  return drafts.reduce((sum, { load, times }) => sum + load.pods * times, 0);
}

/** Moves the worth of pods towards their part of the price of the machines they are on. */
function correct(drafts: readonly Draft[]): void {
  const paid = new Map<Bin, { times: number; pods: number }>();
  for (const { load, good, times } of drafts) {
    const ratio = within(good.priceUsdPerHour / worthOf(load.parts));
    for (const { bin, pods } of load.parts) {
      const sum = paid.get(bin) ?? { times: 0, pods: 0 };
      paid.set(bin, sum);
      sum.times += ratio * pods * times;
      sum.pods += pods * times;
    }
  }
  for (const [bin, { times, pods }] of paid) bin.worthUsdPerHour *= (times / pods) ** pace;
}

/** What is paid for already must not make a worth vanish. */
function within(ratio: number): number {
  return Math.min(4, Math.max(0.25, ratio));
}

function worthOf(parts: Draft['load']['parts']): number {
  let sum = 0;
  for (const { bin, pods } of parts) sum += pods * bin.worthUsdPerHour;
  return sum;
}
