import { readFileSync } from 'node:fs';
import { solve } from '../src/core/scheduling/solve.ts';
import { lowerBound } from './bound/lower-bound.ts';
import { type Progress, wholeNodeBound } from './bound/whole/whole-nodes.ts';
import { questionOf } from './cluster/decode.ts';
import { instanceTypesOf, type RawInstanceType } from './cluster/instance-types.ts';
import { scenarioOf } from './cluster/scenario.ts';
import { describeMachine, type Machine } from './timing.ts';
import { typesFrom } from './workloads/types.mjs';
import { generate } from './workloads.mjs';

export interface WholeNodesOptions {
  readonly instanceTypes: string;
  readonly family: string;
  readonly pods: number;
  readonly seeds: readonly number[];
  /** A cap on pods per node, which only the bound by whole nodes knows. */
  readonly mostPods: number | undefined;
}

interface SeedReport {
  readonly seed: number;
  readonly cost_per_hour: number;
  /** What the placed pods cost at least, in fractions of nodes and in whole ones. */
  readonly lower_bound: number;
  readonly whole_node_bound: number;
  /** How many times the bound in fractions the plan costs, and any plan must cost. */
  readonly ratio: number;
  readonly least_ratio: number;
  /** How many times the bound in whole nodes the plan costs. */
  readonly whole_node_ratio: number;
  readonly rounds: number;
  readonly columns: number;
  readonly whole_node_cpu_ms: number;
}

export interface WholeNodesReport {
  readonly command: 'whole-nodes';
  readonly family: string;
  readonly pods: number;
  readonly most_pods?: number;
  readonly seeds: readonly SeedReport[];
  readonly machine: Machine;
}

/** How much of what a plan costs above the bound is owed to nodes and pods being whole. */
export async function runWholeNodes(options: WholeNodesOptions): Promise<WholeNodesReport> {
  const raw = JSON.parse(readFileSync(options.instanceTypes, 'utf8')) as readonly RawInstanceType[];
  const { family, pods, mostPods } = options;
  const seeds: SeedReport[] = [];
  for (const seed of options.seeds)
    seeds.push(await reportOf(raw, { family, pods, seed, mostPods }));
  const cap = mostPods === undefined ? {} : { most_pods: mostPods };
  return { command: 'whole-nodes', family, pods, ...cap, seeds, machine: describeMachine() };
}

async function reportOf(
  raw: readonly RawInstanceType[],
  wish: Omit<WholeNodesOptions, 'instanceTypes' | 'seeds'> & { readonly seed: number },
): Promise<SeedReport> {
  const { family, seed, mostPods = Infinity } = wish;
  const { items } = generate({ family, seed, pods: wish.pods, types: typesFrom(raw) });
  const { snapshot, pods } = questionOf(scenarioOf({ items }), instanceTypesOf(raw));
  const { newNodes } = solve(snapshot, pods);
  const placed = newNodes.flatMap((node) => node.pods);
  const cost = newNodes.reduce((sum, node) => sum + node.cheapest.priceUsdPerHour, 0);
  const bound = await lowerBound(snapshot, placed);
  const started = process.cpuUsage();
  let last: Progress = { round: 0, columns: 0, bound: 0, cost: 0 };
  const report = (progress: Progress): void => {
    last = progress;
    process.stderr.write(`seed ${seed}: ${lineOf(progress, bound)}\n`);
  };
  const whole = await wholeNodeBound(snapshot, placed, { mostPods, report });
  const { user, system } = process.cpuUsage(started);
  return {
    seed,
    cost_per_hour: cost,
    lower_bound: bound,
    whole_node_bound: whole,
    ratio: cost / bound,
    least_ratio: whole / bound,
    whole_node_ratio: cost / whole,
    rounds: last.round,
    columns: last.columns,
    whole_node_cpu_ms: (user + system) / 1000,
  };
}

function lineOf({ round, columns, bound, cost }: Progress, fractional: number): string {
  const [least, most] = [bound / fractional, cost / fractional].map((ratio) => ratio.toFixed(4));
  return `round ${round}, ${columns} columns, between ${least} and ${most} times the bound in fractions`;
}
