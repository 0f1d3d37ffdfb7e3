import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

function run(commandLine: string): { status: number | null; stdout: string; stderr: string } {
  const [file = '', ...args] = commandLine.split(' ');
  return spawnSync(process.execPath, [file, ...args], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000,
  });
}

const scripts = [
  'bench/run.mjs',
  'bench/run.mjs solve',
  'bench/compare.mjs',
  'bench/workloads.mjs',
  'bench/kwok-types.mjs',
  'bench/event-loop.mjs',
  'bench/intake.mjs',
  'bench/interruption.mjs',
  'scripts/test.mjs',
  'scripts/test-cluster.mjs',
  'scripts/test-judges.mjs',
  'scripts/check.mjs',
];

test.each(scripts)('%s --help says how it is used and does nothing else', (script) => {
  const { status, stdout, stderr } = run(`${script} --help`);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^usage: /);
});

const mistakes = [
  'bench/run.mjs solve --nonsense',
  'bench/run.mjs nonsense --instance-types types.json',
  'bench/run.mjs solve --instance-types types.json --scenario scenario.json --runs many',
  'bench/compare.mjs --nonsense',
  'bench/compare.mjs --command nonsense',
  'bench/compare.mjs --families nonsense',
  'bench/compare.mjs --sizes many',
  'bench/workloads.mjs --nonsense',
  'bench/workloads.mjs --family nonsense',
  'bench/workloads.mjs --family steady',
  'bench/kwok-types.mjs --nonsense',
  'bench/event-loop.mjs',
  'bench/event-loop.mjs types.json --nonsense',
  'bench/intake.mjs many',
  'bench/interruption.mjs many',
  'scripts/check.mjs --nonsense',
];

test.each(mistakes)('%s is answered with a sentence and the usage', (commandLine) => {
  const { status, stdout, stderr } = run(commandLine);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^[^\n]+\n\nusage: /);
  expect(stderr).not.toMatch(/^ {4}at /m);
});
