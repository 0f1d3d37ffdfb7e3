import { cheapestOf, fullestAttempts } from './attempts.ts';
import { type Given, podsIn } from './groundwork.ts';
import { leastSaving, mostExtra, prudentMost } from './packing/crowding.ts';
import { fairlyLargeBatch, farDearer, fewKinds, mediumBatch } from './settings.ts';
import { Solution } from './solution.ts';

/** The cap on pods per node is loosened by so much at a time where the usual one is too dear. */
const looser = 1.5;

/**
 * The plan with the least full nodes that costs little more than need be: no more than caution
 * pays for above one by price alone, and no more than one in as few nodes as can be, unless more
 * caution than usual is asked for. Where there is none, the cheapest.
 */
export function* safest(given: Given, prudent: Solution): Generator<void, Solution> {
  const { caution } = given.settings;
  const extra = mostExtra(caution);
  const bold = prudent.rivals.isCramped ? yield* boldly(given) : undefined;
  const isWasteful = (plan: Solution): boolean =>
    bold?.isBetterThan(plan, leastSaving(caution)) === true;
  const other = bold !== undefined && isWasteful(prudent) ? bold : prudent;
  const few = isForFewNodes(given, prudent) ? yield* inFewNodes(given, other) : undefined;
  const isTooDear = (plan: Solution): boolean =>
    isWasteful(plan) || few?.isBetterThan(plan, extra) === true;
  let taken = prudent;
  if (isTooDear(prudent)) {
    taken = cheaperOf(bold, few) ?? prudent;
    // Where only few nodes are cheaper, it is for another reason than how full they are.
    if (bold !== undefined && few !== undefined)
      taken = (yield* lessFull(given, taken.fullest, isTooDear)) ?? taken;
  }
  return few === undefined ? taken : yield* noDearerThan(few, taken, extra);
}

/** Packed by price alone, with up to so many times as many pods as usual on a node. */
function* boldly(given: Given, looseness = Infinity): Generator<void, Solution | undefined> {
  const bold = yield* Solution.find(given, 'boldly', { looseness });
  return bold.isHalfKept ? undefined : bold;
}

/** Large batches are planned in few nodes only where that may be cheaper, or is quickly done. */
function isForFewNodes(given: Given, { rivals }: Solution): boolean {
  const isWorthTrying = rivals.areFew || given.classes.length <= fewKinds;
  return podsIn(given) <= (isWorthTrying ? fairlyLargeBatch : mediumBatch);
}

/** Undefined where pods that have a place in the other plan are left without one. */
function* inFewNodes(given: Given, other: Solution): Generator<void, Solution | undefined> {
  const isLarge = podsIn(given) > mediumBatch;
  const isHopeless = (found: Solution): boolean =>
    isLarge && found.usdPerHour > other.usdPerHour * farDearer;
  const few = yield* cheapestOf(given, undefined, fullestAttempts, isHopeless);
  return few === undefined || few.compareLeft(other) > 0 ? undefined : few;
}

/** The cheaper one; of equal ones that with fewer pods on its fullest node. */
function cheaperOf(bold: Solution | undefined, few: Solution | undefined): Solution | undefined {
  if (bold === undefined || few === undefined) return bold ?? few;
  if (few.isBetterThan(bold)) return few;
  return bold.isBetterThan(few) || bold.fullest <= few.fullest ? bold : few;
}

/** The first plan that is not too dear, from tight caps on pods per node to looser ones. */
function* lessFull(
  given: Given,
  mostPods: number,
  isTooDear: (plan: Solution) => boolean,
): Generator<void, Solution | undefined> {
  const usual = prudentMost(podsIn(given));
  for (let times = looser; usual * times < mostPods; times *= looser) {
    const plan = yield* boldly(given, times);
    if (plan !== undefined && !isTooDear(plan)) return plan;
  }
  return undefined;
}

/** Safety may cost only as much as leaves a plan that is cheaper by itself no dearer than few nodes. */
function* noDearerThan(few: Solution, plan: Solution, extra: number): Generator<void, Solution> {
  const most = few.usdPerHour * (1 + extra);
  if (plan.usdPerHour <= most || !plan.isBetterThan(few)) return plan;
  const again = yield* plan.again(most);
  return again.isHalfKept ? plan : again;
}
