import { beforeAll, expect, test } from 'vitest';
import { solve } from '../../src/core/scheduling/solve.ts';
import { validatePlan } from '../validator/validate-plan.ts';
import {
  askAnchor,
  type Catalogue,
  everyEc2Type,
  kwokTypes,
  pendingFamilies,
  questionFor,
  type Sample,
  scenarioFor,
} from './agreement-cases.ts';

/** Batches of up to some thousand pods where there is little to choose from, answered by both engines. */
interface Part {
  readonly name: string;
  readonly types: Catalogue;
  readonly samples: readonly Sample[];
}

const manyOf = (families: readonly string[], sizes: readonly number[]): readonly Sample[] =>
  families.flatMap((family) =>
    sizes.flatMap((pods) => [1, 2].map((seed) => ({ family, pods: pods + seed, seed }))),
  );

const parts: readonly Part[] = [
  {
    name: 'every twentieth type',
    types: everyEc2Type(20, 7),
    samples: manyOf(pendingFamilies, [100, 220, 300]),
  },
  {
    name: 'every tenth type',
    types: everyEc2Type(10, 8),
    samples: manyOf(['stateful'], [100, 160, 218, 220, 300]),
  },
  {
    name: 'every tenth type, other ones',
    types: everyEc2Type(10, 0),
    samples: [{ family: 'stateful', pods: 1_703, seed: 31 }],
  },
  {
    // Here every plan costs the same, ours and the original's, so that nothing is left for safety.
    name: 'types of one price for a core',
    types: kwokTypes(),
    samples: [
      ...[206, 426, 706].map((pods) => ({ family: 'anti-affinity', pods, seed: 13 })),
      { family: 'anti-affinity', pods: 72, seed: 2 },
      { family: 'identical', pods: 1_201, seed: 1 },
      { family: 'identical', pods: 2_001, seed: 1 },
    ],
  },
];

const faulty: string[] = [];
const dearer: string[] = [];

beforeAll(async () => {
  for (const part of parts) await judge(part);
}, 1_800_000);

async function judge({ name, types, samples }: Part): Promise<void> {
  const lists = samples.map((sample) => scenarioFor(sample, types));
  const answers = await askAnchor(lists, types);
  for (const [index, list] of lists.entries()) {
    const sample = samples[index];
    const text = `${sample?.family} --pods ${sample?.pods} --seed ${sample?.seed}, ${name}`;
    const { snapshot, pods } = questionFor(list, types);
    const plan = solve(snapshot, pods);
    for (const fault of validatePlan(snapshot, pods, plan).slice(0, 3))
      faulty.push(`${text}: ${fault}`);
    const cost = plan.newNodes.reduce((sum, node) => sum + node.cheapest.priceUsdPerHour, 0);
    const { cost_per_hour: theirs, unschedulable } = answers[index] ?? notAnswered(text);
    if (plan.unplaced.length === Object.keys(unschedulable).length && cost > theirs + 1e-9)
      dearer.push(`${text}: ${cost} against ${theirs}`);
  }
}

function notAnswered(text: string): never {
  throw new Error(`${text} was not answered`);
}

test('plans from few types have no fault', () => {
  expect(faulty).toEqual([]);
});

test('plans from few types are never dearer than with the original', () => {
  expect(dearer).toEqual([]);
});
