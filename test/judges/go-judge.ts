import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTool } from '../tools.ts';

const built = join(homedir(), '.cache', 'karpenter-ts', 'judges');

/**
 * A judge written in Go beside this file: it reads one JSON question per line and prints one
 * answer per line. Built once into the cache; Go itself sees to it that it is up to date.
 */
export async function buildJudge(name: string): Promise<string> {
  const go = findTool('GO', 'go');
  const binary = join(built, name);
  if (go === undefined) {
    if (existsSync(binary)) return binary;
    throw new Error(`the judge ${name} needs Go: install it, or name it in GO`);
  }
  mkdirSync(built, { recursive: true });
  const folder = fileURLToPath(new URL(`./${name}`, import.meta.url));
  const env = { ...process.env, GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'auto' };
  await run([go, 'build', '-o', binary, '.'], { cwd: folder, env }, '');
  return binary;
}

/** The judge's answers, in the order of the questions. */
export async function askJudge(
  binary: string,
  questions: readonly unknown[],
): Promise<readonly string[]> {
  const asked = questions.map((question) => JSON.stringify(question)).join('\n');
  const said = (await run([binary], {}, `${asked}\n`)).trimEnd().split('\n');
  if (said.length !== questions.length) {
    throw new Error(`asked ${questions.length} questions and got ${said.length} answers`);
  }
  return said;
}

function run(
  [program = '', ...args]: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv },
  input: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: 'pipe' });
    const said = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (piece: string) => {
        said[stream] += piece;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(said.stdout);
      else reject(new Error(`${program} ${args.join(' ')}: ${said.stderr}`));
    });
    child.stdin.end(input);
  });
}
