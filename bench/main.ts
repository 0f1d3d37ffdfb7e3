import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { misused, readCommandLine, wholeNumber } from '../scripts/command-line.mjs';
import { runGrowth, runMemory } from './growth.ts';
import { runIncremental } from './incremental.ts';
import { runSolve } from './solve.ts';
import { runWholeNodes } from './whole-nodes.ts';

const usage = `npm run --silent bench -- <command> [flags]

  solve        --scenario FILE --instance-types FILE   one scenario: time, cost, bound, answers
  growth       --instance-types FILE                   twice the pods, twice the nodes, more types, memory
  incremental  --instance-types FILE                   50 pods into a large cluster, with room and without, and into an empty one
  whole-nodes  --instance-types FILE                   what pods cost at least on whole nodes, which takes minutes

  --runs N              repetitions, each from nothing (3)
  --warm-up N           solve, growth: passes before those that count, for the compiler (20)
  --output json|text    one JSON object, or a few lines for people (json)
  --out FILE            write there instead of standard output
  --no-bound            solve: leave out the lower bound of the cost
  --family F            growth, whole-nodes: of which pods (diverse, or web)
  --pods N, --nodes N   growth, incremental: the largest sizes (100000; 10000, or 5000); whole-nodes: how many pods (2000)
  --seeds N,N           whole-nodes: which of the random scenarios (1)
  --most-pods N         whole-nodes: with no more pods on a node`;

const flags = {
  scenario: { type: 'string' },
  'instance-types': { type: 'string' },
  runs: { type: 'string', default: '3' },
  'warm-up': { type: 'string', default: '20' },
  output: { type: 'string', default: 'json' },
  out: { type: 'string' },
  'no-bound': { type: 'boolean', default: false },
  family: { type: 'string' },
  pods: { type: 'string' },
  nodes: { type: 'string' },
  seeds: { type: 'string', default: '1' },
  'most-pods': { type: 'string' },
  // The anchor's flag: ours has no time limit, so that there is nothing to set.
  'solve-timeout': { type: 'string' },
} as const;

type Values = ReturnType<typeof parse>['values'];

function parse(args: readonly string[]) {
  return readCommandLine(usage, { args: [...args], options: flags, allowPositionals: true });
}

/** Runs one command of the benchmark and prints its report. */
export async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = parse(args);
  const report = await reportOf(positionals[0], values);
  const text = values.output === 'text' ? summary(report) : JSON.stringify(report);
  // The stream waits for a slow reader, where writing to the descriptor of a full pipe fails.
  if (values.out === undefined) process.stdout.write(`${text}\n`);
  else writeFileSync(values.out, `${text}\n`);
}

async function reportOf(command: string | undefined, values: Values): Promise<object> {
  const { scenario, 'instance-types': instanceTypes, 'most-pods': mostPods } = values;
  const runs = numberOf('runs', values.runs);
  const pods = numberOf('pods', values.pods ?? '100000');
  const warmUpRuns = numberOf('warm-up', values['warm-up']);
  if (instanceTypes === undefined) return misused('--instance-types is missing', usage);
  switch (command) {
    case 'solve':
      if (scenario === undefined) return misused('--scenario is missing', usage);
      return await runSolve({
        ...{ scenario, instanceTypes, runs, warmUpRuns },
        hasBound: !values['no-bound'],
      });
    case 'growth': {
      const nodes = numberOf('nodes', values.nodes ?? '10000');
      return runGrowth(
        { instanceTypes, family: values.family ?? 'diverse', runs, warmUpRuns, pods, nodes },
        fileURLToPath(import.meta.url),
      );
    }
    case 'memory':
      return runMemory(instanceTypes);
    case 'incremental':
      return await runIncremental({
        ...{ instanceTypes, runs, pods },
        nodes: numberOf('nodes', values.nodes ?? '5000'),
      });
    case 'whole-nodes':
      return await runWholeNodes({
        ...{ instanceTypes, family: values.family ?? 'web' },
        pods: numberOf('pods', values.pods ?? '2000'),
        seeds: values.seeds.split(',').map((seed) => numberOf('seeds', seed)),
        mostPods: mostPods === undefined ? undefined : numberOf('most-pods', mostPods),
      });
    default:
      return misused(
        command === undefined ? 'name a command' : `there is no command ${command}`,
        usage,
      );
  }
}

function numberOf(flag: string, text: string): number {
  return wholeNumber(`--${flag}`, text, usage);
}

/** Everything but long lists, a line each. */
function summary(report: object): string {
  return Object.entries(report)
    .filter(([name]) => name !== 'unschedulable' && name !== 'new_nodes')
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join('\n');
}

// Growth starts the bundle again, for the memory of a process that has done nothing else.
if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.argv.slice(2));
