import { beforeAll, describe, expect, test } from 'vitest';
import type { Plan } from '../../src/core/scheduling/plan.ts';
import { solve } from '../../src/core/scheduling/solve.ts';
import { validatePlan } from '../validator/validate-plan.ts';
import {
  type AnchorAnswer,
  askAnchor,
  type Catalogue,
  fewEc2Types,
  kwokTypes,
  pendingFamilies,
  questionFor,
  type Sample,
  scenarioFor,
} from './agreement-cases.ts';

/** A scenario with our answer and what the original said, every time that it was asked. */
interface Verdict {
  readonly sample: Sample;
  readonly faults: readonly string[];
  /** The pods that are refused, and what the others cost. */
  readonly ours: Outcome;
  readonly theirs: readonly Outcome[];
}

interface Outcome {
  readonly refused: ReadonlySet<string>;
  readonly cost: number;
}

/** Fewer for a first look: SEEDS=30 npm run test:judges -- agreement */
const seeds = Number(process.env.SEEDS ?? 300);

/**
 * The original answers by chance, so that the next answer to the same question may be cheaper.
 * ASKS=10 asks it ten times, and ours must be no dearer than the least.
 */
const asks = Number(process.env.ASKS ?? 1);

/** Two thirds of the seeds with the original's own types, one third with some of EC2's. */
const parts: readonly {
  readonly name: string;
  readonly types: Catalogue;
  readonly seeds: number[];
}[] = [
  { name: 'kwok', types: kwokTypes(), seeds: range(1, (seeds * 2) / 3) },
  { name: 'EC2', types: fewEc2Types(), seeds: range((seeds * 2) / 3 + 1, seeds) },
];

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

const samplesOf = (own: readonly number[]): readonly Sample[] =>
  own.flatMap((seed) =>
    pendingFamilies.map((family) => ({ family, seed, pods: 20 + ((seed * 7) % 41) })),
  );

const verdicts: Verdict[] = [];

beforeAll(async () => {
  await Promise.all(
    parts.map(async ({ types, seeds: own }) => {
      const samples = samplesOf(own);
      const answers = askAnchor(
        samples.flatMap((sample) => Array(asks).fill(scenarioFor(sample, types))),
        types,
      );
      verdicts.push(...(await judged(samples, types, answers)));
    }),
  );
}, 1_800_000);

async function judged(
  samples: readonly Sample[],
  types: Catalogue,
  answers: Promise<readonly AnchorAnswer[]>,
): Promise<readonly Verdict[]> {
  const own = samples.map((sample) => {
    const { snapshot, pods } = questionFor(scenarioFor(sample, types), types);
    const plan = solve(snapshot, pods);
    return { plan, faults: validatePlan(snapshot, pods, plan) };
  });
  const theirs = await answers;
  return samples.flatMap((sample, index) => {
    const [mine, answers] = [own[index], theirs.slice(index * asks, (index + 1) * asks)];
    const isAnswered = mine !== undefined && answers.length === asks;
    return isAnswered ? [verdictOf(sample, mine, answers)] : [];
  });
}

function verdictOf(
  sample: Sample,
  { plan, faults }: { readonly plan: Plan; readonly faults: readonly string[] },
  answers: readonly AnchorAnswer[],
): Verdict {
  return {
    sample,
    faults,
    ours: {
      refused: new Set(plan.unplaced.map(({ pod }) => `${pod.namespace}/${pod.name}`)),
      cost: plan.newNodes.reduce((sum, node) => sum + node.cheapest.priceUsdPerHour, 0),
    },
    theirs: answers.map(({ unschedulable, cost_per_hour }) => ({
      refused: new Set(Object.keys(unschedulable)),
      cost: cost_per_hour,
    })),
  };
}

/** Pods without a place that they have in some answer of the original. */
function missed({ ours, theirs }: Verdict): readonly string[] {
  return [...ours.refused].filter((pod) => theirs.some(({ refused }) => !refused.has(pod)));
}

/** The least that the original said for all pods that have a place here, and maybe more. */
function leastOfTheirs({ ours, theirs }: Verdict): number {
  const forAll = theirs.filter(({ refused }) => [...refused].every((pod) => ours.refused.has(pod)));
  return Math.min(...forAll.map(({ cost }) => cost));
}

const nameOf = ({ sample }: Verdict): string =>
  `${sample.family} --pods ${sample.pods} --seed ${sample.seed}`;

describe.each(pendingFamilies)('%s', (family) => {
  const own = (): readonly Verdict[] => verdicts.filter(({ sample }) => sample.family === family);

  test('is asked about with every seed', () => {
    expect(own()).toHaveLength(seeds);
  });

  test('has plans in which the validator finds no fault', () => {
    const faulty = own().filter(({ faults }) => faults.length > 0);
    expect(faulty.map((one) => [nameOf(one), one.faults.slice(0, 3)])).toEqual([]);
  });

  test('has no pod refused that the original places', () => {
    const worse = own().filter((one) => missed(one).length > 0);
    expect(worse.map((one) => [nameOf(one), missed(one)])).toEqual([]);
  });

  test('is never dearer than with the original for the same pods', () => {
    const dearer = own().filter((one) => one.ours.cost > leastOfTheirs(one) + 1e-9);
    const told = dearer.map(
      (one) => `${nameOf(one)}: ${one.ours.cost} against ${leastOfTheirs(one)}`,
    );
    expect(told).toEqual([]);
  });
});
