import type { Pod } from '../../cluster/pod.ts';
import type { Pool } from '../../cluster/snapshot.ts';
import type { Change } from '../../explain/reason.ts';
import type { Inquiry } from './refusal-inquiry.ts';

interface Remedied {
  readonly changes: readonly Change[];
  /** Everything that was looked at. */
  readonly pools: readonly Pool[];
}

/** What amounts are told in: whole cores and gibibytes of limits, fine parts of requests. */
export function limitStep(resource: string): number {
  return resource === 'cpu' ? 1000 : resource === 'memory' ? 2 ** 30 : 1;
}

const requestSteps: Readonly<Record<string, number>> = {
  cpu: 10,
  memory: 2 ** 20,
  'ephemeral-storage': 2 ** 20,
};

/** Undefined for what cannot be asked for in parts. */
export function requestStep(resource: string): number | undefined {
  return requestSteps[resource];
}

/**
 * Changes that help together, less what they help without: one of two, and steps of amounts. They
 * were made for one machine or node that comes close; elsewhere less of them may do.
 */
export function* paring(
  pod: Pod,
  { changes, pools }: Remedied,
  inquiry: Inquiry,
): Generator<void, readonly Change[]> {
  const helps = (fewer: readonly Change[]) => inquiry.tryingAnywhere(pod, fewer, pools);
  let pared = changes;
  for (const change of changes) {
    const others = pared.filter((one) => one !== change);
    if (others.length > 0 && (yield* helps(others))) pared = others;
    yield;
  }
  for (const [index, change] of pared.entries())
    for (const ladder of laddersOf(change))
      pared = yield* lowest(ladder, { changes: pared, index }, helps);
  return pared;
}

/** One amount of a change: so many steps at most, of which as few as will do are kept. */
interface Ladder {
  readonly most: number;
  with(change: Change, steps: number): Change;
}

/** The changes with the lowest rung of the ladder that still helps; mostly it is the highest. */
function* lowest(
  ladder: Ladder,
  { changes, index }: { readonly changes: readonly Change[]; readonly index: number },
  helps: (changes: readonly Change[]) => Generator<void, boolean>,
): Generator<void, readonly Change[]> {
  const at = (steps: number): readonly Change[] =>
    changes.map((change, place) => (place === index ? ladder.with(change, steps) : change));
  let enough = ladder.most;
  let tooFew = 0;
  let probe = enough - 1;
  while (enough - tooFew > 1) {
    if (yield* helps(at(probe))) enough = probe;
    else tooFew = probe;
    probe = (enough + tooFew) >> 1;
    yield;
  }
  return enough === ladder.most ? changes : at(enough);
}

function laddersOf(change: Change): readonly Ladder[] {
  switch (change.kind) {
    case 'raise-limit':
      return change.limits.map(({ resource, from, to }) => {
        const step = limitStep(resource);
        return {
          most: Math.ceil((to - from) / step),
          with: (one, steps) => withLimit(one, resource, from + steps * step),
        };
      });
    case 'lower-request': {
      const { from, to, resource } = change;
      const step = requestStep(resource) ?? 1;
      const most = Math.ceil((from - to) / step);
      // Counted from where it ends, so that what is told stays a round number.
      return [
        { most, with: (one, steps) => ({ ...one, to: to + (most - steps) * step }) as Change },
      ];
    }
    case 'raise-skew':
      return [
        {
          most: change.to - change.from,
          with: (one, steps) => ({ ...one, to: change.from + steps }) as Change,
        },
      ];
    case 'lower-min-values':
      return [
        {
          most: change.from - change.to,
          with: (one, steps) => ({ ...one, to: change.from - steps }) as Change,
        },
      ];
    default:
      return [];
  }
}

function withLimit(change: Change, resource: string, to: number): Change {
  if (change.kind !== 'raise-limit') return change;
  const limits = change.limits.map((one) => (one.resource === resource ? { ...one, to } : one));
  return { ...change, limits };
}
