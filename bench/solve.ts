import { readFileSync } from 'node:fs';
import type { PodObject } from '../src/api/kubernetes/core.ts';
import type { KubeObject } from '../src/api/resource.ts';
import type { Plan } from '../src/core/scheduling/plan.ts';
import { solve } from '../src/core/scheduling/solve.ts';
import { type Answer, answerOf } from './answer.ts';
import { lowerBound } from './bound/lower-bound.ts';
import { type Question, questionOf } from './cluster/decode.ts';
import { instanceTypesOf, type RawInstanceType } from './cluster/instance-types.ts';
import { scenarioOf } from './cluster/scenario.ts';
import { servedPods } from './cluster/served-pods.ts';
import { describeMachine, type Machine, type Spread, spreadOf, timed } from './timing.ts';

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
  /** Set-up and solve of the very first pass of the process, before any code was optimised. */
  readonly cold_ms: number;
  readonly warm_up_runs: number;
  readonly setup: { readonly load_once_ms: number; readonly decode_ms: Spread };
  readonly pods_per_second: number;
  readonly total_pods_per_second: number;
  /** JSON.parse of the same pods as the scenario writes them, bare manifests without defaults. */
  readonly json_parse_ms: Spread;
  readonly json_parse_cpu_ms: Spread;
  /** Solve alone, and with set-up, against it. */
  readonly json_parse_ratio: number;
  readonly json_parse_ratio_with_setup: number;
  /** Solve alone, of new pods and a catalogue that the engine knows, as in a controller that runs. */
  readonly known_types_solve_ms: Spread;
  readonly known_types_json_parse_ratio: number;
  /** The same against JSON.parse of the pods as an API server sends them to a controller. */
  readonly json_parse_served_ms: Spread;
  readonly json_parse_served_cpu_ms: Spread;
  readonly json_parse_served_ratio: number;
  readonly json_parse_served_ratio_with_setup: number;
  /** Mean length of a pod in either text. */
  readonly pod_bytes: number;
  readonly served_pod_bytes: number;
  /** What the placed pods cost at least, and how many times that the plan costs. */
  readonly lower_bound?: number;
  readonly ratio?: number;
  readonly machine: Machine;
}

export interface SolveOptions {
  readonly scenario: string;
  readonly instanceTypes: string;
  readonly runs: number;
  /** Passes before those that count, so that these run optimised code, as in a controller. */
  readonly warmUpRuns: number;
  readonly hasBound: boolean;
}

interface Times {
  readonly parseMs: number;
  readonly parseCpuMs: number;
  readonly setupMs: number;
  readonly setupCpuMs: number;
  readonly solveMs: number;
  readonly cpuMs: number;
}

interface Attempt extends Times {
  readonly question: Question;
  readonly plan: Plan;
}

/** Solves the scenario as often as asked, from nothing each time, and reports the last answer. */
export async function runSolve(options: SolveOptions): Promise<SolveReport> {
  const texts = timed(() => ({
    scenario: readFileSync(options.scenario, 'utf8'),
    types: JSON.parse(readFileSync(options.instanceTypes, 'utf8')) as readonly RawInstanceType[],
  }));
  const { scenario, types } = texts.result;
  const podsText = JSON.stringify(podsOf(scenario));
  const input = { scenario, types, podsText };
  const { last, all } = repeated(() => attemptOf(input), options);
  const { all: knowing } = repeated(() => attemptOf(input, last.question), {
    ...options,
    warmUpRuns: 0,
  });
  // Before the served pods are parsed, whose memory is not the engine's.
  const machine = describeMachine();
  const report = reportOf(all, last, {
    ...{ options, machine, loadMs: texts.ms, typeCount: types.length },
    ...{ podsText, knowing, served: parseServed(scenario, options) },
  });
  return options.hasBound ? { ...report, ...(await boundOf(last)) } : report;
}

/** Only figures are kept of all passes but the last: what they made is garbage, as in a controller. */
function repeated(
  attempt: () => Attempt,
  { runs, warmUpRuns }: SolveOptions,
): { readonly last: Attempt; readonly all: readonly Times[] } {
  let last = attempt();
  const all: Times[] = [timesOf(last)];
  while (all.length < warmUpRuns + Math.max(1, runs)) {
    last = attempt();
    all.push(timesOf(last));
  }
  return { last, all };
}

function timesOf(attempt: Attempt): Times {
  const { question: _, plan: __, ...times } = attempt;
  return times;
}

function totalMs({ setupMs, solveMs }: Times): number {
  return setupMs + solveMs;
}

/** Nodes that are there may hold pods for nothing, so that only an empty cluster has a bound. */
async function boundOf({ question, plan }: Attempt): Promise<Partial<SolveReport>> {
  if (question.snapshot.nodes.length > 0) return {};
  const placed = plan.newNodes.flatMap((node) => node.pods);
  const cost = plan.newNodes.reduce((sum, node) => sum + node.cheapest.priceUsdPerHour, 0);
  const bound = await lowerBound(question.snapshot, placed);
  return { lower_bound: bound, ratio: bound === 0 ? 1 : cost / bound };
}

/** The pods alone, as the scenario has them: bare manifests, of which a server sends more. */
function podsOf(scenario: string): readonly PodObject[] {
  const { items } = JSON.parse(scenario) as { readonly items: readonly PodObject[] };
  return items.filter(({ kind }) => kind === 'Pod');
}

/** Parsed apart from the passes: the text is several times as long, and its objects fill the heap. */
function parseServed(scenario: string, { runs }: SolveOptions) {
  const { text, pods } = servedText(scenario);
  const times = Array.from({ length: Math.max(1, runs) }, () => {
    const { ms, cpuMs } = timed(() => JSON.parse(text) as unknown);
    return { ms, cpuMs };
  });
  const ms = spreadOf(times.map((time) => time.ms));
  return { text, pods, ms, cpuMs: spreadOf(times.map((time) => time.cpuMs)) };
}

function servedText(scenario: string): { readonly text: string; readonly pods: number } {
  const manifests = podsOf(scenario);
  return { text: servedPods(manifests), pods: manifests.length };
}

interface Input {
  readonly scenario: string;
  readonly types: readonly RawInstanceType[];
  readonly podsText: string;
}

/**
 * One pass of a provisioner that knows nothing yet. The objects and the catalogue are new in
 * every pass, so that whatever the engine remembers of them is paid for inside the measurement;
 * but for the pools, with all that they can buy, if a question is given that has them already.
 */
function attemptOf(input: Input, known?: Question): Attempt {
  const parsed = timed(() => JSON.parse(input.podsText) as unknown);
  const objects = scenarioOf(JSON.parse(input.scenario) as { items: readonly KubeObject[] });
  const instanceTypes = instanceTypesOf(input.types);
  const setup = timed(() => questionOf(objects, instanceTypes));
  const question = withPools(setup.result, known);
  const solved = timed(() => solve(question.snapshot, question.pods));
  return {
    question,
    plan: solved.result,
    parseMs: parsed.ms,
    parseCpuMs: parsed.cpuMs,
    setupMs: setup.ms,
    setupCpuMs: setup.cpuMs,
    solveMs: solved.ms,
    cpuMs: solved.cpuMs,
  };
}

function withPools(question: Question, known: Question | undefined): Question {
  if (known === undefined) return question;
  return { ...question, snapshot: { ...question.snapshot, pools: known.snapshot.pools } };
}

/** What a report says beside the times and the answer. */
interface Given {
  readonly options: SolveOptions;
  readonly machine: Machine;
  readonly loadMs: number;
  readonly typeCount: number;
  readonly podsText: string;
  readonly knowing: readonly Times[];
  readonly served: ReturnType<typeof parseServed>;
}

function reportOf(all: readonly Times[], last: Attempt, given: Given): SolveReport {
  const { loadMs, typeCount, knowing, served } = given;
  const counted = all.slice(-Math.max(1, given.options.runs));
  const pick = (of: (times: Times) => number): Spread => spreadOf(counted.map(of));
  const pods = last.question.pods.length;
  const solveMs = pick((times) => times.solveMs);
  const setupMs = pick((times) => times.setupMs);
  const parseMs = pick((times) => times.parseMs);
  const knowingMs = spreadOf(knowing.map((times) => times.solveMs));
  const total = Math.min(...counted.map(totalMs));
  return {
    command: 'solve',
    version: 'karpenter-ts',
    pods,
    instance_types: typeCount,
    nodes: last.question.snapshot.nodes.filter((node) => node.claimName !== undefined).length,
    workers: 1,
    solve_ms: solveMs,
    solve_cpu_ms: pick((times) => times.cpuMs),
    setup_ms: setupMs,
    setup_cpu_ms: pick((times) => times.setupCpuMs),
    cold_ms: all[0] === undefined ? 0 : totalMs(all[0]),
    warm_up_runs: given.options.warmUpRuns,
    setup: { load_once_ms: loadMs, decode_ms: setupMs },
    pods_per_second: pods / (solveMs.min / 1000),
    total_pods_per_second: pods / (total / 1000),
    json_parse_ms: parseMs,
    json_parse_cpu_ms: pick((times) => times.parseCpuMs),
    json_parse_ratio: solveMs.min / parseMs.min,
    json_parse_ratio_with_setup: total / parseMs.min,
    known_types_solve_ms: knowingMs,
    known_types_json_parse_ratio: knowingMs.min / Math.min(...knowing.map((one) => one.parseMs)),
    json_parse_served_ms: served.ms,
    json_parse_served_cpu_ms: served.cpuMs,
    json_parse_served_ratio: solveMs.min / served.ms.min,
    json_parse_served_ratio_with_setup: total / served.ms.min,
    pod_bytes: Buffer.byteLength(given.podsText) / served.pods,
    served_pod_bytes: Buffer.byteLength(served.text) / served.pods,
    ...answerOf(last.plan, pods),
    machine: given.machine,
  };
}
