import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { anchorPath } from '../../bench/anchor.mjs';
import { type Question, questionOf } from '../../bench/cluster/decode.ts';
import { instanceTypesOf, type RawInstanceType } from '../../bench/cluster/instance-types.ts';
import { scenarioOf } from '../../bench/cluster/scenario.ts';
import { fromCatalog, generic } from '../../bench/kwok-types.mjs';
import { typesFrom } from '../../bench/workloads/types.mjs';
import { generate, type ListOfObjects } from '../../bench/workloads.mjs';

/** The families of pending pods, every one of which both engines are asked about. */
export const pendingFamilies = [
  'diverse',
  'identical',
  'web',
  'preferences',
  'constrained',
  'stateful',
  'anti-affinity',
  'spread-xl',
];

export interface Sample {
  readonly family: string;
  readonly seed: number;
  readonly pods: number;
}

/** What the original answered, as far as it is compared. */
export interface AnchorAnswer {
  readonly cost_per_hour: number;
  readonly new_node_count: number;
  readonly unschedulable: Readonly<Record<string, string>>;
  readonly undecided: number;
}

export type Catalogue = readonly RawInstanceType[];

/** The whole EC2 catalogue of one region. */
export function ec2Types(): Catalogue {
  const file = fileURLToPath(new URL('../../data/ec2-catalog.json', import.meta.url));
  return fromCatalog(JSON.parse(readFileSync(file, 'utf8')) as object);
}

/** A tenth of it, so that the original answers a small scenario in a twentieth of a second. */
export function fewEc2Types(): Catalogue {
  const families = 'c5 c6g c6i c7g m5 m6g m6i m7i r5a r6g r6i t3 g5 p3'.split(' ');
  return ec2Types().filter(({ name }) => families.includes(name.split('.')[0] ?? ''));
}

/** Every so-manieth type of it, from the given one on: bargains are rare, and so are small types. */
export function everyEc2Type(step: number, first: number): Catalogue {
  return ec2Types().filter((_, index) => index % step === first);
}

/** The 144 types that the original's own test provider ships with, in four zones. */
export function kwokTypes(): Catalogue {
  return generic();
}

export function scenarioFor(sample: Sample, catalogue: Catalogue): ListOfObjects {
  return generate({ ...sample, types: typesFrom(catalogue) });
}

export function questionFor(list: ListOfObjects, catalogue: Catalogue): Question {
  // Through text, as an API server's answer comes: nothing is shared with the generator.
  const objects = JSON.parse(JSON.stringify(list)) as ListOfObjects;
  return questionOf(scenarioOf(objects), instanceTypesOf(catalogue));
}

/**
 * The original's answers to the scenarios, in their order, from one process. What it once said is
 * kept beside its binary: the same question to the same binary is not asked twice.
 */
export async function askAnchor(
  lists: readonly ListOfObjects[],
  catalogue: Catalogue,
): Promise<readonly AnchorAnswer[]> {
  const anchor = anchorPath();
  const scenarios = lists.map((list) => `${JSON.stringify(list)}\n`).join('');
  const types = JSON.stringify(catalogue);
  const hash = createHash('sha256')
    .update(readFileSync(`${anchor}.sources`))
    .update(types);
  const answers = join(dirname(anchor), '..', 'answers', hash.update(scenarios).digest('hex'));
  if (!existsSync(answers)) await ask({ anchor, scenarios, types, answers });
  const lines = readFileSync(answers, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as AnchorAnswer);
}

async function ask(parts: {
  readonly anchor: string;
  readonly scenarios: string;
  readonly types: string;
  readonly answers: string;
}): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'agreement-'));
  try {
    const [scenarios, types, out] = [
      join(folder, 'in'),
      join(folder, 'types'),
      join(folder, 'out'),
    ];
    writeFileSync(scenarios, parts.scenarios);
    writeFileSync(types, parts.types);
    const files = ['--scenario', scenarios, '--instance-types', types, '--out', out];
    await run(parts.anchor, ['batch', '--runs', '1', ...files]);
    mkdirSync(dirname(parts.answers), { recursive: true });
    copyFileSync(out, parts.answers);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(command: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let trouble = '';
    child.stderr.on('data', (chunk: Buffer) => {
      trouble += chunk.toString();
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args[0]} ended with ${code}: ${trouble}`));
    });
  });
}
