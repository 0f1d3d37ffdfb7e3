import { beforeAll, expect, test } from 'vitest';
import { typesFrom } from '../../bench/workloads/types.mjs';
import { generate, type ListOfObjects } from '../../bench/workloads.mjs';
import type { KubeObject } from '../../src/api/resource.ts';
import { solve } from '../../src/core/scheduling/solve.ts';
import { validatePlan } from '../validator/validate-plan.ts';
import {
  type AnchorAnswer,
  askAnchor,
  fewEc2Types,
  pendingFamilies,
  questionFor,
} from './agreement-cases.ts';

/** Pods of every family that arrive in clusters that run, answered by both engines. */
interface Arrival {
  /** The family of the cluster. */
  readonly cluster: string;
  readonly nodes: number;
  readonly family: string;
  readonly pods: number;
  readonly seed: number;
}

interface Verdict {
  readonly name: string;
  readonly faults: readonly string[];
  /** Pods without a place that have one in the original's answer. */
  readonly missed: readonly string[];
  readonly ours: number;
  readonly theirs: number;
}

/** Fewer for a first look: SEEDS=5 npm run test:judges -- running-clusters */
const seeds = Number(process.env.SEEDS ?? 40);
const types = fewEc2Types();
const knownTypes = typesFrom(types);

const arrivals: readonly Arrival[] = [
  ...numbers(seeds).flatMap((seed) =>
    arrivalsIn({ seed, nodes: 4 + (seed % 9), pods: 20 + ((seed * 7) % 41) }),
  ),
  ...arrivalsIn({ seed: 3, nodes: 43, pods: 321 }),
];

function numbers(last: number): readonly number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

function arrivalsIn(size: Pick<Arrival, 'seed' | 'nodes' | 'pods'>): readonly Arrival[] {
  return ['steady', 'fragmented'].flatMap((cluster) =>
    pendingFamilies.map((family) => ({ ...size, cluster, family })),
  );
}

/** The cluster and what waits in it; pools and classes that both bring are the cluster's. */
function listOf({ cluster, nodes, family, pods, seed }: Arrival): ListOfObjects {
  const running = generate({ family: cluster, nodes, seed, types: knownTypes });
  const arriving = generate({ family, pods, seed, types: knownTypes });
  const objects = new Map<string, KubeObject>();
  for (const object of [...running.items, ...arriving.items]) {
    const { namespace = '', name } = object.metadata;
    const key = `${object.kind}/${namespace}/${name}`;
    if (!objects.has(key)) objects.set(key, object);
  }
  return { ...running, items: [...objects.values()] };
}

function verdictOf(arrival: Arrival, answer: AnchorAnswer): Verdict {
  const { snapshot, pods } = questionFor(listOf(arrival), types);
  const plan = solve(snapshot, pods);
  const { cluster, nodes, family, seed } = arrival;
  const refused = plan.unplaced.map(({ pod }) => `${pod.namespace}/${pod.name}`);
  return {
    name: `${arrival.pods} pods of ${family} in ${cluster} with ${nodes} nodes, seed ${seed}`,
    faults: validatePlan(snapshot, pods, plan),
    missed: refused.filter((pod) => answer.unschedulable[pod] === undefined),
    ours: plan.newNodes.reduce((sum, node) => sum + node.cheapest.priceUsdPerHour, 0),
    theirs: answer.cost_per_hour,
  };
}

let verdicts: readonly Verdict[] = [];

beforeAll(async () => {
  const answers = await askAnchor(arrivals.map(listOf), types);
  verdicts = answers.flatMap((answer, index) => {
    const arrival = arrivals[index];
    return arrival === undefined ? [] : [verdictOf(arrival, answer)];
  });
}, 1_800_000);

test('every arrival is answered', () => {
  expect(verdicts).toHaveLength(arrivals.length);
});

test('the validator finds no fault', () => {
  const faulty = verdicts.filter(({ faults }) => faults.length > 0);
  expect(faulty.map(({ name, faults }) => [name, faults.slice(0, 3)])).toEqual([]);
});

test('no pod is refused that the original places', () => {
  const worse = verdicts.filter(({ missed }) => missed.length > 0);
  expect(worse.map(({ name, missed }) => [name, missed])).toEqual([]);
});

// Which pods share a node that is there is a guess for both, and the original's may be the luckier.
test('what is bought costs more than with the original in 1 of 100 arrivals at most', () => {
  const dearer = verdicts.filter(({ ours, theirs }) => ours > theirs + 1e-9);
  const told = dearer.map(({ name, ours, theirs }) => `${name}: ${ours} against ${theirs}`);
  expect(told.length, told.join('\n')).toBeLessThanOrEqual(verdicts.length / 100);
});

test('what is bought for all arrivals together costs at most 0.8 times as much', () => {
  const sum = (of: (verdict: Verdict) => number): number =>
    verdicts.reduce((total, verdict) => total + of(verdict), 0);
  expect(sum(({ ours }) => ours) / sum(({ theirs }) => theirs)).toBeLessThanOrEqual(0.8);
});
