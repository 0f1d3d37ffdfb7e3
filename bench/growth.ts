import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { KubeObject } from '../src/api/resource.ts';
import { solve } from '../src/core/scheduling/solve.ts';
import { questionOf } from './cluster/decode.ts';
import { instanceTypesOf, type RawInstanceType } from './cluster/instance-types.ts';
import { scenarioOf } from './cluster/scenario.ts';
import { collectGarbage, describeMachine, type Machine, spreadOf, timed } from './timing.ts';
import { typesFrom } from './workloads/types.mjs';
import { generate } from './workloads.mjs';

export interface GrowthOptions {
  readonly instanceTypes: string;
  readonly family: string;
  readonly runs: number;
  /** Passes of the smallest size before any counts. */
  readonly warmUpRuns: number;
  /** Largest sizes to go to, halved four times for the others. */
  readonly pods: number;
  readonly nodes: number;
}

/** One measured size, and how many times the time of the size before, both measured by turns. */
interface Step {
  readonly size: number;
  readonly setup_ms: number;
  readonly solve_ms: number;
  readonly total_ms: number;
  readonly cpu_ms: number;
  readonly times_the_last?: number;
  /** The same by processor time, which a busy machine blurs less. */
  readonly cpu_times_the_last?: number;
}

/** A size to measure; what it is measured with is made when its turn comes. */
interface Sized {
  readonly size: number;
  readonly items: () => readonly KubeObject[];
  readonly types: readonly RawInstanceType[];
}

export interface GrowthReport {
  readonly command: 'growth';
  readonly family: string;
  /** Twice the pods: at most 2.2 times the time. */
  readonly pods: readonly Step[];
  /** 500 pods into twice the nodes: at most 2.2 times the time. */
  readonly nodes: readonly Step[];
  /** 2,000 pods with 1,000 more types: at most 1.3 times the time. */
  readonly types: readonly Step[];
  /** 20,000 pods on 2,000 nodes: under 300 MiB. */
  readonly memory: MemoryReport;
  readonly machine: Machine;
}

/** How time and memory grow with the pods, the nodes and the catalogue. */
export function runGrowth(options: GrowthOptions, self: string): GrowthReport {
  const raw = JSON.parse(readFileSync(options.instanceTypes, 'utf8')) as readonly RawInstanceType[];
  const { family, runs } = options;
  const pending = (pods: number): readonly KubeObject[] => itemsOf(raw, { family, pods });
  const memory = measureMemory(options, self);
  const smallest = pending(doublings(options.pods)[0] ?? 0);
  for (let run = 0; run < options.warmUpRuns; run++) onePass(smallest, raw);
  const withTypes = [raw, wider(raw)].map((types) => ({
    ...{ size: types.length, items: () => pending(2_000), types },
  }));
  const withPods = doublings(options.pods).map((size) => ({
    ...{ size, items: () => pending(size), types: raw },
  }));
  const nodes = doublings(options.nodes).map((size) => ({
    ...{ size, items: () => withNodes(raw, size, pending(500)), types: raw },
  }));
  // First the types, while the heap is small: after 10,000 nodes collections cost more than these.
  const types = measured(withTypes, runs);
  return {
    command: 'growth',
    family,
    pods: measured(withPods, runs),
    nodes: measured(nodes, runs),
    types,
    memory,
    machine: describeMachine(),
  };
}

function itemsOf(
  raw: readonly RawInstanceType[],
  wish: { readonly family: string; readonly pods?: number; readonly nodes?: number },
): readonly KubeObject[] {
  return generate({ ...wish, seed: 1, types: typesFrom(raw) }).items;
}

/** A cluster in normal operation, ten pods to a node, in which the pods of another scenario wait. */
function withNodes(
  raw: readonly RawInstanceType[],
  nodes: number,
  waiting: readonly KubeObject[],
): readonly KubeObject[] {
  const running = itemsOf(raw, { family: 'steady', nodes, pods: nodes * 10 });
  const isCommon = (item: KubeObject): boolean =>
    item.kind === 'NodePool' || item.kind === 'Namespace';
  return [...running, ...waiting.filter((item) => !isCommon(item))];
}

/** One pass by the clock, and by the processors of this process. */
interface Pass {
  readonly setupMs: number;
  readonly solveMs: number;
  readonly cpuMs: number;
}

function onePass(items: readonly KubeObject[], raw: readonly RawInstanceType[]): Pass {
  const instanceTypes = instanceTypesOf(raw);
  const objects = scenarioOf({ items });
  const setup = timed(() => questionOf(objects, instanceTypes));
  const { snapshot, pods } = setup.result;
  const solved = timed(() => solve(snapshot, pods));
  return { setupMs: setup.ms, solveMs: solved.ms, cpuMs: setup.cpuMs + solved.cpuMs };
}

/**
 * Every size by turns with the one before, so that a machine that changes its pace does so for
 * both. What counts is the median of the ratios: the least times of two sizes may be luck.
 */
function measured(sizes: readonly Sized[], runs: number): readonly Step[] {
  const steps: Step[] = [];
  let before: (() => Pass) | undefined;
  for (const { size, items, types } of sizes) {
    const objects = items();
    const pass = (): Pass => onePass(objects, types);
    const turns = Array.from({ length: runs }, () => ({ before: before?.(), own: pass() }));
    steps.push(stepOf(size, turns));
    before = pass;
  }
  return steps;
}

interface Turn {
  readonly before: Pass | undefined;
  readonly own: Pass;
}

function stepOf(size: number, turns: readonly Turn[]): Step {
  const [best] = turns.map(({ own }) => own).sort((a, b) => totalMs(a) - totalMs(b));
  if (best === undefined) throw new Error('growth needs at least one run');
  const { setupMs, solveMs } = best;
  const times = ratioOf(turns, totalMs);
  const ratio = times === undefined ? '' : `, ${times.toFixed(2)} times the last`;
  process.stderr.write(`${size}: ${setupMs.toFixed(1)} + ${solveMs.toFixed(1)} ms${ratio}\n`);
  const step = {
    size,
    setup_ms: setupMs,
    solve_ms: solveMs,
    total_ms: totalMs(best),
    cpu_ms: Math.min(...turns.map(({ own }) => own.cpuMs)),
  };
  const cpuTimes = ratioOf(turns, ({ cpuMs }) => cpuMs);
  if (times === undefined || cpuTimes === undefined) return step;
  return { ...step, times_the_last: times, cpu_times_the_last: cpuTimes };
}

/** The median over the turns; undefined where there is no size before. */
function ratioOf(turns: readonly Turn[], amount: (pass: Pass) => number): number | undefined {
  const ratios = turns.flatMap(({ before, own }) =>
    before === undefined ? [] : [amount(own) / amount(before)],
  );
  return ratios.length === 0 ? undefined : spreadOf(ratios).median;
}

function totalMs({ setupMs, solveMs }: Pass): number {
  return setupMs + solveMs;
}

function doublings(largest: number): readonly number[] {
  return [16, 8, 4, 2, 1].map((share) => Math.round(largest / share));
}

/** A thousand more types: copies under other names, a little dearer, so that each could be used. */
function wider(raw: readonly RawInstanceType[]): readonly RawInstanceType[] {
  const copies = raw.slice(0, 1_000).map((type) => ({
    ...type,
    name: `${type.name}-copy`,
    offerings: type.offerings.map((one) => ({ ...one, Price: one.Price * 1.001 })),
  }));
  return [...raw, ...copies];
}

export interface MemoryReport {
  readonly pods: number;
  readonly nodes: number;
  readonly new_nodes: number;
  /** What stays in the heap once solved: cluster objects, snapshot and plan. */
  readonly heap_mib: number;
  readonly rss_mib: number;
  readonly max_rss_mib: number;
}

/** In a process of its own, since memory once touched is not given back. */
function measureMemory(options: GrowthOptions, self: string): MemoryReport {
  const args = ['--expose-gc', self, 'memory', '--instance-types', options.instanceTypes];
  const done = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`measuring memory: ${done.stderr}`);
  return JSON.parse(done.stdout) as MemoryReport;
}

/** Memory of this process with 20,000 pods on 2,000 nodes, 10,000 of them waiting. */
export function runMemory(instanceTypes: string): MemoryReport {
  const raw = JSON.parse(readFileSync(instanceTypes, 'utf8')) as readonly RawInstanceType[];
  const running = itemsOf(raw, { family: 'steady', nodes: 2_000, pods: 4_000 });
  const waiting = itemsOf(raw, { family: 'web', pods: 10_000 });
  const items = [...running, ...waiting.filter(({ kind }) => kind === 'Pod')];
  const { snapshot, pods } = questionOf(scenarioOf({ items }), instanceTypesOf(raw));
  const plan = solve(snapshot, pods);
  collectGarbage();
  const { heapUsed, rss } = process.memoryUsage();
  const mib = 2 ** 20;
  return {
    pods: items.filter(({ kind }) => kind === 'Pod').length,
    nodes: snapshot.nodes.length,
    new_nodes: plan.newNodes.length,
    heap_mib: heapUsed / mib,
    rss_mib: rss / mib,
    max_rss_mib: process.resourceUsage().maxRSS / 1024,
  };
}
