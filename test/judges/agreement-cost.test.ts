import { beforeAll, describe, expect, test } from 'vitest';
import { lowerBound } from '../../bench/bound/lower-bound.ts';
import type { Question } from '../../bench/cluster/decode.ts';
import type { Plan } from '../../src/core/scheduling/plan.ts';
import { solve } from '../../src/core/scheduling/solve.ts';
import { validatePlan } from '../validator/validate-plan.ts';
import {
  type AnchorAnswer,
  askAnchor,
  ec2Types,
  pendingFamilies,
  questionFor,
  scenarioFor,
} from './agreement-cases.ts';

/** Five hundred pods of every family, with the whole EC2 catalogue, answered by both engines. */
interface Pair {
  readonly family: string;
  readonly question: Question;
  readonly plan: Plan;
  readonly theirs: AnchorAnswer;
}

const types = ec2Types();
const ask = (family: string, pods: number, seed = 1): Question =>
  questionFor(scenarioFor({ family, pods, seed }, types), types);
const costOf = (plan: Plan): number =>
  plan.newNodes.reduce((sum, node) => sum + node.cheapest.priceUsdPerHour, 0);

let pairs: readonly Pair[] = [];

beforeAll(async () => {
  const lists = pendingFamilies.map((family) => scenarioFor({ family, pods: 500, seed: 1 }, types));
  const answers = await askAnchor(lists, types);
  pairs = pendingFamilies.flatMap((family, index) => {
    const question = ask(family, 500);
    const theirs = answers[index];
    if (theirs === undefined) return [];
    return [{ family, question, plan: solve(question.snapshot, question.pods), theirs }];
  });
}, 1_800_000);

describe.each(pendingFamilies)('500 pods of %s', (family) => {
  const own = (): Pair => {
    const pair = pairs.find((one) => one.family === family);
    if (pair === undefined) throw new Error(`${family} was not answered`);
    return pair;
  };

  test('have a plan in which the validator finds no fault', () => {
    const { question, plan } = own();
    expect(validatePlan(question.snapshot, question.pods, plan).slice(0, 5)).toEqual([]);
  });

  test('are refused only where the original refuses them', () => {
    const { plan, theirs } = own();
    const names = plan.unplaced.map(({ pod }) => `${pod.namespace}/${pod.name}`);
    expect(names.filter((name) => theirs.unschedulable[name] === undefined)).toEqual([]);
  });

  test('cost no more than with the original, and no less than the bound', async () => {
    const { question, plan, theirs } = own();
    expect(costOf(plan)).toBeLessThanOrEqual(theirs.cost_per_hour + 1e-9);
    const placed = plan.newNodes.flatMap((node) => node.pods);
    const bound = await lowerBound(question.snapshot, placed);
    expect(costOf(plan)).toBeGreaterThanOrEqual(bound * (1 - 1e-6));
  });

  test('do not stand on one node by more than a tenth', () => {
    const { plan } = own();
    const placed = plan.newNodes.reduce((sum, node) => sum + node.pods.length, 0);
    const fullest = Math.max(...plan.newNodes.map((node) => node.pods.length));
    expect(fullest).toBeLessThanOrEqual(placed / 10);
  });
});

describe('the cost', () => {
  const timesTheirs = (family: string): number => {
    const pair = pairs.find((one) => one.family === family);
    return pair === undefined ? Number.NaN : costOf(pair.plan) / pair.theirs.cost_per_hour;
  };

  test('of web is at most 0.3 times that of the original', () => {
    expect(timesTheirs('web')).toBeLessThanOrEqual(0.3);
  });

  test('is at most 0.7 times that of the original in the mean over the families', () => {
    const all = pendingFamilies.map(timesTheirs);
    expect(all.reduce((sum, times) => sum + times, 0) / all.length).toBeLessThanOrEqual(0.7);
  });

  test.each([
    { family: 'web', seed: 1, times: 1.1 },
    { family: 'web', seed: 2, times: 1.1 },
    { family: 'web', seed: 3, times: 1.1 },
    { family: 'web', seed: 7, times: 1.1 },
    { family: 'web', seed: 8, times: 1.1 },
    // With one cap on pods per node it comes to 1.2.
    { family: 'web', seed: 16, times: 1.1 },
    { family: 'identical', seed: 1, times: 1.05 },
  ])(
    'of 2,000 pods of $family, seed $seed, is at most $times times the lower bound',
    async (one) => {
      const { snapshot, pods } = ask(one.family, 2_000, one.seed);
      const plan = solve(snapshot, pods);
      expect(plan.unplaced).toEqual([]);
      expect(costOf(plan) / (await lowerBound(snapshot, pods))).toBeLessThanOrEqual(one.times);
    },
  );
});
