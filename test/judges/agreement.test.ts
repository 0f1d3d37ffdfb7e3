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

/** A scenario with both answers. */
interface Verdict {
  readonly sample: Sample;
  readonly faults: readonly string[];
  readonly ours: ReadonlySet<string>;
  readonly theirs: ReadonlySet<string>;
  readonly ourCost: number;
  readonly theirCost: number;
}

/** Fewer for a first look: SEEDS=30 npm run test:judges -- agreement */
const seeds = Number(process.env.SEEDS ?? 300);

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
        samples.map((sample) => scenarioFor(sample, types)),
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
    const [mine, answer] = [own[index], theirs[index]];
    return mine === undefined || answer === undefined ? [] : [verdictOf(sample, mine, answer)];
  });
}

function verdictOf(
  sample: Sample,
  { plan, faults }: { readonly plan: Plan; readonly faults: readonly string[] },
  answer: AnchorAnswer,
): Verdict {
  return {
    sample,
    faults,
    ours: new Set(plan.unplaced.map(({ pod }) => `${pod.namespace}/${pod.name}`)),
    theirs: new Set(Object.keys(answer.unschedulable)),
    ourCost: plan.newNodes.reduce((sum, node) => sum + node.cheapest.priceUsdPerHour, 0),
    theirCost: answer.cost_per_hour,
  };
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
    const worse = own().filter(({ ours, theirs }) => [...ours].some((pod) => !theirs.has(pod)));
    expect(
      worse.map((one) => [nameOf(one), [...one.ours].filter((pod) => !one.theirs.has(pod))]),
    ).toEqual([]);
  });

  test('is never dearer than with the original for the same pods', () => {
    const dearer = own()
      .filter(({ ours, theirs }) => [...theirs].every((pod) => ours.has(pod)))
      .filter(({ ourCost, theirCost }) => ourCost > theirCost + 1e-9);
    const told = dearer.map((one) => `${nameOf(one)}: ${one.ourCost} against ${one.theirCost}`);
    expect(told).toEqual([]);
  });
});
