import { readFileSync } from 'node:fs';
import type { KubeObject } from '../src/api/resource.ts';
import type { Plan } from '../src/core/scheduling/plan.ts';
import { solve } from '../src/core/scheduling/solve.ts';
import { type Answer, answerOf } from './answer.ts';
import { lowerBound } from './bound/lower-bound.ts';
import { type Question, questionOf } from './cluster/decode.ts';
import { instanceTypesOf, type RawInstanceType } from './cluster/instance-types.ts';
import { scenarioOf } from './cluster/scenario.ts';
import {
  collectGarbage,
  describeMachine,
  type Machine,
  type Spread,
  spreadOf,
  timed,
} from './timing.ts';

/** The fields of the anchor's `solve`, and ours. */
export interface SolveReport extends Answer {
  readonly command: 'solve';
  readonly version: string;
  readonly pods: number;
  readonly instance_types: number;
  readonly nodes: number;
  readonly workers: number;
  readonly solve_ms: Spread;
  readonly solve_cpu_ms: Spread;
  readonly setup_ms: Spread;
  readonly setup_cpu_ms: Spread;
  readonly setup: { readonly load_once_ms: number; readonly decode_ms: Spread };
  readonly pods_per_second: number;
  readonly total_pods_per_second: number;
  readonly json_parse_ms: Spread;
  /** Solve alone, and with set-up, against JSON.parse of the same pods. */
  readonly json_parse_ratio: number;
  readonly json_parse_ratio_with_setup: number;
  /** What the placed pods cost at least, and how many times that the plan costs. */
  readonly lower_bound?: number;
  readonly ratio?: number;
  readonly machine: Machine;
}

export interface SolveOptions {
  readonly scenario: string;
  readonly instanceTypes: string;
  readonly runs: number;
  readonly hasBound: boolean;
}

interface Attempt {
  readonly question: Question;
  readonly plan: Plan;
  readonly parseMs: number;
  readonly setupMs: number;
  readonly setupCpuMs: number;
  readonly solveMs: number;
  readonly cpuMs: number;
}

/** Solves the scenario as often as asked, from nothing each time, and reports the last answer. */
export async function runSolve(options: SolveOptions): Promise<SolveReport> {
  const texts = timed(() => ({
    scenario: readFileSync(options.scenario, 'utf8'),
    types: JSON.parse(readFileSync(options.instanceTypes, 'utf8')) as readonly RawInstanceType[],
  }));
  const { scenario, types } = texts.result;
  const podsText = podsOf(scenario);
  const attempts = Array.from({ length: Math.max(1, options.runs) }, () =>
    attemptOf({ scenario, types, podsText }),
  );
  const last = attempts.at(-1);
  if (last === undefined) throw new Error('solving needs at least one run');
  const report = reportOf(attempts, last, { loadMs: texts.ms, typeCount: types.length });
  return options.hasBound ? { ...report, ...(await boundOf(last)) } : report;
}

/** Nodes that are there may hold pods for nothing, so that only an empty cluster has a bound. */
async function boundOf({ question, plan }: Attempt): Promise<Partial<SolveReport>> {
  if (question.snapshot.nodes.length > 0) return {};
  const placed = plan.newNodes.flatMap((node) => node.pods);
  const cost = plan.newNodes.reduce((sum, node) => sum + node.cheapest.priceUsdPerHour, 0);
  const bound = await lowerBound(question.snapshot, placed);
  return { lower_bound: bound, ratio: bound === 0 ? 1 : cost / bound };
}

/** The pods alone, as the API server would send them: the yardstick for JSON.parse. */
function podsOf(scenario: string): string {
  const { items } = JSON.parse(scenario) as { readonly items: readonly { kind: string }[] };
  return JSON.stringify(items.filter(({ kind }) => kind === 'Pod'));
}

/**
 * One pass of a provisioner that knows nothing yet. The objects and the catalogue are new in
 * every pass, so that whatever the engine remembers of them is paid for inside the measurement.
 */
function attemptOf(input: {
  readonly scenario: string;
  readonly types: readonly RawInstanceType[];
  readonly podsText: string;
}): Attempt {
  collectGarbage();
  const parsed = timed(() => JSON.parse(input.podsText) as unknown);
  const objects = scenarioOf(JSON.parse(input.scenario) as { items: readonly KubeObject[] });
  const instanceTypes = instanceTypesOf(input.types);
  collectGarbage();
  const setup = timed(() => questionOf(objects, instanceTypes));
  const question = setup.result;
  const solved = timed(() => solve(question.snapshot, question.pods));
  return {
    question,
    plan: solved.result,
    parseMs: parsed.ms,
    setupMs: setup.ms,
    setupCpuMs: setup.cpuMs,
    solveMs: solved.ms,
    cpuMs: solved.cpuMs,
  };
}

function reportOf(
  attempts: readonly Attempt[],
  last: Attempt,
  { loadMs, typeCount }: { readonly loadMs: number; readonly typeCount: number },
): SolveReport {
  const pick = (of: (attempt: Attempt) => number): Spread => spreadOf(attempts.map(of));
  const pods = last.question.pods.length;
  const solveMs = pick((attempt) => attempt.solveMs);
  const setupMs = pick((attempt) => attempt.setupMs);
  const parseMs = pick((attempt) => attempt.parseMs);
  const total = Math.min(...attempts.map((attempt) => attempt.setupMs + attempt.solveMs));
  return {
    command: 'solve',
    version: 'karpenter-ts',
    pods,
    instance_types: typeCount,
    nodes: last.question.snapshot.nodes.filter((node) => node.claimName !== undefined).length,
    workers: 1,
    solve_ms: solveMs,
    solve_cpu_ms: pick((attempt) => attempt.cpuMs),
    setup_ms: setupMs,
    setup_cpu_ms: pick((attempt) => attempt.setupCpuMs),
    setup: { load_once_ms: loadMs, decode_ms: setupMs },
    pods_per_second: pods / (solveMs.min / 1000),
    total_pods_per_second: pods / (total / 1000),
    json_parse_ms: parseMs,
    json_parse_ratio: solveMs.min / parseMs.min,
    json_parse_ratio_with_setup: total / parseMs.min,
    ...answerOf(last.plan, pods),
    machine: describeMachine(),
  };
}
